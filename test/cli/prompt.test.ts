import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Asker, askLine, askName, askSecret, askYesNo } from '../../src/cli/prompt.ts';
import { writeWhole } from '../config/sources/sources.ts';
import { authenticateAnswer, handshakeAnswer, metadataAnswer } from '../services/scripted-answers.ts';
import { startScriptedBroker } from '../services/scripted-broker.ts';
import { run, temporaryDirectory, type World } from '../world.ts';

/** Someone at a terminal who types `typed`, and what appeared on stderr and on the terminal. */
function personAt({ isTerminal }: { readonly isTerminal: boolean }, typed: string) {
  const shown = { stderr: '', terminal: '', closed: 0, modes: [] as boolean[] };
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      shown.stderr += chunk.toString();
      done();
    },
  });
  const input = Object.assign(Readable.from([Buffer.from(typed)]), {
    setRawMode: (isRaw: boolean) => shown.modes.push(isRaw),
  });
  const terminal = {
    input,
    write: (text: string) => {
      shown.terminal += text;
    },
    close: () => {
      shown.closed += 1;
    },
  };
  const host = { stderr: { stream, isTerminal }, openTerminal: () => terminal, stdin: { stream: new PassThrough() } };
  const asker = { host, signal: new AbortController().signal, handSignals: () => () => undefined };
  return { shown, asker: asker as unknown as Asker };
}

/** A prompt: how it is shown, what is typed, and the call with its result. */
interface Prompt {
  readonly what: string;
  readonly shown: string;
  readonly typed: string;
  readonly ask: (asker: Asker) => Promise<unknown>;
  readonly answer: unknown;
}

const prompts: readonly Prompt[] = [
  {
    ...{ what: 'a yes-or-no question', shown: 'Delete? [y/N] ', typed: 'y\n', answer: true },
    ask: (asker) => askYesNo(asker, 'Delete?'),
  },
  {
    ...{ what: 'a name', shown: 'Delete?\nType "prod" to confirm: ', typed: 'prod\n', answer: true },
    ask: (asker) => askName(asker, 'Delete?', 'prod'),
  },
  {
    ...{ what: 'a line', shown: 'Which? ', typed: 'two\n', answer: 'two' },
    ask: (asker) => askLine(asker, 'Which? '),
  },
  {
    ...{ what: 'a secret', shown: 'pass: \n', typed: 's3cret\r', answer: 's3cret' },
    ask: (asker) => askSecret(asker, 'pass: '),
  },
];

test.each(prompts)('$what is asked for on stderr, and read from the terminal', async ({ typed, ask, ...prompt }) => {
  const { shown, asker } = personAt({ isTerminal: true }, typed);
  expect(await ask(asker)).toBe(prompt.answer);
  expect(shown).toMatchObject({ stderr: prompt.shown, terminal: '', closed: 1 });
});

test.each(prompts)('$what is asked for on the terminal if stderr is redirected', async ({ typed, ask, ...prompt }) => {
  const { shown, asker } = personAt({ isTerminal: false }, typed);
  expect(await ask(asker)).toBe(prompt.answer);
  expect(shown).toMatchObject({ stderr: '', terminal: prompt.shown, closed: 1 });
});

test('P4: a secret is typed without echo', async () => {
  const { shown, asker } = personAt({ isTerminal: true }, 's3cret\r');
  await askSecret(asker, 'pass: ');
  expect(shown.modes).toEqual([true, false]);
});

const alice = '-X user=alice -X sasl.mechanism=PLAIN';

/** Lists topics without a password; returns the outcome and the passwords that the broker received. */
async function list(options: string, world: World) {
  await using broker = await startScriptedBroker({
    SaslHandshake: handshakeAnswer(0, ['PLAIN']),
    SaslAuthenticate: authenticateAnswer(0, undefined),
    Metadata: metadataAnswer({ brokers: [] }),
  });
  const outcome = await run(`topic list -X brokers=127.0.0.1:${broker.address.port} ${options}`, world);
  const stderr = outcome.stderr.replace(`127.0.0.1:${broker.address.port}`, 'ADDRESS');
  return {
    ...outcome,
    stderr,
    sent: broker.of('SaslAuthenticate').map(({ body }) => body.toString().split('\0').at(-1)),
  };
}

const terminal = { stdin: true, stderr: true };
const noColor = { NO_COLOR: '1' };
const missing = `weir: user is set, but pass is not
hint: set WEIR_PASS, or store it in the profile with: weir profile set pass
`;

test('a broker command asks for a missing password', async () => {
  const { stderr, exitCode, sent } = await list(alice, { terminal: { ...terminal, typed: 's3cret\r' } });
  expect({ stderr, exitCode, sent }).toEqual({
    stderr: 'password of user "alice" for ADDRESS: \n',
    exitCode: 0,
    sent: ['s3cret'],
  });
});

test.each([
  ['no terminal', '', {}, missing],
  ['--no-input', '--no-input', { env: noColor, terminal: { ...terminal, typed: 's3cret\r' } }, missing],
  ['CI', '', { env: { CI: '1' }, terminal: { ...terminal, typed: 's3cret\r' } }, missing],
  [
    'an empty answer',
    '',
    { env: noColor, terminal: { ...terminal, typed: '\r' } },
    `password of user "alice" for ADDRESS: \n${missing}`,
  ],
])('with %s, a missing password is an error that names the option', async (_, more, world, stderr) => {
  expect(await list(`${alice} ${more}`, world)).toEqual({ stdout: '', stderr, exitCode: 2, sent: [] });
});

test('of two clusters, that of the source is asked for first, and a refusal says whose it was', async () => {
  const refusing = {
    SaslHandshake: handshakeAnswer(0, ['PLAIN']),
    SaslAuthenticate: authenticateAnswer(58, undefined),
  };
  await using source = await startScriptedBroker(refusing);
  await using target = await startScriptedBroker(refusing);
  const of = (name: string, { address }: typeof source) =>
    `  - name: ${name}\n    options:\n      brokers: 127.0.0.1:${address.port}\n      user: alice\n      sasl.mechanism: PLAIN\n`;
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  writeWhole(path, `version: 1\nprofiles:\n${of('m', source)}${of('n', target)}`);
  const world = { home, env: noColor, terminal: { ...terminal, typed: 's3cret\r' } };
  const { stderr, exitCode } = await run('topic copy m:t n:t -X user=other -X pass=other', world);
  expect(exitCode).toBe(4);
  const [first, second] = stderr.split('\n').filter((line) => line.startsWith('password'));
  expect([first, second]).toEqual([
    `password of user "alice" for 127.0.0.1:${source.address.port} (profile m): `,
    `password of user "alice" for 127.0.0.1:${target.address.port} (profile n): `,
  ]);
  expect(stderr).toMatch(
    /hint: check that they belong together: user is from \S+weir\.yaml:\d+ \(profile [mn]\), pass was typed/,
  );
  expect(stderr).not.toContain('-X user');
});

test('no password is asked for if SASL is turned off', async () => {
  const world = { env: { WEIR_USER: 'bob' }, terminal: { ...terminal, typed: 's3cret\r' } };
  expect(await list('-X sasl.mechanism=', world)).toMatchObject({ stderr: '', exitCode: 0, sent: [] });
});
