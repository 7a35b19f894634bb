import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

// An import statement of one of Node's modules reads every getter that it has (node:fs loads thirty more
// modules so); asked for as here, a module gives what is used. The promises of node:fs come with the first call.
const promises = Object.keys(await import('node:fs/promises')).filter((name) => name !== 'default');
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      // Of commander only the parser is used, not its help, exits and child processes.
      const unused = path !== 'node:events' && /[\\/]node_modules[\\/]commander[\\/]/.test(importer);
      return { path: unused ? `unused:${path}` : path, namespace: 'builtin' };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      if (path === 'node:process' || path === 'unused:node:process') return { contents: 'module.exports = process;' };
      if (path.startsWith('unused:')) return { contents: 'module.exports = {};' };
      if (path !== 'node:fs/promises') return { contents: `module.exports = process.getBuiltinModule('${path}');` };
      const lines = promises.map((name) => `get ${name}() { return fs.promises.${name}; }`);
      return { contents: `const fs = process.getBuiltinModule('node:fs');\nmodule.exports = {${lines.join(', ')}};` };
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
  external: ['*.node'],
  // Packages in CommonJS ask for Node's own modules with require().
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
};

// What every command needs is one file: a module that is loaded later imports src/main.ts as well, so that
// esbuild sees no reason to cut what main.ts reaches into pieces. Each file more costs half a millisecond.
const core = resolve('src/main.ts');
const alsoCore = ['src/format/table.ts', 'src/format/time.ts', 'src/cli/schema.ts'].map((path) => resolve(path));
const later = new Set<string>();

/** Finds the modules that are loaded later. A first build of its own: one may be read before it is found to be. */
const findLater: Plugin = {
  name: 'find-later',
  setup(builder) {
    builder.onResolve({ filter: /./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
      const found = await builder.resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
      later.add(found.path);
      return found;
    });
  },
};

const oneCore: Plugin = {
  name: 'one-core',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (path !== core && !later.has(path)) return undefined;
      const contents = await readFile(path, 'utf8');
      // A package in CommonJS shares nothing with the core.
      if (!/^(import|export)\b/m.test(contents)) return undefined;
      const more = (path === core ? alsoCore : [core]).map((other) => `\nimport ${JSON.stringify(other)};`);
      return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents: contents + more.join('') };
    });
  },
};

await build({ ...options, write: false, plugins: [findLater, builtins] });
const { metafile } = await build({ ...options, metafile: true, plugins: [oneCore, builtins] });

// The banner stays where require() is called only: making one takes time at every start.
for (const path of Object.keys(metafile.outputs)) {
  const [banner = '', ...body] = (await readFile(path, 'utf8')).split('\n');
  const code = body.join('\n');
  if (banner.includes('createRequire') && !/\brequire\b/.test(code)) await writeFile(path, code);
}

// Old chunks go after the new ones stand, so that a weir that is running finds its files.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of await readdir('dist/chunks')) if (!made.has(name)) await rm(`dist/chunks/${name}`);
