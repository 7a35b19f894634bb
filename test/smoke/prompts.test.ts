import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { temporaryDirectory } from '../world.ts';

/** What is typed when a text has appeared. */
type Step = readonly [shown: string, typed: string];

const [ctrlC, ctrlD] = ['\u0003', '\u0004'];

/** Runs a line of the shell on a terminal, types at each question, and returns what the screen showed. */
async function typeAt(line: string, steps: readonly Step[], home = temporaryDirectory(), pauseMs = 0) {
  const script = [
    'set timeout 60',
    'spawn -noecho sh -c $env(LINE)',
    ...steps.flatMap((_, at) => [`expect -ex $env(SHOWN${at})`, `after ${pauseMs}`, `send -- $env(TYPED${at})`]),
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

// Nothing listens at port 9: the password is asked for after the question, and then the command fails.
const deletion = 'exec "$NODE" "$WEIR" topic delete t -X brokers=127.0.0.1:9 -X user=a -X sasl.mechanism=PLAIN';
const yesOrNo = '[y/N] ';
const password = 'password';

test.each([
  [
    'typed',
    [
      [yesOrNo, 'y\r'],
      [password, 'secret\r'],
    ],
  ],
  ['pasted', [[yesOrNo, 'y\rsecret\r']]],
] as [string, Step[]][])('a yes and a password are read, %s', async (_, steps) => {
  const { screen, exitCode } = await typeAt(deletion, steps);
  expect([screen, exitCode]).toEqual([expect.stringContaining('127.0.0.1:9'), 5]);
  expect(screen).toContain('connection refused');
});

test.each([
  ['Ctrl-C at a question', [[yesOrNo, ctrlC]], 130],
  ['Ctrl-D at a question', [[yesOrNo, ctrlD]], 1],
  [
    'Ctrl-C at the password after it',
    [
      [yesOrNo, 'y\r'],
      [password, ctrlC],
    ],
    130,
  ],
] as [string, Step[], number][])('%s is a no', async (_, steps, code) => {
  const { screen, exitCode } = await typeAt(deletion, steps);
  expect([screen, exitCode]).toEqual([expect.stringMatching(/\nweir: canceled: nothing was changed$/), code]);
});
