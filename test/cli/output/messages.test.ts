import { expect, test } from 'vitest';
import { run, type World } from '../../world.ts';

const line = 'topic list -X brokers=127.0.0.1:1 -X globals.retry_timeout=100ms';
const refused = 'unable to connect to broker 127.0.0.1:1: TCP: connection refused';

async function told(words: string, terminal?: World['terminal']): Promise<readonly string[]> {
  const { stderr, exitCode } = await run(`${line} ${words}`, { env: { NO_COLOR: '1' }, ...(terminal && { terminal }) });
  expect(exitCode).toBe(5);
  return stderr.split('\n').filter((text) => /\btry/.test(text) && !/^(weir|hint): /.test(text));
}

test('what is retried is told with -v, each time with the pause', async () => {
  const [first, ...others] = await told('-v');
  expect(first).toMatch(new RegExp(`^${refused.replaceAll('.', '\\.')}; try 2 of Metadata in [23]\\d\\d ms$`));
  expect(others).toEqual([]);
});

test('on a terminal it is told once, so that nobody waits before an empty screen', async () => {
  const terminal = { stderr: true };
  expect(await told('', terminal)).toEqual([`${refused}; trying again (Ctrl-C stops)`]);
  expect(await told('-q', terminal)).toEqual([]);
  expect(await told('')).toEqual([]);
});
