import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../src/sandbox/ports.ts';
import { runner, weir } from '../built.ts';
import { readPage, textOf } from '../guides/blocks.ts';
import { temporaryDirectory } from '../world.ts';

const home = temporaryDirectory();
const command = join(home, 'weir');
writeFileSync(command, `#!/bin/sh\nexec '${runner}' '${weir}' "$@"\n`);
chmodSync(command, 0o755);

/** Runs a script in a real bash, with the built binary and nothing of this process's environment. */
function bash(script: string, input = '') {
  const env = { PATH: `${home}:${process.env.PATH}`, HOME: home };
  return execa('bash', ['-c', script], { cwd: home, env, extendEnv: false, reject: false, input });
}

beforeAll(async () => {
  const [port] = await freePorts(1);
  expect(await bash(`weir sandbox start --engine simulated --port ${port} --quiet`)).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await bash('weir sandbox purge --yes --quiet');
});

test('the script of the scripting guide does its work, and stops where a line fails', async () => {
  const page = readPage('docs/guides/scripting.md');
  const [script = ''] = page.blocks.filter(({ language }) => language === 'bash').map((block) => textOf(page, block));
  writeFileSync(join(home, 'deliveries.csv'), 'ana,2\nben,3\ncai,1\n');
  const all = await bash(script);
  expect({ stdout: all.stdout, exitCode: all.exitCode }, all.stderr).toEqual({ stdout: '', exitCode: 0 });
  expect(readFileSync(join(home, 'deliveries.ndjson'), 'utf8').split('\n').length - 1).toBe(3);
  // Without the file, nothing after that line runs.
  writeFileSync(join(home, 'deliveries.ndjson'), '');
  const stopped = await bash(script.replace('< deliveries.csv', '< missing.csv'));
  expect(stopped).toMatchObject({ stdout: '', exitCode: 1 });
  expect(readFileSync(join(home, 'deliveries.ndjson'), 'utf8')).toBe('');
}, 120_000);

test('a loop over lines loses none of them to weir, which leaves standard input alone', async () => {
  const loop = 'while read -r name; do weir version > /dev/null; weir topic list > /dev/null; echo "$name"; done';
  expect(await bash(loop, 'a\nb\nc\n')).toMatchObject({ stdout: 'a\nb\nc', exitCode: 0 });
}, 60_000);

test('records come whole from a pipe that another program has made non-blocking', async () => {
  // Node.js does so, and is given no time to undo it.
  const node = `'${resolve('node_modules/node/bin/node')}' -e 'process.stdin; process.kill(process.pid, "SIGKILL")'`;
  await bash('weir topic create late');
  const produced = await bash(`(echo a; sleep 0.3; echo b) | { ${node}; weir topic produce late; }`);
  expect(produced.exitCode, produced.stderr).toBe(0);
  expect(await bash("weir topic consume late -o :end -f '%v\\n'")).toMatchObject({ stdout: 'a\nb', exitCode: 0 });
}, 60_000);
