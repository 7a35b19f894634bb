import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, inject } from 'vitest';
import { type CodeCounter, countCode } from './covered-lines.ts';
import { recordedName } from './recorded-name.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the code that each test file runs is written, and the root of the copy. */
    readonly recording: { readonly directory: string; readonly root: string };
  }
}

// A worker runs many test files, and this file before each of them.
const worker = globalThis as { weirCodeCounter?: CodeCounter };
const { directory, root } = inject('recording');
worker.weirCodeCounter ??= await countCode(pathToFileURL(`${root}/`).href);
const counter = worker.weirCodeCounter;
await counter.take();

afterAll(async () => {
  const ranges = Object.entries(await counter.take()).filter(([path]) => path.startsWith('src/'));
  const file = (expect.getState().testPath ?? '').slice(root.length + 1);
  await writeFile(join(directory, recordedName(file)), JSON.stringify(Object.fromEntries(ranges)));
});
