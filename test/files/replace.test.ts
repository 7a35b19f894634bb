import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { followLinks, makeDirectory, removeLeftovers, replaceFile, temporaryBeside } from '../../src/files/replace.ts';
import { temporaryDirectory } from '../world.ts';

const uuid = '01234567-89ab-cdef-0123-456789abcdef';

test('leftovers of the file are removed, and nothing else', async () => {
  const directory = temporaryDirectory();
  const own = `.a.yaml.${uuid}.tmp`;
  const foreign = [`.b.yaml.${uuid}.tmp`, `.xa.yaml.${uuid}.tmp`, '.a.yaml.tmp', 'notes.tmp', 'a.yaml'];
  foreign.push(`x.a.yaml.${uuid}.tmp`, `.a.yaml.${uuid}.tmp.txt`, `.a.yaml.${uuid}0.tmp`);
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

test('a new file is private, whatever the old one was, and a file that is replaced is another file', async () => {
  const path = join(temporaryDirectory(), 'a');
  expect(await replaceFile(path, 'one', async () => true)).toBe(true);
  const before = statSync(path);
  chmodSync(path, 0o666);
  await replaceFile(path, 'two', async () => true);
  expect([before.mode & 0o777, statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([0o600, 0o600, 'two']);
  expect(statSync(path).ino).not.toBe(before.ino);
});

test.skipIf(process.getuid?.() !== 0)('a file keeps its group even if its owner is the same', async () => {
  const path = join(temporaryDirectory(), 'a');
  writeFileSync(path, 'old');
  chownSync(path, 0, 1);
  await replaceFile(path, 'new', async () => true);
  expect([statSync(path).uid, statSync(path).gid]).toEqual([0, 1]);
});

test('an error of the check before the rename leaves everything as it was', async () => {
  const path = join(temporaryDirectory(), 'a');
  writeFileSync(path, 'old');
  const check = async () => {
    throw new CliError(6, 'taken');
  };
  await expect(replaceFile(path, 'new', check)).rejects.toMatchObject({ exitCode: 6, message: 'taken' });
  expect([readFileSync(path, 'utf8'), readdirSync(join(path, '..'))]).toEqual(['old', ['a']]);
});

test('a directory is made private with those above it, and one that cannot be made is an error', async () => {
  const root = temporaryDirectory();
  await makeDirectory(join(root, 'a/b/file'));
  expect(['a', 'a/b'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(existsSync(join(root, 'a/b/file'))).toBe(false);
  await makeDirectory(join(root, 'a/b/file'));
  writeFileSync(join(root, 'file'), '');
  const path = join(root, 'file/x/y');
  await expect(makeDirectory(path)).rejects.toMatchObject({
    ...{ exitCode: 1, target: path, message: `unable to write ${path}: a part of its path is not a directory` },
  });
});

test('links are followed to their target, which need not exist, and a loop ends', async () => {
  const root = realpathSync(temporaryDirectory());
  mkdirSync(join(root, 'd'));
  symlinkSync('d', join(root, 'link-to-d'));
  symlinkSync('link-to-d/missing', join(root, 'one'));
  symlinkSync(join(root, 'one'), join(root, 'two'));
  symlinkSync('loop', join(root, 'loop'));
  expect(await followLinks(join(root, 'two'))).toBe(join(root, 'd/missing'));
  expect(await followLinks(join(root, 'link-to-d/x'))).toBe(join(root, 'd/x'));
  expect(await followLinks(join(root, 'none/x'))).toBe(join(root, 'none/x'));
  expect(await followLinks(join(root, 'loop'))).toBe(join(root, 'loop'));
});

test('a temporary name is beside its file, hidden, and another one each time', () => {
  const [one, other] = [temporaryBeside('/d/a.yaml'), temporaryBeside('/d/a.yaml')];
  expect(one).toMatch(/^\/d\/\.a\.yaml\.[0-9a-f-]{36}\.tmp$/);
  expect(one).not.toBe(other);
});
