import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executable, runner, weir } from '../built.ts';
import { endlessGrace } from '../grace.ts';
import { temporaryDirectory } from '../world.ts';

const node = resolve('node_modules/node/bin/node');
const home = temporaryDirectory();
const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
const options = { env, extendEnv: false, reject: false, timeout: 230_000 } as const;

/** Runs the built binary with nothing of this process's environment. */
function run(args: readonly string[], more: Record<string, unknown> = {}) {
  return execa(runner, [weir, ...args], { ...options, stdin: 'ignore', ...more });
}

describe('the built binary', () => {
  test('ends at the command timeout although nobody reads its output', async () => {
    const config = join(temporaryDirectory(), 'weir.yaml');
    const profiles = Array.from({ length: 2_000 }, (_, at) => `  - name: p${at}\n    description: ${'x'.repeat(80)}\n`);
    writeFileSync(config, `profiles:\n${profiles.join('')}`, { mode: 0o600 });
    const words = ['profile', 'list', '--format', 'json', '--config', config, '-X', 'globals.command_timeout=3s'];
    // The output is larger than the pipe and Node.js hold, and is not read.
    const child = spawn(runner, [weir, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [exitCode] = await once(child, 'exit', { signal: AbortSignal.timeout(80_000) }).finally(() => child.kill(9));
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringContaining('timed out (globals.command_timeout=3s from -X globals.command_timeout)'),
    ]);
  });

  test('L2: prints its version in one line', async () => {
    const { stdout, stderr, exitCode } = await run(['--version']);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'weir 0.1.0', stderr: '', exitCode: 0 });
  });

  test('runs through a link, from any directory', async () => {
    const link = join(home, 'weir');
    symlinkSync(weir, link);
    const { stdout, exitCode } = await execa(runner, [link, '--version'], { ...options, cwd: '/' });
    expect({ stdout, exitCode }).toEqual({ stdout: 'weir 0.1.0', exitCode: 0 });
  });

  test.each([
    [['--help'], 0],
    [['-X', 'list'], 0],
    [['help', 'exit-codes'], 0],
    [['nonsense'], 2],
    [['topic', 'list', '-X', 'nonsense=1'], 2],
    [['topic', 'list', '-X', 'globals.no_default_cluster=true'], 2],
    [['profile', 'use', 'nonsense'], 3],
    [['topic', 'list', '-X', 'brokers=127.0.0.1:1', '-X', 'globals.retry_timeout=0'], 5],
  ])('%j exits with %i', async (args, expected) => {
    const { exitCode, stderr } = await run(args);
    expect(stderr.includes('    at ')).toBe(false);
    expect(exitCode).toBe(expected);
  });

  test('needs no terminal, no home and no writable cache', async () => {
    const bare = { PATH: process.env.PATH };
    const { stdout, stderr, exitCode } = await run(['config', 'show', 'brokers', '--format', 'json'], { env: bare });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});

test('files in the working directory do not change how weir runs', async () => {
  const place = temporaryDirectory();
  writeFileSync(join(place, '.env'), 'WEIR_BROKERS=other.example:1\nNODE_OPTIONS=--nonsense\n');
  writeFileSync(join(place, 'bunfig.toml'), 'preload = ["./loaded.js"]\n');
  writeFileSync(join(place, 'loaded.js'), 'process.exit(7)');
  const { stdout, exitCode } = await run(['config', 'show', 'brokers', '--format', 'json'], { cwd: place });
  expect({ source: JSON.parse(stdout)[0].source, exitCode }).toEqual({ source: 'default', exitCode: 0 });
});

describe('the end of the process', () => {
  // Stands for a host name that the system still looks up: nothing in weir can let go of it.
  const held = { ...env, NODE_OPTIONS: '--import=data:text/javascript,setInterval(()=>{},1e9)' };

  test('is not held up by what cannot be cancelled', async () => {
    const { stdout, exitCode } = await run(['--version'], { env: held });
    expect({ stdout, exitCode }).toEqual({ stdout: 'weir 0.1.0', exitCode: 0 });
  });

  test('is not held up by a thread, such as one that looks up a name', async () => {
    const fifo = join(home, 'fifo');
    await execa('mkfifo', [fifo]);
    // Node.js opens it in a thread, which waits for a writer.
    const waits = `--import=data:text/javascript,import{open}from'node:fs';open('${fifo}','r',()=>{})`;
    const inThread = { env: { ...env, NODE_OPTIONS: waits }, timeout: 60_000 };
    expect(await run(['--version'], inThread)).toMatchObject({ stdout: 'weir 0.1.0', stderr: '', exitCode: 0 });
    expect(await run(['nonsense'], inThread)).toMatchObject({ stdout: '', exitCode: 2 });
  });

  test('waits for a slow reader all the same', async () => {
    const long = Array.from({ length: 15_000 }, (_, number) => `h${number}`).join();
    const script = `"$@" | { sleep 0.6; wc -c; }`;
    const args = [runner, weir, 'config', 'show', 'brokers', '--format', 'json', '-X', `brokers=${long}`];
    const { stdout } = await execa('bash', ['-c', script, 'bash', ...args], { ...options, env: held });
    expect(Number(stdout)).toBeGreaterThan(long.length);
  });
});

