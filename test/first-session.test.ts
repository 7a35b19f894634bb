import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { freePorts } from '../src/sandbox/ports.ts';
import { weir } from './built.ts';
import { temporaryDirectory } from './world.ts';

const home = temporaryDirectory();
const bin = join(home, 'bin');
mkdirSync(bin);
symlinkSync(weir, join(bin, 'weir'));
for (const name of ['sh', 'env', 'sleep']) symlinkSync(`/bin/${name}`, join(bin, name));
symlinkSync(resolve('node_modules/node/bin/node'), join(bin, 'node'));
/** The environment of a machine without Java and containers. */
const env = { PATH: bin, HOME: home };

/** Reads the command lines of the README's first session and the output shown for each. */
function session(): readonly { readonly line: string; readonly shown: string }[] {
  const readme = readFileSync('README.md', 'utf8');
  const block = /## A first session\n\n```console\n([^`]*)```/.exec(readme)?.[1] ?? '';
  return [...block.matchAll(/^\$ (.*)\n((?:[^$\n].*\n)*)/gm)].map(([, line = '', shown = '']) => ({ line, shown }));
}

test('the first session of the README works as printed, on a machine without Java', async () => {
  const steps = session();
  expect(steps.length).toBeGreaterThan(4);
  try {
    const [port] = await freePorts(1);
    for (const { line: printed, shown } of steps) {
      // Other tests may use the default port at the same time.
      const line = printed.replace(/^weir sandbox start$/, `$& --port ${port}`);
      const { all, exitCode, stderr } = await execa('sh', ['-c', line], {
        ...{ env, extendEnv: false, reject: false, stripFinalNewline: false, timeout: 60_000, all: true },
      });
      expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      if (shown !== '') expect(all, line).toBe(shown);
    }
  } finally {
    await execa('weir', ['sandbox', 'purge', '--yes'], { env, extendEnv: false, reject: false });
  }
});

test('the demo runs without Java', async () => {
  const outcome = await execa(join(bin, 'node'), ['test/demo/demo.ts'], {
    ...{ env, extendEnv: false, reject: false, all: true, timeout: 200_000 },
  });
  expect(outcome.exitCode, outcome.all).toBe(0);
  expect(outcome.all).toContain('simulated Kafka');
  expect(outcome.all).toContain('equal: 5000 records, every byte');
});
