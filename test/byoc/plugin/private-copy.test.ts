import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withPrivateCopy } from '../../../src/byoc/plugin/private-copy.ts';
import { temporaryDirectory } from '../../world.ts';

test('each run has its own copy, however many begin and end at once', async () => {
  const directory = temporaryDirectory();
  const content = '#!/bin/sh';
  const path = join(directory, `plugin.${createHash('sha256').update(content).digest('hex')}`);
  writeFileSync(path, content);
  const copies: string[] = [];
  const runs = async () => {
    for (let at = 0; at < 25; at += 1) {
      await withPrivateCopy(path, directory, async (file) => {
        expect(readFileSync(file, 'utf8')).toBe(content);
        copies.push(file);
      });
    }
  };
  await Promise.all([runs(), runs(), runs()]);
  expect(new Set(copies).size).toBe(75);
  expect(readdirSync(join(directory, '.runs'))).toEqual([]);
});
