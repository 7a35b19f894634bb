import { chmodSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { installPlugin, pluginFiles } from '../../src/byoc/plugin/plugin.ts';
import type { CliError } from '../../src/errors.ts';
import { checkPlace, checkTree, checkTrusted } from '../../src/files/trust.ts';
import { newStore, sha256 } from '../byoc/plugin/plugin-store.ts';
import { temporaryDirectory } from '../world.ts';

const { uid } = userInfo();
let { directory, path, put } = newStore();

beforeEach(() => {
  ({ directory, path, put } = newStore());
});

describe('the store', () => {
  test('that belongs to another user is an error that says how to repair it', async () => {
    await put();
    const error = await checkTrusted([directory], pluginFiles(uid + 1)).catch((thrown: CliError) => thrown);
    expect(error).toMatchObject({ exitCode: 6, code: 'PLUGIN_STORE_FOREIGN', target: directory });
    expect((error as CliError).hints.join('\n')).toMatch(/chown -R "\$\(id -u\)" '.*weir\/byoc'\n.*rm -r/);
  });

  test('that others may write to is closed', async () => {
    await put();
    const paths = [dirname(directory), directory, dirname(path), path];
    for (const each of paths) chmodSync(each, 0o777);
    await checkTrusted(paths, pluginFiles(uid));
    expect(paths.map((each) => statSync(each).mode & 0o777)).toEqual([0o755, 0o755, 0o755, 0o755]);
  });

  test.each([0o777, 0o757])('below a directory of mode %o is an error that says how to repair it', async (mode) => {
    const open = dirname(dirname(directory));
    chmodSync(open, mode);
    const error = await checkPlace(directory, pluginFiles(uid)).catch((thrown: CliError) => thrown);
    expect(error).toMatchObject({ exitCode: 6, code: 'PLUGIN_STORE_OPEN', target: open });
    expect((error as CliError).hints[0]).toBe(`close it: chmod go-w '${open}'`);
    for (const safe of [mode | 0o1000, 0o755]) {
      chmodSync(open, safe);
      await checkPlace(directory, pluginFiles(uid));
    }
  });

  test('may be below a directory that only the private group of its owner can write to', async () => {
    const home = temporaryDirectory();
    const check = () => checkPlace(join(home, 'weir'), pluginFiles(owner));
    const isOpen = { code: 'PLUGIN_STORE_OPEN', target: home };
    // Only root can give a directory away; a user's own group may have any number.
    const owner = uid === 0 ? 4711 : uid;
    for (const group of uid === 0 ? [4711, 4712] : [process.getgid?.()]) {
      if (uid === 0) lchownSync(home, 4711, group ?? 0);
      chmodSync(home, 0o775);
      if (group === owner) await check();
      else await expect(check()).rejects.toMatchObject(isOpen);
    }
    chmodSync(home, 0o777);
    await expect(check()).rejects.toMatchObject(isOpen);
  });

  test.each([
    ['an absolute link', (target: string) => target],
    ['a relative link', (target: string) => `../${basename(dirname(target))}/./${basename(target)}`],
  ])('that %s leads to is checked where it is', async (_, linked) => {
    const [here, open] = [temporaryDirectory(), temporaryDirectory()];
    const target = join(open, 'closed');
    mkdirSync(target, { mode: 0o700 });
    symlinkSync(linked(target), join(here, 'link'));
    await checkPlace(join(here, 'link/weir'), pluginFiles(uid));
    await checkPlace(join(here, 'link'), pluginFiles(uid));
    chmodSync(open, 0o777);
    for (const path of [join(here, 'link/weir'), join(here, 'link')])
      await expect(checkPlace(path, pluginFiles(uid))).rejects.toMatchObject({
        code: 'PLUGIN_STORE_OPEN',
        target: open,
      });
  });

  test('that is a loop of links is left to the system', async () => {
    const loop = join(temporaryDirectory(), 'loop');
    symlinkSync(loop, loop);
    await checkPlace(join(loop, 'x'), pluginFiles(uid));
  });

  test.each(['directory', 'link'])('below a %s of another user is an error', async (what) => {
    const foreign = join(temporaryDirectory(), 'foreign');
    if (what === 'link') symlinkSync('.', foreign);
    else mkdirSync(foreign);
    // Only root can give a file away; root's own are fine for everyone.
    if (uid === 0) lchownSync(foreign, 4711, 4711);
    const error = await checkPlace(join(foreign, 'weir'), pluginFiles(uid === 0 ? 0 : uid + 1)).catch(
      (thrown: CliError) => thrown,
    );
    expect(error).toMatchObject({ exitCode: 6, code: 'PLUGIN_STORE_FOREIGN' });
    if (uid === 0) expect(error).toMatchObject({ target: foreign, message: expect.stringContaining('(uid 4711)') });
  });

  test('with a link to a place that others can write to is not used', async () => {
    const open = temporaryDirectory();
    mkdirSync(join(open, 'byoc'), { mode: 0o700 });
    chmodSync(open, 0o777);
    mkdirSync(dirname(directory));
    symlinkSync(join(open, 'byoc'), directory);
    const target = { os: 'linux', arch: 'amd64' } as const;
    const release = { version: '1.0', target, location: '', sha256Prefix: sha256, packedSha256: undefined };
    const cloud = { download: () => Promise.reject(new Error()) };
    const machine = { platform: 'linux', arch: 'x64', directory, uid };
    await expect(installPlugin(cloud, release, machine)).rejects.toMatchObject({
      ...{ code: 'PLUGIN_STORE_OPEN', target: open },
    });
  });

  test('is checked with everything above and below it before a plugin is used', async () => {
    await put();
    const cloud = { download: () => Promise.reject(new Error()) };
    const target = { os: 'linux', arch: 'amd64' } as const;
    const prefix = sha256.slice(0, 32);
    const release = { version: '1.0', target, location: '', sha256Prefix: prefix, packedSha256: undefined };
    const machine = { platform: 'linux', arch: 'x64', directory, uid };
    const runs = join(directory, '.runs');
    mkdirSync(runs);
    const closed = [dirname(directory), directory, runs, dirname(path), path];
    for (const each of closed) chmodSync(each, 0o777);
    expect(await installPlugin(cloud, release, machine)).toMatchObject({ path, downloaded: false });
    expect(closed.map((each) => statSync(each).mode & 0o777)).toEqual(closed.map(() => 0o755));
    chmodSync(dirname(dirname(directory)), 0o777);
    await expect(installPlugin(cloud, release, machine)).rejects.toMatchObject({ code: 'PLUGIN_STORE_OPEN' });
  });

  test('that does not exist yet, or a system without user ids, is fine', async () => {
    await checkTrusted([join(directory, 'nothing')], pluginFiles(uid));
    await put();
    await checkTrusted([directory], pluginFiles(undefined));
  });
});

describe('a tree', () => {
  const tree = () => {
    const top = temporaryDirectory();
    mkdirSync(join(top, 'a/b'), { recursive: true });
    writeFileSync(join(top, 'a/b/file'), '');
    return { top, below: ['', 'a', 'a/b', 'a/b/file'].map((name) => join(top, name)) };
  };

  test('is closed to others, and what a link in it leads to is not', async () => {
    const { top, below } = tree();
    const target = join(temporaryDirectory(), 'target');
    writeFileSync(target, '');
    symlinkSync(target, join(top, 'a/link'));
    symlinkSync(join(top, 'nothing'), join(top, 'a/broken'));
    for (const each of [...below, target]) chmodSync(each, 0o777);
    await checkTree(top, pluginFiles(undefined));
    expect(statSync(top).mode & 0o777).toBe(0o777);
    await checkTree(top, pluginFiles(uid));
    expect(below.map((each) => statSync(each).mode & 0o777)).toEqual(below.map(() => 0o755));
    expect(statSync(target).mode & 0o777).toBe(0o777);
  });

  test.runIf(uid === 0)('may be partly of root, but of no other user', async () => {
    const { top, below } = tree();
    for (const each of below) {
      lchownSync(each, 4711, 4711);
      await checkTree(top, pluginFiles(4711));
      await expect(checkTree(top, pluginFiles(4712))).rejects.toMatchObject({
        ...{ code: 'PLUGIN_STORE_FOREIGN', target: each, message: expect.stringContaining('(uid 4711)') },
      });
      lchownSync(each, 0, 0);
    }
  });

  test('that cannot be read is an error that names it', async () => {
    const top = join(temporaryDirectory(), 'nothing');
    await expect(checkTree(top, pluginFiles(uid))).rejects.toMatchObject({ exitCode: 1, target: top });
  });
});

test('a path that cannot be checked is an error that names it', async () => {
  await put();
  const long = join(directory, 'x'.repeat(300));
  await expect(checkTrusted([long], pluginFiles(uid))).rejects.toMatchObject({
    ...{ exitCode: 1, target: long, message: expect.stringMatching(/^unable to use .*: ENAMETOOLONG/) },
  });
  await checkTrusted([join(path, 'below-a-file')], pluginFiles(uid));
});
