import { enableCompileCache, registerHooks, setSourceMapsSupport } from 'node:module';
import { registerEnds } from './at-end.ts';
import { codeDirectory } from './kept-code.ts';

// Vitest runs this before every test file.
registerEnds();

const known = globalThis as { weirResolves?: true };

const query = /\?vitest=\d+$/;
/** How often this worker has loaded a test file, or this one. */
const loads = new Map<string, number>();

/**
 * Resolves relative imports, which are exact paths here, and modules of Node.js. Vitest would tell its main process of each
 * one of them, and a command imports dozens of modules whenever it runs. What Vitest itself imports has the time in its URL;
 * a number instead is the same in every run, so that its code is found compiled, and as much is kept as there are files.
 */
function resolve(specifier: string, parentUrl: string | undefined): { url: string; format: string } | undefined {
  if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin' };
  if (query.test(specifier)) {
    const url = specifier.replace(query, '');
    const count = loads.get(url) ?? 0;
    loads.set(url, count + 1);
    return { url: count === 0 ? url : `${url}?${count}`, format: 'module-typescript' };
  }
  const isSource = specifier.startsWith('.') && specifier.endsWith('.ts') && parentUrl?.startsWith('file:');
  return isSource ? { url: new URL(specifier, parentUrl).href, format: 'module-typescript' } : undefined;
}

if (known.weirResolves === undefined) {
  known.weirResolves = true;
  enableCompileCache(codeDirectory);
  // Node.js keeps the lines and columns of what it runs: there is nothing to map.
  setSourceMapsSupport(false);
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = resolve(specifier, context.parentURL);
      return resolved === undefined ? next(specifier, context) : { ...resolved, shortCircuit: true };
    },
  });
}
