import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { withPrivateCopy } from '../../../src/byoc/plugin/private-copy.ts';
import {
  inspectPlugin,
  pluginPath,
  removePlugins,
  storedPlugins,
  storePlugin,
} from '../../../src/byoc/plugin/store.ts';
import type { CliError } from '../../../src/errors.ts';
import { temporaryDirectory } from '../../world.ts';
import { content, newStore, sha256 } from './plugin-store.ts';

let { directory, path, put } = newStore();

beforeEach(() => {
  ({ directory, path, put } = newStore());
});

describe('a download in progress by another weir', () => {
  test('is left alone; one that was abandoned an hour ago is removed', async () => {
    mkdirSync(dirname(path), { recursive: true });
    const [fresh, old] = ['.x.fresh.part', '.x.old.part'].map((name) => join(dirname(path), name));
    for (const file of [fresh, old]) writeFileSync(String(file), '');
    const ago = Date.now() / 1000 - 3_700;
    utimesSync(String(old), ago, ago);
    await put();
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.part'))).toEqual(['.x.fresh.part']);
  });
});

describe('what is executed', () => {
  test('is what was verified, although the stored file is swapped before it starts', async () => {
    await put();
    const ran = await withPrivateCopy(path, directory, async (file) => {
      writeFileSync(path, 'evil');
      expect(statSync(file).mode & 0o777).toBe(0o500);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
      expect(statSync(join(directory, '.runs')).mode & 0o777).toBe(0o700);
      return readFileSync(file, 'utf8');
    });
    expect(ran).toBe(content);
  });

  test('is not a file that was swapped after it was found good', async () => {
    await put();
    expect(await inspectPlugin(path)).toBe('plugin');
    writeFileSync(path, 'evil');
    let ran = false;
    const error = await withPrivateCopy(path, directory, async () => {
      ran = true;
    }).catch((thrown: CliError) => thrown);
    expect(error).toMatchObject({ code: 'PLUGIN_FOREIGN', exitCode: 6 });
    expect(ran).toBe(false);
  });

  test('is not what a link leads to', async () => {
    mkdirSync(dirname(path), { recursive: true });
    const elsewhere = join(temporaryDirectory(), 'file');
    writeFileSync(elsewhere, content);
    symlinkSync(elsewhere, path);
    await expect(withPrivateCopy(path, directory, async () => undefined)).rejects.toThrow(/unable to copy the plugin/);
  });

  test('is removed afterwards, even if it failed; copies of a killed weir are removed after a week', async () => {
    await put();
    await expect(withPrivateCopy(path, directory, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(readdirSync(join(directory, '.runs'))).toEqual([]);
    const left = join(directory, '.runs/left');
    mkdirSync(left, { recursive: true });
    const ago = Date.now() / 1000 - 8 * 24 * 3_600;
    utimesSync(left, ago, ago);
    await withPrivateCopy(path, directory, async () => expect(existsSync(left)).toBe(false));
  });

  test('does not count as a plugin to remove', async () => {
    await put();
    await withPrivateCopy(path, directory, async () => {
      expect((await storedPlugins(directory)).map((plugin) => plugin.path)).toEqual([path]);
    });
  });
});

describe('a stored plugin', () => {
  test.each([
    ['linux', 'byoc-linux-amd64.0123'],
    ['windows', 'byoc-windows-amd64.0123.exe'],
  ] as const)('has the version, the system and the sha256 in its path: %s', (os, name) => {
    const release = { version: '1.0', location: '', sha256Prefix: '0123', packedSha256: undefined };
    const found = pluginPath('/d', { ...release, target: { os, arch: 'amd64' } });
    expect(found).toBe(join('/d', '1.0', name));
  });

  test('is made executable again', async () => {
    await put();
    chmodSync(path, 0o644);
    expect(await inspectPlugin(path)).toBe('plugin');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    chmodSync(path, 0o700);
    await inspectPlugin(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('does not replace another file that appears during the download', async () => {
    const stored = storePlugin(path, async (file) => {
      writeFileSync(file, content);
      writeFileSync(path, 'mine');
      return sha256;
    });
    await expect(stored).rejects.toMatchObject({ code: 'PLUGIN_FOREIGN', exitCode: 6 });
    expect(readdirSync(dirname(path))).toEqual([path.slice(dirname(path).length + 1)]);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('is stored by two at once', async () => {
    await storePlugin(path, async (file) => {
      await put();
      writeFileSync(file, content);
      return sha256;
    });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  test('cannot be stored below a file: the error says where, and why', async () => {
    mkdirSync(dirname(directory), { recursive: true });
    writeFileSync(directory, '');
    await expect(put()).rejects.toMatchObject({
      ...{ exitCode: 1, target: path, message: `unable to store the plugin at ${path}: ENOTDIR: not a directory` },
    });
  });
});

describe('removing the plugins', () => {
  test('removes what killed downloads left, and the empty directories', async () => {
    await put();
    const part = join(dirname(path), '.x.part');
    writeFileSync(part, '');
    mkdirSync(join(directory, '.runs'));
    const plugins = await storedPlugins(directory);
    expect(plugins).toEqual([{ path, version: '1.0', error: undefined }]);
    expect([existsSync(part), existsSync(path)]).toEqual([true, true]);
    expect(await removePlugins(directory, plugins)).toEqual([undefined]);
    expect(existsSync(directory)).toBe(false);
  });

  test('keeps other files, names them, and sorts them', async () => {
    await put();
    writeFileSync(join(directory, 'note'), '');
    const other = join(dirname(path), 'a-file');
    writeFileSync(other, '');
    mkdirSync(join(directory, '0.9'));
    writeFileSync(join(directory, '0.9', 'old'), '');
    const plugins = await storedPlugins(directory);
    expect(plugins.map((one) => [one.version, one.path, one.error?.code])).toEqual([
      ['0.9', join(directory, '0.9', 'old'), 'PLUGIN_FOREIGN'],
      ['1.0', other, 'PLUGIN_FOREIGN'],
      ['1.0', path, undefined],
    ]);
    const errors = await removePlugins(directory, plugins);
    expect(errors.map((error) => error?.code)).toEqual(['PLUGIN_FOREIGN', 'PLUGIN_FOREIGN', undefined]);
    expect([existsSync(other), existsSync(path)]).toEqual([true, false]);
  });

  test('is no error if there is none', async () => {
    expect(await storedPlugins(directory)).toEqual([]);
  });
});
