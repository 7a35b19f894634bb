import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers, replaceFile } from '../../src/files/replace.ts';
import { temporaryDirectory } from '../world.ts';

const uuid = '01234567-89ab-cdef-0123-456789abcdef';

test('leftovers of the file are removed, and nothing else', async () => {
  const directory = temporaryDirectory();
  const own = `.a.yaml.${uuid}.tmp`;
  const foreign = [`.b.yaml.${uuid}.tmp`, `.xa.yaml.${uuid}.tmp`, '.a.yaml.tmp', 'notes.tmp', 'a.yaml'];
  for (const name of [own, `.a.yaml.lock.${uuid}.tmp`, ...foreign]) writeFileSync(join(directory, name), '');
  await removeLeftovers(join(directory, 'a.yaml'));
  expect(readdirSync(directory).sort()).toEqual(foreign.sort());
});

test('another file that is being replaced in the same directory does not disturb', async () => {
  const directory = temporaryDirectory();
  const [a, b] = [join(directory, 'a'), join(directory, 'b')];
  const done = await replaceFile(a, 'new', async () => {
    await removeLeftovers(b);
    return true;
  });
  expect([done, readFileSync(a, 'utf8')]).toEqual([true, 'new']);
});

test('a file that is not wanted any more is left as it was, with nothing beside it', async () => {
  const path = join(temporaryDirectory(), 'a');
  writeFileSync(path, 'old');
  expect(await replaceFile(path, 'new', async () => false)).toBe(false);
  expect([readFileSync(path, 'utf8'), readdirSync(join(path, '..'))]).toEqual(['old', ['a']]);
});

test('a file that cannot be replaced leaves nothing beside it', async () => {
  const path = join(temporaryDirectory(), 'a');
  mkdirSync(path);
  await expect(replaceFile(path, 'new', async () => true)).rejects.toThrow(`unable to write ${path}: `);
  expect([readdirSync(join(path, '..')), existsSync(path)]).toEqual([['a'], true]);
});

test('a replaced file keeps its owner and its group', async () => {
  // Only root may give a file away, and others may give it to a group that they belong to.
  const [user, own] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const [uid, gid] = user === 0 ? [1, 1] : [user, process.getgroups?.().find((group) => group !== own) ?? own];
  const path = join(temporaryDirectory(), 'a');
  writeFileSync(path, 'old');
  chownSync(path, uid, gid);
  await replaceFile(path, 'new', async () => true);
  const { uid: owner, gid: group, mode } = statSync(path);
  expect([owner, group, mode & 0o777, readFileSync(path, 'utf8')]).toEqual([uid, gid, 0o600, 'new']);
});
