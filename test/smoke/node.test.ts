import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../world.ts';

const weir = resolve('bin/weir.js');
const node = resolve('node_modules/node/bin/node');
const home = temporaryDirectory();
const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
const options = { env, extendEnv: false, reject: false, timeout: 230_000 } as const;

describe('an old Node', () => {
  const oldNode = (() => {
    // The guard reads process.versions only: a preloaded module makes any Node old.
    const preload = join(home, 'old.cjs');
    writeFileSync(
      preload,
      `if (!process.env.NODE_OF_WEIR) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });`,
    );
    const file = join(home, 'old-node');
    writeFileSync(file, `#!/bin/sh\nexec '${node}' --require '${preload}' "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  })();

  test('runs weir with the Node of the checkout and passes on its exit code', async () => {
    const { stdout, exitCode } = await execa(oldNode, [weir, '--version'], options);
    expect({ stdout, exitCode }).toEqual({ stdout: 'weir 0.1.0', exitCode: 0 });
    expect((await execa(oldNode, [weir, 'nonsense'], options)).exitCode).toBe(2);
  });

  test('leaves Ctrl-C on a terminal to weir, which gets it once', async () => {
    const copy = join(home, 'signals');
    for (const name of ['bin', 'dist', 'node_modules/node/bin']) mkdirSync(join(copy, name), { recursive: true });
    for (const name of ['bin/weir.js', 'bin/old-node.js', 'package.json']) copyFileSync(name, join(copy, name));
    symlinkSync(node, join(copy, 'node_modules/node/bin/node'));
    writeFileSync(
      join(copy, 'dist/main.js'),
      `export function runProcess() {
        let count = 0;
        process.on('SIGINT', () => {
          count += 1;
          if (count === 1) setTimeout(() => process.exit(console.log(count + ' signal')), 200);
        });
        setTimeout(() => {}, 60_000);
        console.log('ready');
      }`,
    );
    const script = 'set timeout 80; spawn -noecho $env(NODE) $env(WEIR); expect ready; send "\\003"; expect eof';
    const { stdout } = await execa('expect', ['-c', script], {
      ...options,
      env: { ...env, NODE: oldNode, WEIR: join(copy, 'bin/weir.js') },
    });
    expect(stdout).toContain('1 signal');
  });

  test('is told in one line, exit 2, where the checkout has no Node', async () => {
    const copy = join(home, 'copy');
    mkdirSync(join(copy, 'bin'), { recursive: true });
    for (const name of ['bin/weir.js', 'bin/old-node.js', 'package.json']) {
      copyFileSync(name, join(copy, name));
    }
    const { stdout, stderr, exitCode } = await execa(oldNode, [join(copy, 'bin/weir.js'), '--version'], options);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe('weir: Node.js 20.1.0 is too old: weir needs 22.19 or newer');
  });

  test("the machine's own Node, whatever it is, works", async () => {
    const { stdout, exitCode } = await execa(weir, ['--version'], options);
    expect({ stdout, exitCode }).toEqual({ stdout: 'weir 0.1.0', exitCode: 0 });
  });
});

test('a checkout that is not built says so', async () => {
  const copy = join(home, 'unbuilt');
  mkdirSync(join(copy, 'bin'), { recursive: true });
  for (const name of ['bin/weir.js', 'package.json']) copyFileSync(name, join(copy, name));
  const { stderr, exitCode } = await execa(node, [join(copy, 'bin/weir.js'), '--version'], options);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is not built');
});
