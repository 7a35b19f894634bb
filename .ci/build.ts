import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { manPages } from '../src/cli/help/man.ts';
import { commands } from '../src/commands/index.ts';
import { builtins, bundled, widths } from './bundle.ts';

const options: BuildOptions = {
  ...bundled,
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  // Packages in CommonJS ask for Node's own modules with require().
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
};

// What every command needs is one file: a module that is loaded later imports src/main.ts as well, so that
// esbuild sees no reason to cut what main.ts reaches into pieces. Each file more costs half a millisecond: without
// this `weir --version` takes 10 ms longer (42 instead of 32 ms; bare node 24).
const core = resolve('src/main.ts');
const alsoCore = ['src/format/table.ts', 'src/format/time.ts', 'src/config/resolve/provenance.ts'].map((path) =>
  resolve(path),
);

/** What a module imports on top of what it says, by its path. It costs nothing: the process has loaded it by then. */
const alsoImports = new Map<string, readonly string[]>([[core, alsoCore]]);

/**
 * Finds the modules that are loaded later, and the modules that each of them needs at once. In a first build: a
 * module may be read before it is known to be one of them.
 */
async function findLater(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { metafile } = await build({ ...options, write: false, metafile: true, plugins: [widths, builtins] });
  const imports = new Map(
    Object.entries(metafile.inputs).map(([path, input]) => [path, input.imports.filter(({ external }) => !external)]),
  );
  const later = new Set(
    [...imports.values()].flat().flatMap(({ kind, path }) => (kind === 'dynamic-import' ? path : [])),
  );
  const neededBy = (path: string): ReadonlySet<string> => {
    const needed = new Set([path]);
    for (const one of needed)
      for (const { kind, path: other } of imports.get(one) ?? []) if (kind !== 'dynamic-import') needed.add(other);
    return needed;
  };
  const inCore = neededBy('src/main.ts');
  return new Map(
    [...later].map((path) => [path, new Set([...neededBy(path)].filter((one) => !inCore.has(one) && existsSync(one)))]),
  );
}

/**
 * Chooses what else is one file. A part of the Kafka client that is loaded later finds the client open: the rest is
 * one file. What five nouns need is loaded with each module that needs any of it, with its noun nearly always. Without
 * this `weir topic list` reads 54 files instead of 24.
 */
function joinFiles(later: ReadonlyMap<string, ReadonlySet<string>>): void {
  const nouns = [...later].filter(([path]) => /^src\/commands\/[^/]+\/index\.ts$/.test(path));
  const users = (one: string): number => nouns.filter(([, needed]) => needed.has(one)).length;
  const common = new Set(nouns.flatMap(([, needed]) => [...needed].filter((one) => users(one) >= 5)));
  for (const [path, needed] of later) {
    const kafka = /^src\/(kafka|doctor)\//.test(path) ? ['src/kafka/open.ts'] : [];
    const shared = [...needed].some((one) => common.has(one)) ? common : [];
    alsoImports.set(resolve(path), [core, ...[...kafka, ...shared].map((one) => resolve(one))]);
  }
}

const joined: Plugin = {
  name: 'joined',
  setup(builder) {
    builder.onResolve({ filter: /./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
      const found = await builder.resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
      if (found.namespace !== 'file') return found;
      if (isModule(await readFile(found.path, 'utf8'))) return found;
      return { path: relative('.', found.path), namespace: 'commonjs' };
    });
    builder.onLoad({ filter: /./, namespace: 'commonjs' }, ({ path }) => ({
      contents: `export { default } from ${JSON.stringify(resolve(path))};\nimport ${JSON.stringify(core)};`,
      resolveDir: dirname(resolve(path)),
    }));
    builder.onLoad({ filter: /\.[jt]s$/, namespace: 'file' }, async ({ path }) => {
      const others = alsoImports.get(path);
      const contents = others === undefined ? '' : await readFile(path, 'utf8');
      if (others === undefined || !isModule(contents)) return undefined;
      const more = others.filter((other) => other !== path).map((other) => `\nimport ${JSON.stringify(other)};`);
      return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents: contents + more.join('') };
    });
  },
};

function isModule(contents: string): boolean {
  return /^(import|export)\b/m.test(contents);
}

joinFiles(await findLater());
const { metafile } = await build({ ...options, metafile: true, plugins: [joined, widths, builtins] });

// Programs and threads of their own; they share no file with the core.
await build({
  ...options,
  entryPoints: {
    'control-plane': 'src/sandbox/cloud/entry.ts',
    'simulated-brokers': 'src/sandbox/simulated/entry.ts',
    'admin-api': 'src/sandbox/admin/entry.ts',
    'record-walk-worker': 'src/kafka/consume/walk-worker.ts',
  },
  splitting: false,
  plugins: [widths, builtins],
});

// The banner stays where require() is called only: making one takes time at every start.
for (const path of Object.keys(metafile.outputs)) {
  const [banner = '', ...body] = (await readFile(path, 'utf8')).split('\n');
  const code = body.join('\n');
  if (banner.includes('createRequire') && !/\brequire\b/.test(code)) await writeFile(path, code);
}

// Old chunks go after the new ones stand, so that a weir that is running finds its files.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of await readdir('dist/chunks')) if (!made.has(name)) await rm(`dist/chunks/${name}`);

// Each manual page says what its page in docs/commands/ says: as files in git, every change would be made twice.
await rm('dist/man', { recursive: true, force: true });
await mkdir('dist/man');
for (const [name, text] of await manPages(commands)) await writeFile(`dist/man/${name}`, text);
