import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { addProfile, setOption } from '../../../src/config/profile/edit.ts';
import { faultsOf, type ProfileFile, readProfileFile } from '../../../src/config/profile/file.ts';
import { changeProfileFile } from '../../../src/config/profile/write.ts';
import { emptyDirectory, errorsOf, profileFile, writeWhole } from '../sources/sources.ts';

const script = fileURLToPath(new URL('profile-writer.ts', import.meta.url));

function startWriter(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
  return { child, ended };
}

const newProfile = (name: string) => async (file: ProfileFile) => await addProfile(file, { name, options: new Map() });

async function names(path: string): Promise<readonly string[]> {
  return (await readProfileFile(path))?.profiles.map(({ name }) => name) ?? [];
}

test('three processes that write at once leave three profiles', async () => {
  const path = join(emptyDirectory(), 'new', 'weir.yaml');
  const writers = Array.from({ length: 3 }, (_, i) => startWriter(path, 'create', `p${i}`));
  const ends = await Promise.all(writers.map(({ ended }) => ended));
  expect(ends).toEqual(ends.map(() => ({ code: 0, stderr: '' })));
  expect((await names(path)).toSorted()).toEqual(['p0', 'p1', 'p2']);
  expect(readdirSync(dirname(path))).toEqual(['weir.yaml']);
});

test('S5: kill -9 while writing leaves the complete old or new file, and no lock that blocks others', async () => {
  const path = join(emptyDirectory(), 'weir.yaml');
  let profiles = 0;
  // Touched so late, a lock never expires by its age: its dead owner has to be detected.
  const inAnHour = Date.now() / 1000 + 3_600;
  for (let round = 0; round < 2; round += 1) {
    const { child, ended } = startWriter(path, 'loop');
    // Killed during a write after the first, a little later each time.
    await new Promise<void>((resolve) => child.stdout.once('data', () => setTimeout(resolve, round * 12)));
    child.kill('SIGKILL');
    await ended;
    if (existsSync(`${path}.lock`)) utimesSync(`${path}.lock`, inAnHour, inAnHour);
    const file = await readProfileFile(path);
    expect(file && faultsOf(file)).toEqual([]);
    expect(file?.profiles.at(-1)?.name).toBe(file?.current?.name);
    expect(file?.profiles.length).toBeGreaterThan(profiles);
    profiles = file?.profiles.length ?? 0;
  }
  await changeProfileFile(path, newProfile('after'));
  expect(await names(path)).toHaveLength(profiles + 1);
  expect(readdirSync(dirname(path))).toEqual(['weir.yaml']);
});

describe('the lock', () => {
  test('of a running process is respected, an abandoned one is not', async () => {
    const path = join(emptyDirectory(), 'weir.yaml');
    const order: string[] = [];
    const first = changeProfileFile(path, async (file) => {
      order.push('first begins');
      await new Promise((resolve) => setTimeout(resolve, 100));
      order.push('first ends');
      return await newProfile('first')(file);
    });
    await expect.poll(() => order).toContain('first begins');
    await changeProfileFile(path, async (file) => {
      order.push('second');
      return await newProfile('second')(file);
    });
    await first;
    expect(order).toEqual(['first begins', 'first ends', 'second']);
    writeFileSync(`${path}.lock`, '{"id":"x","space":"elsewhere","pid":"1","started":"1"}');
    await import('node:fs/promises').then(({ utimes }) => utimes(`${path}.lock`, 1, 1));
    await changeProfileFile(path, newProfile('third'));
    expect(await names(path)).toEqual(['first', 'second', 'third']);
  });
});

describe('writing', () => {
  test('F4: makes the file and its directory accessible only to their owner', async () => {
    const path = join(emptyDirectory(), 'a', 'b', 'weir.yaml');
    await changeProfileFile(path, newProfile('p'));
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    chmodSync(path, 0o644);
    await changeProfileFile(path, newProfile('q'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('replaces the target of a link, not the link', async () => {
    const home = emptyDirectory();
    mkdirSync(join(home, 'dotfiles'));
    for (const exists of [false, true]) {
      const target = join(home, 'dotfiles', `weir-${exists}.yaml`);
      if (exists) writeWhole(target, profileFile('user: a'));
      const link = join(home, `link-${exists}.yaml`);
      symlinkSync(join('dotfiles', `weir-${exists}.yaml`), link);
      await changeProfileFile(link, newProfile('p'));
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(await names(target)).toContain('p');
    }
  });

  test('does not touch a file that stays the same', async () => {
    const path = join(emptyDirectory(), 'weir.yaml');
    writeWhole(path, profileFile('user: a'));
    const before = statSync(path, { bigint: true });
    await changeProfileFile(path, async (file) => file);
    const after = statSync(path, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  test('with dryRun computes the change and writes nothing', async () => {
    const path = join(emptyDirectory(), 'sub', 'weir.yaml');
    const file = await changeProfileFile(path, newProfile('p'), { dryRun: true });
    expect(file.profiles.map(({ name }) => name)).toEqual(['p']);
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('an edit saved in the meantime is not lost: the change is computed again', async () => {
    const path = join(emptyDirectory(), 'weir.yaml');
    writeWhole(path, profileFile('user: a'));
    let tries = 0;
    await changeProfileFile(path, async (file) => {
      tries += 1;
      if (tries === 1) writeFileSync(path, profileFile('user: a', 'tls.ca: /meanwhile'));
      return await setOption(file, 'prod', ['pass', 'p']);
    });
    expect(tries).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(profileFile('user: a', 'tls.ca: /meanwhile', 'pass: p'));
  });

  test('fails with the reason in a read-only directory, and leaves no files', async () => {
    const path = join(emptyDirectory(), 'file', 'weir.yaml');
    writeFileSync(dirname(path), '');
    const [error] = await errorsOf(changeProfileFile(path, newProfile('p')));
    expect(error?.message).toMatch(/^unable to write .*weir.yaml: /);
    expect(error?.exitCode).toBe(1);
  });

  test('control characters are written as escapes, which reading accepts', async () => {
    const path = join(emptyDirectory(), 'weir.yaml');
    writeWhole(path, 'profiles:\n  - name: p\n');
    await changeProfileFile(path, async (file) => await setOption(file, 'p', ['pass', 'a\u0001b\u007f']));
    expect((await readProfileFile(path))?.profiles[0]?.options.entries.get('pass')?.value).toBe('a\u0001b\u007f');
  });
});

test.each(['', '\n', ' \n\n', '\ufeff\n'])('a blank file, %j, becomes a profile file', async (text) => {
  const path = join(emptyDirectory(), 'weir.yaml');
  writeWhole(path, text);
  await changeProfileFile(path, newProfile('a'));
  expect(readFileSync(path, 'utf8')).toBe('version: 1\nprofiles:\n  - name: a\n');
});
