import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { manPages } from '../src/cli/help/man.ts';
import { commands } from '../src/commands/index.ts';

// An import statement of one of Node's modules reads every getter that it has (node:fs loads thirty more modules
// so); asked for as here, a module gives what is used, and the heavy ones load with the first call: 2 to 6 ms of
// every start.
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer, kind }) => {
      // Of commander only the parser is used, not its help, exits and child processes.
      const unused = path !== 'node:events' && /[\\/]node_modules[\\/]commander[\\/]/.test(importer);
      const namespace =
        unused && path !== 'node:process' ? 'unused' : kind === 'require-call' ? 'required' : 'imported';
      // One for every importer: else what one of them uses would be a chunk that is loaded for all. Named from here, so
      // that two checkouts build the same bytes.
      return { path, namespace, sideEffects: false, suffix: `?${relative('.', importer)}` };
    });
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'export default {}; export const stripVTControlCharacters = String;',
    }));
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = ${whole(path)};` }));
    onLoad({ filter: /.*/, namespace: 'imported' }, async ({ path }) => {
      const module: Record<string, unknown> = await import(path);
      const names = Object.keys(module).filter((name) => /^[\w$]+$/.test(name) && name !== 'default');
      const exported = names.filter((name) => name !== 'module.exports').map((name) => one(path, name, module[name]));
      return { contents: `export default ${whole(path)};\n${exported.join('\n')}` };
    });
  },
};

function whole(path: string): string {
  return path === 'node:process' ? 'process' : `/* @__PURE__ */ process.getBuiltinModule('${path}')`;
}

const heavy = /^node:(fs\/promises|timers\/promises|crypto|os|tls|zlib|http|readline|child_process)$/;

/** Whether a symbol of its own tells `util.promisify` how to treat the function: what stands for it would not have it. */
function isPromisified(value: object): boolean {
  return Object.getOwnPropertySymbols(value).some(({ description }) => /promisify/i.test(description ?? ''));
}

/** One export of a module, gone from the bundle where nobody uses it. */
function one(path: string, name: string, value: unknown): string {
  // Functions only: not classes, nor those that util.promisify treats in a way of their own.
  const deferred = heavy.test(path) && /^[a-z]/.test(name) && typeof value === 'function' && !isPromisified(value);
  if (deferred) return `export const ${name} = (...args) => process.getBuiltinModule('${path}').${name}(...args);`;
  return `export const ${name} = /* @__PURE__ */ (() => ${whole(path)}.${name})();`;
}

// The sources ask Node.js for this package when they first need it; the bundle has it inside, evaluated as late.
const widths: Plugin = {
  name: 'widths',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]src[\\/]format[\\/]table\.ts$/ }, async ({ path }) => {
      const [before, after] = (await readFile(path, 'utf8')).split("load('string-width')");
      if (before === undefined || after === undefined) throw new Error(`${path} does not load string-width`);
      return { loader: 'ts', contents: `${before}require('string-width')${after}` };
    });
  },
};

const options: BuildOptions = {
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  // The modules of these packages that dynamic import() finds names in.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  mainFields: ['module', 'main'],
  // Packages in CommonJS ask for Node's own modules with require().
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
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
