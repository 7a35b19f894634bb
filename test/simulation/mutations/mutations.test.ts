import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutated } from './mutation.ts';
import { mutations } from './mutations.ts';

const src = fileURLToPath(new URL('../../../src', import.meta.url));

test('every listed defect can be inserted into the sources as they are', async () => {
  const failures: string[] = [];
  for (const mutation of mutations) {
    for (const { file } of [mutation, ...(mutation.also ?? [])]) {
      const path = `${src}/${file}`;
      try {
        mutated(mutation, path, await readFile(path, 'utf8'));
      } catch (error) {
        failures.push(String(error));
      }
    }
  }
  expect(failures).toEqual([]);
});
