import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

// Only commander's parser is used. It also names modules of Node for its own help, exits and child
// processes, and loading those takes a third of the time that weir has to start.
const leanCommander: Plugin = {
  name: 'lean-commander',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(child_process|fs|path|process|util)$/ }, ({ importer, path }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'lean' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean' }, ({ path }) => ({
      contents: `export default ${path === 'node:process' ? 'process' : '{}'};
export const stripVTControlCharacters = String;`,
    }));
  },
};

// What every command needs is one file: a chunk that is loaded later imports src/main.ts as well, so that
// esbuild sees no reason to cut what main.ts reaches into pieces. Each file more costs half a millisecond.
const core = resolve('src/main.ts');
const later = new Set<string>();
const oneCore: Plugin = {
  name: 'one-core',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(resolve(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      if (!later.has(path)) return undefined;
      return { loader: 'ts', contents: `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(core)};\n` };
    });
  },
};

const { metafile } = await build({
  metafile: true,
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
  external: ['*.node'],
  // Packages in CommonJS ask for Node's own modules with require().
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [oneCore, leanCommander],
});

// The banner stays where require() is called only: making one takes time at every start.
for (const path of Object.keys(metafile.outputs)) {
  const [banner = '', ...body] = (await readFile(path, 'utf8')).split('\n');
  const code = body.join('\n');
  if (banner.includes('nodeRequire') && !/\brequire\b/.test(code)) await writeFile(path, code);
}

// Old chunks go after the new ones stand, so that a weir that is running finds its files.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of await readdir('dist/chunks')) if (!made.has(name)) await rm(`dist/chunks/${name}`);
