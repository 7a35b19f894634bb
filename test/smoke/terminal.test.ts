import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { run as runIn, temporaryDirectory } from '../world.ts';

/** A home with a profile that a command may delete. */
async function homeWithProfile(): Promise<string> {
  const home = temporaryDirectory();
  await runIn('profile create prod --set brokers=b1.example', { home });
  return home;
}

async function profilesOf(home: string): Promise<readonly string[]> {
  const { stdout } = await runIn('profile list --format json', { home });
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

/** Runs a shell line on a pseudo-terminal, types `answer` at the first question, and returns what the screen showed. */
async function onTerminal(line: string, answer: string, home: string, question = '\\[y/N\\]') {
  const script = [
    'set timeout 80',
    'spawn -noecho sh -c $env(LINE)',
    `expect "${question}"`,
    'send -- $env(ANSWER)',
    'expect eof',
    'exit [lindex [wait] 3]',
  ].join('\n');
  const env = { PATH: process.env.PATH, HOME: home, NODE: runner, WEIR: weir, LINE: line, ANSWER: answer };
  return await execa('expect', ['-c', script], {
    env,
    extendEnv: false,
    reject: false,
    timeout: 230_000,
    stripFinalNewline: false,
  });
}

const deletion = '"$NODE" "$WEIR" profile delete prod';

test('a destructive command in a pipeline asks on the terminal, not on its standard input', async () => {
  const home = await homeWithProfile();
  const refused = await onTerminal(`echo y | ${deletion}`, 'n\r', home);
  expect(refused.stdout).toContain('Delete the profile "prod" (b1.example:9092)? [y/N]');
  expect(refused.stdout).toContain('canceled: nothing was changed');
  expect(refused.exitCode).toBe(1);
  expect(await profilesOf(home)).toEqual(['prod']);
  const agreed = await onTerminal(`echo n | ${deletion} >/dev/null 2>/dev/null`, 'y\r', home);
  expect(agreed.exitCode).toBe(0);
  expect(await profilesOf(home)).toEqual([]);
});

test('a password is asked for on the terminal and not shown', async () => {
  const home = await homeWithProfile();
  const line = '"$NODE" "$WEIR" profile set pass >/dev/null';
  const { stdout, exitCode } = await onTerminal(line, 's3cret\r', home, 'pass of profile');
  expect({ stdout, exitCode }).toEqual({ stdout: 'pass of profile "prod": \r\n', exitCode: 0 });
  expect((await runIn('profile print --show-secrets', { home })).stdout).toContain('pass: s3cret');
});

test('a closed terminal keeps no process alive and reads nothing more, so that an editor gets what is typed', async () => {
  const script = `
    const { openTerminal } = await import(process.env.SOURCE);
    const terminal = openTerminal();
    terminal.write('Name? ');
    terminal.input.once('data', (typed) => {
      terminal.close();
      console.log('typed ' + typed);
    });`;
  const line = `SOURCE='${resolve('src/host/terminal.ts')}' '${process.execPath}' --no-warnings -e '${script.replaceAll("'", '"')}'`;
  const { stdout, exitCode } = await onTerminal(line, 'me\r', temporaryDirectory(), 'Name');
  expect(stdout).toContain('typed me');
  expect(exitCode).toBe(0);
});

test('a plan that is longer than a terminal takes at once is shown whole, with the question below it', async () => {
  const script = `
    const { openTerminal } = await import(process.env.SOURCE);
    const terminal = openTerminal();
    terminal.write('a line of a long plan\\n'.repeat(20_000) + 'Move them? ');
    terminal.input.once('data', () => terminal.close());`;
  const line = `SOURCE='${resolve('src/host/terminal.ts')}' '${process.execPath}' --no-warnings -e '${script.replaceAll("'", '"')}'`;
  const { stdout, exitCode } = await onTerminal(line, 'y\r', temporaryDirectory(), 'Move them');
  expect(stdout.match(/a line of a long plan/g)).toHaveLength(20_000);
  expect(exitCode).toBe(0);
});

test('a terminal that hangs up at the question cancels the command, which says so where its messages go', async () => {
  const home = await homeWithProfile();
  const messages = `${home}/messages`;
  const script = 'set timeout 80; spawn -noecho sh -c $env(LINE); expect "\\[y/N\\]"; close; wait';
  const env = { PATH: process.env.PATH, HOME: home, NODE: runner, WEIR: weir, LINE: `exec ${deletion} 2>${messages}` };
  await execa('expect', ['-c', script], { env, extendEnv: false, timeout: 230_000 });
  expect(readFileSync(messages, 'utf8')).toBe('weir: canceled: nothing was changed\n');
  expect(await profilesOf(home)).toEqual(['prod']);
});

test('with no controlling terminal a destructive command runs', async () => {
  const home = await homeWithProfile();
  const { exitCode } = await execa('setsid', ['--wait', runner, weir, 'profile', 'delete', 'prod'], {
    env: { PATH: process.env.PATH, HOME: home },
    extendEnv: false,
    input: 'n\n',
    reject: false,
  });
  expect(exitCode).toBe(0);
  expect(await profilesOf(home)).toEqual([]);
});
