import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * An import statement of one of Node's modules reads every getter that it has (node:fs loads thirty more modules so);
 * asked for as here, a module gives what is used, and the heavy ones load with the first call: 2 to 6 ms of every start.
 */
export const builtins: Plugin = {
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
