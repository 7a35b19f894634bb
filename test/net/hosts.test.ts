import { expect, test } from 'vitest';
import { CliError, exitCodes } from '../../src/errors.ts';
import { createHosts } from '../../src/net/hosts.ts';
import { HttpError } from '../../src/net/http-error.ts';

const address = { host: 'a.example', port: 8081 };
const refused = () => Promise.reject(new HttpError('nobody', { sent: false, code: 'CONNECTION_REFUSED' }));

test.each<[string, (() => Promise<unknown>) | undefined, boolean]>([
  ['before any contact', undefined, false],
  ['after an answer', () => Promise.resolve('an answer'), true],
  ['after an answer with an error', () => Promise.reject(new CliError(exitCodes.unreachable, 'busy')), true],
  ['after an answer that was cut short', () => Promise.reject(new HttpError('cut', { sent: true })), true],
])('that nobody is at an address is worth another attempt only after a contact: %s', async (_, contact, retryable) => {
  const hosts = createHosts({ addresses: [address], usesTls: false, firstContact: 'stop' });
  if (contact !== undefined) await hosts.attempt(contact).catch(() => undefined);
  await expect(hosts.attempt(refused)).rejects.toMatchObject({ message: 'nobody', retryable });
});
