import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** The sources ask Node.js for this package when they first need it; the bundle has it inside, evaluated as late. */
const widths: Plugin = {
  name: 'widths',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]src[\\/]format[\\/]width\.ts$/ }, async ({ path }) => {
      const [before, after] = (await readFile(path, 'utf8')).split("load('string-width')");
      if (before === undefined || after === undefined) throw new Error(`${path} does not load string-width`);
      return { loader: 'ts', contents: `${before}require('string-width')${after}` };
    });
  },
};

/** What every bundle is made with. */
const bundled: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  minifySyntax: true,
  // The modules of these packages that dynamic import() finds names in.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  mainFields: ['module', 'main'],
  // Packages in CommonJS ask for Node's own modules with require().
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
};

/** What a bundle is made of. */
interface Bundle {
  /** The modules where it begins, by the names of their files. */
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly outdir: string;
  /** What the platform that it is for needs besides. */
  readonly plugins?: readonly Plugin[];
  readonly define?: Readonly<Record<string, string>>;
}

/** Bundles weir into a file that every command needs, and files that are loaded later. */
export async function bundleWeir(bundle: Bundle): Promise<Metafile> {
  const options: BuildOptions = { ...optionsOf(bundle), splitting: true, chunkNames: 'chunks/[name]-[hash]' };
  const plugins = options.plugins ?? [];
  joinFiles(await findLater(options));
  return (await build({ ...options, metafile: true, plugins: [joined, ...plugins] })).metafile;
}

/** Bundles programs and threads of their own; they share no file with the rest. */
export async function bundlePrograms(bundle: Bundle): Promise<void> {
  await build({ ...optionsOf(bundle), splitting: false });
}

function optionsOf({ entryPoints, outdir, plugins = [], define = {} }: Bundle): BuildOptions {
  return { ...bundled, entryPoints: { ...entryPoints }, outdir, define: { ...define }, plugins: [widths, ...plugins] };
}

// What every command needs is one file: a module that is loaded later imports src/main.ts as well, so that
// esbuild sees no reason to cut what main.ts reaches into pieces. Each file more costs half a millisecond: without
// this `weir --version` takes 10 ms longer (42 instead of 32 ms; bare node 24).
const core = resolve('src/main.ts');
const alsoCore = [
  'src/format/table.ts',
  'src/format/width.ts',
  'src/format/time.ts',
  'src/format/topic-name-fault.ts',
  'src/format/order.ts',
  'src/format/name-lists.ts',
  'src/format/partition-name.ts',
  'src/config/settings/provenance.ts',
].map((path) => resolve(path));

/** What a module imports on top of what it says, by its path. It costs nothing: the process has loaded it by then. */
const alsoImports = new Map<string, readonly string[]>([[core, alsoCore]]);

/**
 * Finds the modules that are loaded later, and the modules that each of them needs at once. In a first build: a
 * module may be read before it is known to be one of them.
 */
async function findLater(options: BuildOptions): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { metafile } = await build({ ...options, write: false, metafile: true });
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
 * one file. What three nouns need is loaded with each module that needs any of it, with its noun nearly always. Without
 * this `weir topic list` reads 32 files instead of 21.
 */
function joinFiles(later: ReadonlyMap<string, ReadonlySet<string>>): void {
  const nouns = [...later].filter(([path]) => /^src\/commands\/(?:[^/]+\/index|[^/]+)\.ts$/.test(path));
  const users = (one: string): number => nouns.filter(([, needed]) => needed.has(one)).length;
  const common = new Set(nouns.flatMap(([, needed]) => [...needed].filter((one) => users(one) >= 3)));
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
