import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { openStage } from '../transcripts/stage.ts';
import { temporaryDirectory } from '../world.ts';

/** Appends each file that Node.js loads to the file named by a variable. */
const hook = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { env } from 'node:process';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(env.LOADED, new URL(url).pathname + '\\n');
    return next(url, context);
  },
});
`;

/** The files that a line loads, in order. */
async function filesOf(
  line: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<readonly string[]> {
  const home = temporaryDirectory();
  const [loaded, preload] = [join(home, 'loaded'), join(home, 'hook.mjs')];
  writeFileSync(preload, hook);
  const { exitCode } = await execa(
    'node_modules/node/bin/node',
    [`--import=${preload}`, 'bin/weir.js', ...line.split(' ')],
    {
      env: { ...env, HOME: home, LOADED: loaded },
      extendEnv: false,
      stdin: 'ignore',
    },
  );
  expect(exitCode).toBe(0);
  const files = readFileSync(loaded, 'utf8').trimEnd().split('\n');
  return files.filter((path) => path !== preload).map((path) => relative('.', path));
}

/** The sources in the bundles that a line loads. */
function sourcesIn(files: readonly string[]): readonly string[] {
  const bundled = files.filter((path) => path.startsWith('dist/'));
  return bundled.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^\/\/ (src\/.*)$/gm)].map(([, one = '']) => one),
  );
}

test('weir --version loads what every command needs, and nothing else', async () => {
  const files = await filesOf('--version');
  expect(files.slice(0, 2)).toEqual(['bin/weir.js', 'dist/main.js']);
  expect(files.length).toBeLessThan(5);
  const clients = /^src\/(?:kafka|admin|registry|cloud|serde|sandbox|doctor|commands\/.*\/)/;
  expect(sourcesIn(files).filter((path) => clients.test(path))).toEqual([]);
});

test('weir topic list loads few files: its noun and the Kafka client', async () => {
  const stage = await openStage(['brokers']);
  try {
    const files = await filesOf('topic list', stage.env);
    expect(files.length).toBeLessThan(27);
    const sources = sourcesIn(files);
    expect(sources).toContain('src/commands/topic/list.ts');
    // The words of a registry are those of flags that a chunk may share.
    const others =
      /^src\/(?:registry\/(?!.*-words)|(?:cloud|serde|sandbox|doctor)\/)|^src\/commands\/(?!topic\/).*index\.ts$/;
    expect(sources.filter((path) => others.test(path) && path !== 'src/commands/index.ts')).toEqual([]);
  } finally {
    await stage.close();
  }
});