describe('output', () => {
  test('loses nothing of an error that is longer than the pipe, for a slow reader', async () => {
    const script = `"$@" 2>&1 >/dev/null | { sleep 0.6; wc -c; }`;
    const args = [runner, weir, 'rpk', 'topic', 'list', 'x'.repeat(100_000)];
    const { stdout } = await execa('bash', ['-c', script, 'bash', ...args], options);
    expect(Number(stdout)).toBeGreaterThan(100_000);
  });

  test('S3: says nothing when the reader goes away', async () => {
    const script = `"$0" "$1" help --json | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await execa('bash', ['-c', script, runner, weir], options);
    // A small output may fit into the pipe before the reader closes it.
    expect(['0', '141']).toContain(stdout);
    expect(stderr).toBe('');
  });

  test('O4, S3: ends with 141 in the middle of a long output', async () => {
    const program = writeProgram(`await printer.write(Buffer.alloc(1 << 16)); await printer.flush()`, 1000);
    const piped = `{ "$0" "$1" || echo $? >&3; } 3>"$2" | head -c 100 >/dev/null`;
    const codes = join(home, 'codes');
    await execa('bash', ['-c', piped, node, program, codes], options);
    expect(readFileSync(codes, 'utf8')).toBe('141\n');
  });

  test('S4: loses nothing of 10 MB for a slow reader', async () => {
    const program = writeProgram(`await printer.write(Buffer.alloc(10_000))`, 1000);
    const child = spawn(node, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let received = 0;
    for await (const chunk of child.stdout) {
      received += chunk.length;
      if (received % 50 === 0) await new Promise((done) => setTimeout(done, 1));
    }
    expect(received).toBe(10_000_000);
  });

  test('loses nothing of one write of 10 MB', async () => {
    const program = writeProgram(`await printer.write(Buffer.alloc(10_000_000))`, 1);
    const { stdout } = await execa('bash', ['-c', `"$0" "$1" | { sleep 0.3; wc -c; }`, node, program], options);
    expect(stdout.trim()).toBe('10000000');
  });
});

/** A program that prints through weir's own output, as often as it is told. */
function writeProgram(body: string, times: number): string {
  const file = join(home, `program-${Math.random().toString(36).slice(2)}.ts`);
  writeFileSync(
    file,
    `import { createPrinter } from '${resolve('src/cli/output/output.ts')}';
import { reportError } from '${resolve('src/cli/output/report.ts')}';
const printer = createPrinter({ stream: process.stdout, isTerminal: false, columns: undefined });
const host = { env: {}, stderr: { stream: process.stderr, isTerminal: false } };
try {
  for (let time = 0; time < ${times}; time++) { ${body} }
  await printer.flush();
} catch (error) {
  process.exitCode = await reportError(error, host, { format: 'text', verbosity: 0, color: 'auto' });
}
`,
  );
  return file;
}

test.each(['config show', 'help --json', 'topic --help'])('%s on a full disk prints one error', async (line) => {
  const script = `"$0" "$1" ${line} > /dev/full`;
  const { stderr, exitCode } = await execa('sh', ['-c', script, runner, weir], options);
  expect(stderr).toMatch(/^weir: unable to write to standard output: ENOSPC[^\n]*$/);
  expect(exitCode).toBe(1);
});

test('a deleted working directory is an error only where it is needed', async () => {
  const script = `d=$(mktemp -d); cd "$d"; rmdir "$d"; "$0" "$1" config show brokers "$2" "$3"`;
  const inDeleted = (...words: readonly string[]) => execa('sh', ['-c', script, runner, weir, ...words], options);
  if (executable !== undefined) {
    // Bun ends in one before it runs anything.
    const { stderr, exitCode } = await inDeleted();
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('working directory was deleted'),
      exitCode: 1,
    });
    return;
  }
  expect((await inDeleted('--config', join(home, 'none.yaml'))).stderr).not.toContain('working directory');
  expect((await inDeleted('--format', 'json')).exitCode).toBe(0);
  const { stderr, exitCode } = await inDeleted('--config', 'weir.yaml');
  expect(stderr).toContain('weir: the working directory no longer exists\nhint: ');
  expect(exitCode).toBe(1);
});

describe('signals', () => {
  let silent: Server;
  let address = '';
  beforeAll(async () => {
    silent = createServer(() => {}); // takes connections and never says a word
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const bound = silent.address();
    address = typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : '';
  });
  afterAll(() => void silent.close());

  /** Sends signals to a weir that waits for a silent broker. */
  async function interrupted(...signals: readonly NodeJS.Signals[]) {
    const connected = new Promise((done) => silent.once('connection', done));
    const child = run(['topic', 'list', '-X', `brokers=${address}`], { env: { ...env, ...endlessGrace } });
    await connected;
    for (const signal of signals) child.kill(signal);
    return await child;
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'S1, S2: %s stops cleanly and is what ends the process',
    async (name) => {
      const { signal, stdout, stderr } = await interrupted(name);
      expect({ signal, stdout }).toEqual({ signal: name, stdout: '' });
      expect(stderr).toMatch(/^stopping/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  test('O4, S1: a shell sees 130 after Ctrl-C', async () => {
    const connected = new Promise((done) => silent.once('connection', done));
    const script = `"$0" "$1" topic list -X brokers=${address} & child=$!; read -r; kill -INT $child; wait $child; echo $?`;
    // A child in the background of a shell ignores SIGINT unless the shell controls jobs.
    const shell = execa('bash', ['-mc', script, runner, weir], { ...options, stdin: 'pipe' });
    await connected;
    shell.stdin.end('\n');
    const { stdout } = await shell;
    expect(stdout.trim().split('\n').at(-1)).toBe('130');
  });
});
