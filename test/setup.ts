import { registerHooks } from 'node:module';
import { registerEnds } from './at-end.ts';

// Vitest runs this before every test file.
registerEnds();

const known = globalThis as { weirResolves?: true };

/**
 * Resolves relative imports, which are exact paths here. Vitest would tell its main process of each one of them, and a
 * command imports dozens of modules whenever it runs.
 */
if (known.weirResolves === undefined) {
  known.weirResolves = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.startsWith('file:')
        ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  });
}
