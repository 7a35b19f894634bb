import { chmodSync, existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Profiles, profilesOf } from '../../../src/config/sources/profiles.ts';
import { realHost } from '../../../src/host/host.ts';
import { temporaryDirectory } from '../../world.ts';
import { hostOf } from './sources.ts';

function newFile(): { path: string; profiles: Profiles } {
  const path = join(temporaryDirectory(), 'weir.yaml');
  const brokerConfigFile = { path: '/none', origin: undefined };
  return {
    path,
    profiles: profilesOf({
      host: hostOf({ runtime: realHost().runtime }),
      selection: { configFile: { path, origin: '--config' }, brokerConfigFile, profile: undefined },
    }),
  };
}

const made = {
  name: 'made',
  description: 'by a command',
  options: { brokers: 'a:1,b:2', 'tls.enabled': 'true' },
};

test('a profile is made in a file that does not exist yet, and selected', async () => {
  const { path, profiles } = newFile();
  expect(await profiles.names()).toEqual({ names: [], current: undefined });
  expect(await profiles.put(made)).toEqual({ names: [], current: undefined });
  expect(await profiles.names()).toEqual({ names: ['made'], current: 'made' });
  expect(await readFile(path, 'utf8')).toContain('brokers: [a:1, b:2]\n      tls.enabled: true\n');
});

test('F3: a profile replaces one of the same name; the others and their comments are kept', async () => {
  const { path, profiles } = newFile();
  await writeFile(
    path,
    'version: 1\ncurrent_profile: mine\nprofiles:\n  # my own\n  - name: mine\n  - name: made\n    options:\n      user: old\n',
  );
  expect(await profiles.put(made)).toEqual({ names: ['mine', 'made'], current: 'mine' });
  const text = await readFile(path, 'utf8');
  expect(text).toContain('# my own\n');
  expect(text).not.toContain('old');
});

test('a profile that replaces a protected one stays protected', async () => {
  const { path, profiles } = newFile();
  await writeFile(path, 'version: 1\nprofiles:\n  - name: mine\n  - name: made\n    protected: true\n');
  await profiles.put(made);
  expect([await profiles.isProtected('made'), await profiles.isProtected('mine')]).toEqual([true, false]);
  expect(await profiles.isProtected('other')).toBe(false);
  expect(await readFile(path, 'utf8')).toContain('protected: true\n');
});

test('when a selected profile is removed, the next one is selected if it exists', async () => {
  const { path, profiles } = newFile();
  await writeFile(path, 'version: 1\ncurrent_profile: mine\nprofiles:\n  - name: mine\n');
  await profiles.put(made);
  expect(await profiles.remove('made', 'mine')).toEqual({ names: ['mine'], current: 'mine' });
  await profiles.put(made);
  expect(await profiles.remove('made', 'gone')).toEqual({ names: ['mine'], current: undefined });
});

test('removing a profile that is not selected keeps the selection', async () => {
  const { path, profiles } = newFile();
  await profiles.put(made);
  await writeFile(
    path,
    `${await readFile(path, 'utf8')}  - name: mine\n`.replace('current_profile: made', 'current_profile: mine'),
  );
  expect(await profiles.remove('made', undefined)).toEqual({ names: ['mine'], current: 'mine' });
});

test('options are set in a profile, which is made but not selected if it is missing', async () => {
  const { path, profiles } = newFile();
  await writeFile(path, 'version: 1\ncurrent_profile: mine\nprofiles:\n  - name: mine\n');
  await profiles.set(made);
  expect(await profiles.names()).toEqual({ names: ['mine', 'made'], current: 'mine' });
  await profiles.set({ ...made, description: 'other', options: { 'tls.enabled': 'false', user: 'u' } });
  expect(await readFile(path, 'utf8')).toBe(`version: 1
current_profile: mine
profiles:
  - name: mine
  - name: made
    description: by a command
    options:
      brokers: [a:1, b:2]
      tls.enabled: false
      user: u
`);
});

test('an option that does not exist is a defect, and writes nothing', async () => {
  const { path, profiles } = newFile();
  await expect(profiles.set({ ...made, options: { usr: 'x' } })).rejects.toThrow('usr is not an option');
  expect(existsSync(path)).toBe(false);
});

test('without a home directory and a named file there is no profile file', () => {
  const brokerConfigFile = { path: '/none', origin: undefined };
  const selection = { configFile: undefined, brokerConfigFile, profile: undefined };
  expect(() => profilesOf({ host: hostOf({}), selection })).toThrow(
    expect.objectContaining({
      ...{ exitCode: 2, hints: ['specify it with --config FILE'] },
      message: 'unable to find the profile file: there is no home directory',
    }),
  );
});

test('removing an option that is not set writes nothing', async () => {
  const { path, profiles } = newFile();
  expect(await profiles.remove('made', 'mine')).toEqual({ names: [], current: undefined });
  expect(existsSync(path)).toBe(false);
});

test('a named file keeps its permissions', async () => {
  const { path, profiles } = newFile();
  await profiles.put(made);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  await profiles.put({ ...made, name: 'other' });
  expect(statSync(path).mode & 0o777).toBe(0o644);
});
