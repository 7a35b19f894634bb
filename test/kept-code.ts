import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** Where Node.js keeps the compiled code of sources and tests. It replaces the code of a file that has changed. */
export const codeDirectory = resolve('node_modules/.cache/weir-tests');

/**
 * The environment in which a simulator that a test starts from the sources finds its code compiled, unless the source has
 * changed since the last `npm test`. Reading it takes a fifth of a second of processor time otherwise.
 */
export const keptCode = { NODE_COMPILE_CACHE: codeDirectory };

if (import.meta.main) {
  // What the simulators load. They are killed in the end, and Node.js keeps the code when a program ends by itself.
  enableCompileCache(codeDirectory);
  await import('../src/sandbox/simulated/options.ts');
  await import('../src/sandbox/broker/server.ts');
  await import('../src/sandbox/admin/admin-api.ts');
  await import('../src/sandbox/admin/program-options.ts');
  await import('../src/sandbox/admin/kafka-view.ts');
  await import('../src/sandbox/cloud/control-plane.ts');
}
