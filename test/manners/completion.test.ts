import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterSubjects } from '../../src/commands/complete/subjects.ts';
import { startFullListener } from '../services/full-listener.ts';
import { run, temporaryDirectory } from '../world.ts';

test('K1: completion prints a script, and install shows its file and asks; neither needs a network', async () => {
  let sockets = 0;
  const note = () => {
    sockets += 1;
  };
  subscribe('net.client.socket', note);
  const home = temporaryDirectory();
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const printed = await run(`completion ${shell}`, { home });
    expect(printed).toMatchObject({
      stdout: expect.stringContaining('# Completion of weir for '),
      stderr: '',
      exitCode: 0,
    });
    const asked = await run(`completion install ${shell}`, { home, terminal: { typed: 'n\n' } });
    const [, file = ''] = /^Create (\S+)\? \[y\/N\] /.exec(asked.stderr) ?? [];
    expect([file.startsWith(home), existsSync(file), asked.exitCode]).toEqual([true, false, 1]);
    await run(`completion install ${shell}`, { home, terminal: { typed: 'y\n' } });
    expect(existsSync(file)).toBe(true);
  }
  unsubscribe('net.client.socket', note);
  expect(sockets).toBe(0);
});

test('K2: completing a name never fails, asks or writes to stderr, whatever is on the line', async () => {
  const home = temporaryDirectory();
  writeFileSync(join(home, 'broken.yaml'), 'profiles: [');
  const lines = [
    ['a:b', 'topic', 'describe', 'x y', 'a:', '=', '-X', 'brokers=127.0.0.1:1'],
    ["it's", 'topic', 'describe', '"', '-X', 'brokers=::', '--profile'],
    ['', '-X', 'user=ana', '-X', 'brokers=127.0.0.1:1', '-X', 'admin.hosts=127.0.0.1:1', '--nope'],
    ['\u001b[2J', '--config', join(home, 'broken.yaml'), 'no', 'such', 'command'],
  ];
  const env = {
    WEIR_GLOBALS_RETRY_TIMEOUT: '1ms',
    WEIR_REGISTRY_HOSTS: 'http://127.0.0.1:1',
  };
  const terminal = { stdin: true, stdout: true, stderr: true, typed: 'never read\n' };
  const subjects = ['profiles', ...clusterSubjects.keys(), 'nothing', '../../x'];
  const tried = [
    ...lines.flatMap((line) => [
      ['topics', '--', ...line],
      ['groups', '--quoted', '--', ...line],
    ]),
    ...subjects.map((subject) => [`${subject}:described`, '--', '', '-X', 'user=ana', '-X', 'brokers=127.0.0.1:1']),
  ];
  for (const words of tried) {
    const outcome = await run(['__complete', ...words], { home, env, terminal });
    expect(outcome, words.join(' ')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  }
});

test('K2: a broker that never answers ends no later than 125 ms after the start', async () => {
  await using listener = await startFullListener();
  const limits: (number | undefined)[] = [];
  const outcomes = new Set<string>();
  // On a machine with other work, the time may be over before the broker is asked.
  while (limits.length === 0) {
    const outcome = await run('__complete topics -- x topic describe', {
      env: { WEIR_BROKERS: `127.0.0.1:${listener.address.port}` },
      uptimeMs: 40,
      onAbandon: (_, afterMs) => limits.push(afterMs),
    });
    outcomes.add(JSON.stringify(outcome));
  }
  expect([...outcomes].map((one) => JSON.parse(one))).toEqual([{ stdout: '', stderr: '', exitCode: 0 }]);
  expect(limits).toEqual([85]);
});
