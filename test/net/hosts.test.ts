import { expect, test } from 'vitest';
import { CliError, exitCodes } from '../../src/errors.ts';
import { baseUrl, createHosts, type Hosts } from '../../src/net/hosts.ts';
import { HttpError } from '../../src/net/http-error.ts';
import { failureOf } from '../services/scripted-client.ts';

const address = { host: 'a.example', port: 8081 };
/** Makes one attempt. */
async function attempt(hosts: Hosts, send: () => Promise<unknown>): Promise<unknown> {
  const round = hosts.begin();
  for (;;) {
    round.next();
    try {
      const answer = await send();
      round.answered();
      return answer;
    } catch (error) {
      round.failed(error);
    }
  }
}

const refused = () => Promise.reject(new HttpError('nobody', { sent: false, code: 'CONNECTION_REFUSED' }));

test.each<[string, (() => Promise<unknown>) | undefined, boolean]>([
  ['before any contact', undefined, false],
  ['after an answer', () => Promise.resolve('an answer'), true],
  ['after an answer with an error', () => Promise.reject(new CliError(exitCodes.unreachable, 'busy')), true],
  ['after an answer that was cut short', () => Promise.reject(new HttpError('cut', { sent: true })), true],
])('that nobody is at an address is worth another attempt only after a contact: %s', async (_, contact, retryable) => {
  const hosts = createHosts([baseUrl(address, false)], 'stop');
  if (contact !== undefined) await attempt(hosts, contact).catch(() => undefined);
  await expect(attempt(hosts, refused)).rejects.toMatchObject({ message: 'nobody', retryable, passesLater: true });
});

test.each<[string, 'stop' | 'retry', boolean, boolean]>([
  ['ends the retries at the third time', 'stop', false, false],
  ['is retried if retries were requested', 'retry', false, true],
  ['is retried if it has answered before', 'stop', true, true],
])('a service that only closes connections %s', async (_, firstContact, answered, retryable) => {
  const hosts = createHosts([baseUrl(address, false)], firstContact);
  if (answered) await attempt(hosts, () => Promise.resolve('an answer'));
  const cut = () => failureOf(attempt(hosts, () => Promise.reject(new HttpError('cut', { sent: true }))));
  const errors = [await cut(), await cut(), await cut()];
  expect(errors.map((error) => error.retryable)).toEqual([true, true, retryable]);
  expect(errors[2]?.hints.join().includes('-X globals.retry_timeout=30s')).toBe(!retryable);
});
