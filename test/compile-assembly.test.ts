import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compiledModules } from './compile-assembly.ts';

test('the WebAssembly modules match their sources (npm run generate)', async () => {
  for (const [path, text] of await compiledModules()) expect(await readFile(path, 'utf8'), path).toBe(text);
});
