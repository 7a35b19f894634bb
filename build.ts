import { readdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';

// commander names child processes for a feature that weir does not use, and loading them costs a tenth
// of the time that weir has to start.
const withoutChildProcesses: Plugin = {
  name: 'without-child-processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
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
  plugins: [withoutChildProcesses],
});

// Old chunks go after the new ones stand, so that a weir that is running finds its files.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of await readdir('dist/chunks')) if (!made.has(name)) await rm(`dist/chunks/${name}`);
