import { describe, expect, test } from 'vitest';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { run } from '../../world.ts';

/** An address without a listener. */
async function deadAddress(): Promise<string> {
  const broker = await startScriptedBroker();
  await broker.close();
  return `${broker.address.host}:${broker.address.port}`;
}

describe('the first contact', () => {
  test('ends the command after one attempt if nothing listens, and says what to do', async () => {
    const address = await deadAddress();
    const { stderr, exitCode } = await run(`topic list -X brokers=${address} --trace -`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`unable to connect to broker ${address}: TCP: connection refused`);
    expect(stderr).toContain('hint: start a broker on this machine: weir sandbox start');
    expect(stderr).not.toContain('attempt 2');
    expect(stderr).not.toContain('retry_timeout');
  });

  test.each([
    ['a flag', '-X globals.retry_timeout=300ms', {}],
    ['the environment', '', { WEIR_GLOBALS_RETRY_TIMEOUT: '300ms' }],
  ])('is repeated for as long as the retry timeout that comes from %s', async (_, flag, env) => {
    const address = await deadAddress();
    const { stderr, exitCode } = await run(`topic list -X brokers=${address} ${flag}`, { env });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/gave up on Metadata after \d attempts/);
  });
});
