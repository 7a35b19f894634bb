import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { showHostPort } from '../../../src/net/address.ts';
import { deadAddress } from '../../services/dead-address.ts';
import { openStage } from '../../transcripts/stage.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

/** Runs commands that fill a cluster: topics with a record each, and groups that have read it. */
async function fill(env: NonNullable<World['env']>, topics: number, groups: number): Promise<void> {
  const names = Array.from({ length: topics }, (_, at) => `t${at}`);
  await run(['topic', 'create', ...names, '-p', '3'], { env });
  await run('topic produce -f "%t %v\\n"', { env, stdin: names.map((name) => `${name} x\n`).join('') });
  for (let at = 0; at < groups; at += 1) {
    await run(`group seek g${at} --to start --topics t0,t1 --allow-new-group --yes`, { env });
  }
}

/** Stops a command after some lines of output. */
function stoppedAfter(lines: number): Pick<World, 'onStart' | 'onStdout'> {
  let kill: (signal: 'SIGINT') => void = () => undefined;
  let left = lines;
  return {
    onStart: (send) => {
      kill = send;
    },
    onStdout(text) {
      left -= text.split('\n').length - 1;
      if (left <= 0) kill('SIGINT');
    },
  };
}

test('a round sends each broker one request of a kind, however many topics and groups there are', async () => {
  const stage = await openStage(['brokers=3']);
  try {
    await fill(stage.env, 30, 8);
    const home = temporaryDirectory();
    const line = 'top --format json --interval 100ms --trace trace.ndjson';
    const { stdout, exitCode } = await run(line, { env: stage.env, home, cwd: home, ...stoppedAfter(2) });
    expect(exitCode).toBe(130);
    const [first] = stdout.split('\n').map((one) => (one === '' ? undefined : JSON.parse(one)));
    expect([first.topics.length, first.groups.length, first.errors]).toEqual([30, 8, []]);
    const trace = readFileSync(join(home, 'trace.ndjson'), 'utf8').trimEnd().split('\n');
    const apis: string[] = trace.map((one) => JSON.parse(one).api);
    // The second round: in the first one, the connections are opened, the coordinators found, and the brokers asked for the
    // sizes of their logs, which simulated ones do not report.
    const [, from = 0, to] = apis.flatMap((api, at) => (api === 'Metadata' ? [at] : []));
    const counts: Record<string, number> = {};
    for (const api of apis.slice(from, to)) counts[api] = (counts[api] ?? 0) + 1;
    const { DescribeGroups = 0, OffsetFetch = 0, ...others } = counts;
    expect(others).toEqual({ Metadata: 1, DescribeCluster: 1, ListOffsets: 6, ListGroups: 3 });
    // To the coordinators only.
    expect([DescribeGroups, OffsetFetch].every((count) => count > 0 && count <= 3)).toBe(true);
  } finally {
    await stage.close();
  }
});

test('the health is that of the Admin API if its address is set and it answers', async () => {
  const stage = await openStage(['brokers', 'admin']);
  try {
    const shown = async (env: NonNullable<World['env']>) => {
      const { stdout, exitCode } = await run('top --once --interval 100ms --format json', { env });
      const { health_source: source, health } = JSON.parse(stdout);
      return [source, health.nodes_in_recovery_mode, exitCode];
    };
    expect(await shown(stage.env)).toEqual(['admin', [], 0]);
    await using dead = await deadAddress();
    expect(await shown({ ...stage.env, WEIR_ADMIN_HOSTS: showHostPort(dead.address) })).toEqual(['kafka', null, 0]);
  } finally {
    await stage.close();
  }
});

test('the live view says what is out of date while the cluster is away, goes on, and gives the screen back', async () => {
  const stage = await openStage(['brokers']);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await stage.close();
    isOpen = false;
  };
  try {
    await fill(stage.env, 2, 1);
    const typed = new PassThrough();
    let screen = '';
    const world: World = {
      env: { ...stage.env, TERM: 'xterm', LANG: 'C.UTF-8' },
      terminal: { stdout: 100, stderr: true, typed },
      onStdout: (text) => {
        screen += text;
      },
    };
    const running = run('top --interval 100ms', world);
    await expect.poll(() => screen, { timeout: 60_000 }).toMatch(/HEALTHY.*\[1 overview\].* {2}t0 /s);
    typed.write('3');
    await expect.poll(() => screen, { timeout: 60_000 }).toContain('> g0');
    await close();
    await expect.poll(() => screen, { timeout: 60_000 }).toContain('STALE');
    typed.write('q');
    const { stderr, exitCode } = await running;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(screen.startsWith('\u001b[?1049h')).toBe(true);
    expect(screen.endsWith('\u001b[?1049l')).toBe(true);
  } finally {
    await close();
  }
});

test('a trace on the terminal that the view fills is refused', async () => {
  const env = { WEIR_BROKERS: '127.0.0.1:1', TERM: 'xterm' };
  const terminal = { stdout: 80, stderr: true, typed: '' };
  expect(await run('top --trace - --color never', { env, terminal })).toEqual({
    stdout: '',
    stderr:
      'weir: unable to show a live view: --trace - writes to the same terminal\n' +
      'hint: write the trace to a file with: --trace FILE\n',
    exitCode: 2,
  });
});

test('a cluster that does not answer at first is an error like that of other commands', async () => {
  await using dead = await deadAddress();
  const env = { WEIR_BROKERS: showHostPort(dead.address), WEIR_GLOBALS_RETRY_TIMEOUT: '100ms', TERM: 'xterm' };
  const { stdout, stderr, exitCode } = await run('top', { env, terminal: { stdout: 80, typed: '' } });
  expect([stdout, exitCode]).toEqual(['', 5]);
  expect(stderr).toContain('unable to connect');
});
