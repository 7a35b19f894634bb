import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';

/** What is typed when a text has appeared. */
type Step = readonly [shown: string, typed: string];

const ctrlC = '\u0003';
const ctrlD = '\u0004';

/** Runs a line of the shell on a terminal, types at each question, and returns what the screen showed. */
async function typeAt(line: string, steps: readonly Step[], home = temporaryDirectory(), pauseMs = 0) {
  const script = [
    'set timeout 20',
    'spawn -noecho sh -c $env(LINE)',
    ...steps.flatMap((_, at) => [
      `expect -ex $env(SHOWN${at}) {} timeout { exit 98 }`,
      `after ${pauseMs}`,
      `send -- $env(TYPED${at})`,
    ]),
    'expect { timeout { exit 99 } eof }',
    'set end [wait]',
    'exit [expr {[llength $end] > 4 ? 130 : [lindex $end 3]}]',
  ].join('\n');
  const typed = steps.flatMap(([shown, keys], at) => [
    [`SHOWN${at}`, shown],
    [`TYPED${at}`, keys],
  ]);
  const { PATH } = process.env;
  const { stdout, exitCode } = await execa('expect', ['-c', script], {
    env: { ...Object.fromEntries(typed), PATH, HOME: home, NODE: runner, WEIR: weir, LINE: line, NO_COLOR: '1' },
    extendEnv: false,
    reject: false,
    timeout: 100_000,
  });
  return { screen: stdout.replaceAll('\r', ''), exitCode };
}

const create = 'exec "$NODE" "$WEIR" profile create two --set user=a --set pass --set registry.pass --set admin.pass';
const asks = (key: string): string => `${key} of profile "two": `;
const questions = ['pass', 'registry.pass', 'admin.pass'].map(asks);
const answers = ['first', 'second', 'third'];

const written = (home: string) => readFileSync(join(home, '.config/weir/weir.yaml'), 'utf8');

test.each([
  ['at once', 0],
  ['after pauses', 300],
])('three questions in a row get their answers %s', async (_, pauseMs) => {
  const home = temporaryDirectory();
  const steps = questions.map((question, at): Step => [question, `${answers[at]}\r`]);
  const { screen, exitCode } = await typeAt(create, steps, home, pauseMs);
  expect([screen, exitCode]).toEqual([expect.stringContaining(`${questions.join('\n')}\n`), 0]);
  for (const answer of answers)
    expect([written(home), screen.includes(answer)]).toEqual([expect.stringContaining(answer), false]);
});

test('answers that are pasted together get to their questions', async () => {
  const home = temporaryDirectory();
  const { screen, exitCode } = await typeAt(create, [[questions[0] ?? '', `${answers.join('\r')}\r`]], home);
  expect([screen, exitCode]).toEqual([expect.stringContaining(`${questions.join('\n')}\n`), 0]);
  for (const answer of answers) expect(written(home)).toContain(answer);
});

test.each([0, 1, 2])('Ctrl-C and Ctrl-D at question %i change nothing', async (last) => {
  const before = questions.slice(0, last).map((question, at): Step => [question, `${answers[at]}\r`]);
  const at = async (keys: string) => {
    const home = temporaryDirectory();
    const { screen, exitCode } = await typeAt(create, [...before, [questions[last] ?? '', keys]], home);
    expect(() => written(home)).toThrow('ENOENT');
    return [screen.slice(screen.indexOf(questions[last] ?? '')), exitCode];
  };
  expect(await at(ctrlC)).toEqual([`${questions[last]}\nweir: canceled: nothing was changed`, 130]);
  const missing = `weir: the ${(questions[last] ?? '').replace(': ', '')} is missing: nothing was typed`;
  expect(await at(ctrlD)).toEqual([expect.stringContaining(`${questions[last]}\n${missing}\n`), 2]);
});

const topic = `prompts-${process.pid}`;
const plaintext = { env: { WEIR_BROKERS: services().plaintext } };
beforeEach(() => run(`topic create ${topic} --if-not-exists`, plaintext));
afterAll(() => run(`topic delete ${topic} --if-exists`, plaintext));

// The question is about what there is: the password comes before it.
const { sasl, user } = services();
const deletion = `exec "$NODE" "$WEIR" topic delete ${topic} -X brokers=${sasl} -X user=${user.user} -X sasl.mechanism=PLAIN`;
const yesOrNo = '[y/N] ';
const password = 'password';
const typedPassword: Step = [password, `${user.pass}\r`];

test.each<[string, readonly Step[], number]>([
  ['a no that is typed after a password', [typedPassword, [yesOrNo, 'n\r']], 1],
  ['a no that is pasted with a password', [[password, `${user.pass}\rn\r`]], 1],
  ['Ctrl-C at a question', [typedPassword, [yesOrNo, ctrlC]], 130],
  ['Ctrl-D at a question', [typedPassword, [yesOrNo, ctrlD]], 1],
  ['Ctrl-C at the password before it', [[password, ctrlC]], 130],
])('%s changes nothing', async (_, steps, code) => {
  const { screen, exitCode } = await typeAt(deletion, steps);
  expect([screen, exitCode]).toEqual([expect.stringMatching(/weir: canceled: nothing was changed$/), code]);
  expect(screen).not.toContain(user.pass);
});

test('a yes after a password is carried out', async () => {
  const { screen, exitCode } = await typeAt(deletion, [typedPassword, [yesOrNo, 'y\r']]);
  expect([screen, exitCode]).toEqual([expect.stringMatching(new RegExp(`\n${topic} +OK$`)), 0]);
});
