import { Writable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { createMessages, retryTeller } from '../../../src/cli/output/messages.ts';
import type { GlobalFlags, Messages } from '../../../src/context.ts';
import { rephrased } from '../../../src/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { kafkaError, kafkaErrorName } from '../../../src/kafka/protocol/errors.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { run, type World } from '../../world.ts';

beforeEach(skipPauses);

const line = 'topic list -X brokers=127.0.0.1:1 -X globals.retry_timeout=600ms';
const refused = 'unable to connect to broker 127.0.0.1:1: TCP: connection refused';

async function told(words: string, terminal?: World['terminal']): Promise<readonly string[]> {
  const { stderr, exitCode } = await run(`${line} ${words}`, { env: { NO_COLOR: '1' }, ...(terminal && { terminal }) });
  expect(exitCode).toBe(5);
  return stderr.split('\n').filter((text) => /\b(?:try|retry|attempt)/.test(text) && !/^(weir|hint): /.test(text));
}

test('-v reports every retry with its pause', async () => {
  const [first, ...others] = await told('-v');
  expect(first).toMatch(new RegExp(`^${refused.replaceAll('.', '\\.')}; attempt 2 of Metadata in [23]\\d\\d ms$`));
  for (const other of others) expect(other).toMatch(/; attempt [3-9] of Metadata in \d+ ms$/);
});

test('T3: on a terminal the first retry is reported, so that the screen is not empty', async () => {
  const terminal = { stderr: true };
  expect(await told('', terminal)).toEqual([`${refused}; retrying (press Ctrl-C to stop)`]);
  expect(await told('-q', terminal)).toEqual([]);
  expect(await told('')).toEqual([]);
});

const hints = [
  'hint: check that it is a Kafka port; if its listener uses TLS, add -X tls.enabled=true',
  'hint: raise the limit with -X globals.retry_timeout=DURATION',
];

test.each([
  ['on a terminal at once', { stderr: true }, '600ms', ['retrying (press Ctrl-C to stop)']],
  ['elsewhere not before two seconds', undefined, '200ms', []],
  ['elsewhere after two seconds', undefined, '2s', ['still retrying', hints[0]]],
] as const)(
  'a connection that is closed repeatedly is reported with its hint: %s',
  async (_, terminal, retry, lines) => {
    await using broker = await startScriptedBroker({ ApiVersions: 'drop' });
    const { port } = broker.address;
    const words = `topic list -X brokers=127.0.0.1:${port} -X globals.retry_timeout=${retry}`;
    const { stderr, exitCode } = await run(words, { env: { NO_COLOR: '1' }, ...(terminal && { terminal }) });
    expect(exitCode).toBe(5);
    const lost = `unable to connect to broker 127.0.0.1:${port}: API versions: the broker closed the connection`;
    const told = stderr.trimEnd().split('\n');
    expect(told.slice(0, -3)).toEqual(lines.map((line) => (line?.startsWith('hint') ? line : `${lost}; ${line}`)));
    expect(told.at(-3)).toMatch(new RegExp(`^weir: ${lost} \\(gave up on Metadata after \\d attempts in [\\d.]+m?s, `));
    expect(told.slice(-2)).toEqual(hints);
  },
);

test('a coordinator that a new cluster creates is reported only after two seconds, even on a terminal', () => {
  const shown = (code: number): readonly string[] => {
    const lines: string[] = [];
    const messages = { step: () => undefined, notice: (line: string) => lines.push(line) } as unknown as Messages;
    const tell = retryTeller({ stderr: { isTerminal: true } } as Host, { verbosity: 0 } as GlobalFlags, messages);
    const error = rephrased(kafkaError(code, ''), kafkaErrorName(code));
    tell(error, { what: 'attempt 2', afterMs: 250 });
    lines.push('two seconds');
    tell(error, { what: 'attempt 5', afterMs: 250, isLong: true });
    return lines;
  };
  for (const passing of [14, 15, 16])
    expect(shown(passing)).toEqual(['two seconds', `${kafkaErrorName(passing)}; still retrying`]);
  expect(shown(13)).toEqual(['NETWORK_EXCEPTION; retrying (press Ctrl-C to stop)', 'two seconds']);
});

/** What a command tells a person who uses these flags. */
function toldWith(flags: Partial<GlobalFlags>, tell: (messages: Messages) => void): string {
  let told = '';
  const stream = new Writable({
    write(chunk, _, done) {
      told += String(chunk);
      done();
    },
  });
  const host = { env: {}, stderr: { stream, isTerminal: true, columns: 80 }, now: () => 0 } as unknown as Host;
  tell(createMessages(host, { verbosity: 0, quiet: false, color: 'never', ...flags } as GlobalFlags));
  return told;
}

const tellAll = ({ notice, step, detail, warn, warnOnce }: Messages): void => {
  notice('notice');
  step('step');
  detail('detail');
  warn('loss');
  warn('loss');
  warnOnce('state');
  warnOnce('state');
};

const warnings = ['warning: loss', 'warning: loss', 'warning: state'];

test.each<[Partial<GlobalFlags>, readonly string[]]>([
  [{}, ['notice', ...warnings]],
  [{ verbosity: 1 }, ['notice', 'step', ...warnings]],
  [{ verbosity: 2 }, ['notice', 'step', 'detail', ...warnings]],
  [{ quiet: true }, []],
  [{ quiet: true, verbosity: 2 }, []],
  [
    { color: 'always', verbosity: 2 },
    [
      ...['notice', '\u001b[2mstep\u001b[22m', '\u001b[2mdetail\u001b[22m'],
      ...warnings.map((line) => line.replace('warning:', '\u001b[33mwarning:\u001b[39m')),
    ],
  ],
])('L1: with %j a command tells its notices, steps, details, each loss, and each state once', (flags, lines) => {
  expect(toldWith(flags, tellAll)).toBe(lines.map((line) => `${line}\n`).join(''));
});

test('control characters in messages are escaped', () => {
  const text = '\u001b[2J';
  const told = toldWith({ verbosity: 2 }, ({ notice, step, detail, warn }) => {
    for (const tell of [notice, step, detail, warn]) tell(text);
  });
  expect(told).toBe('\\u001b[2J\n\\u001b[2J\n\\u001b[2J\nwarning: \\u001b[2J\n');
});

test('a command that has the whole screen gets only its warnings printed, after it', () => {
  const told = toldWith({ verbosity: 2 }, (messages) => {
    const release = messages.hold();
    tellAll(messages);
    messages.notice('still held');
    release();
    messages.notice('after');
  });
  expect(told).toBe([...warnings, 'after'].map((one) => `${one}\n`).join(''));
});
