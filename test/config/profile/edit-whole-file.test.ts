import { expect, test } from 'vitest';
import type { OptionKey } from '../../../src/config/options.ts';
import {
  addProfile,
  removeProfile,
  replaceProfile,
  setCurrent,
  setField,
  setOption,
  unsetOption,
} from '../../../src/config/profile/edit.ts';
import { type ProfileFile, parseProfileFile } from '../../../src/config/profile/file.ts';

type Edit = (file: ProfileFile) => Promise<ProfileFile | undefined>;

const user: readonly [OptionKey, string] = ['user', 'u'];

test.each<[string, string, Edit, string]>([
  [
    'a selection comes before the profiles',
    'version: 1\nprofiles:\n  - name: a\n',
    (f) => setCurrent(f, 'a'),
    'version: 1\ncurrent_profile: a\nprofiles:\n  - name: a\n',
  ],
  [
    'a selection, with carriage returns',
    'version: 1\r\nprofiles:\r\n  - name: a\r\n',
    (f) => setCurrent(f, 'a'),
    'version: 1\r\ncurrent_profile: a\r\nprofiles:\r\n  - name: a\r\n',
  ],
  ['no selection in a file without one', 'version: 1 # x\n', (f) => setCurrent(f, undefined), 'version: 1 # x\n'],
  ['no selection in a file with nothing else', 'current_profile: a\n', (f) => setCurrent(f, undefined), ''],
  [
    'no selection on a last line without its end',
    'version: 1\ncurrent_profile: a',
    (f) => setCurrent(f, undefined),
    'version: 1\n',
  ],
  [
    'a profile in a file that has only comments',
    '# mine',
    (f) => addProfile(f, { name: 'a', options: new Map() }),
    '# mine\nprofiles:\n  - name: a\n',
  ],
  [
    'a profile in an empty list',
    'version: 1\nprofiles: [] # none\n',
    (f) => addProfile(f, { name: 'a', protected: false, options: new Map() }),
    'version: 1\nprofiles:\n  - name: a\n',
  ],
  [
    'a profile in a list that is null',
    'version: 1\nprofiles:\n',
    (f) => addProfile(f, { name: 'a', description: 'd', protected: true, options: new Map([user]) }),
    'version: 1\nprofiles:\n  - name: a\n    description: d\n    protected: true\n    options:\n      user: u\n',
  ],
  [
    'a profile in a list that is not indented',
    'profiles:\n- name: a\n',
    (f) => addProfile(f, { name: 'b', options: new Map([user]) }),
    'profiles:\n- name: a\n- name: b\n  options:\n    user: u\n',
  ],
  [
    'the last profile, which is selected, is deleted',
    'version: 1\ncurrent_profile: a\nprofiles:\n  - name: a\n',
    (f) => removeProfile(f, 'a'),
    'version: 1\n',
  ],
  [
    'a profile that is not selected is deleted',
    'version: 1\ncurrent_profile: a\nprofiles:\n  - name: a\n  - name: b',
    (f) => removeProfile(f, 'b'),
    'version: 1\ncurrent_profile: a\nprofiles:\n  - name: a\n',
  ],
  [
    'a profile is deleted, with carriage returns',
    'profiles:\r\n  - name: a\r\n    description: x\r\n  - name: b\r\n',
    (f) => removeProfile(f, 'a'),
    'profiles:\r\n  - name: b\r\n',
  ],
  [
    'a comment above the next profile stays',
    'profiles:\n  - name: a\n\n  # about b\n  - name: b\n',
    (f) => removeProfile(f, 'a'),
    'profiles:\n\n  # about b\n  - name: b\n',
  ],
  [
    'an option in an empty map',
    'profiles:\n  - name: a\n    options: {}\n  - name: b\n',
    (f) => setOption(f, 'a', user),
    'profiles:\n  - name: a\n    options:\n      user: u\n  - name: b\n',
  ],
  [
    'an option in a map that is null',
    'profiles:\n  - name: a\n    options:\n',
    (f) => setOption(f, 'a', user),
    'profiles:\n  - name: a\n    options:\n      user: u\n',
  ],
  [
    'a dotted option',
    'profiles:\n  - name: a\n    options:\n      tls.enabled: true # t\n',
    (f) => setOption(f, 'a', ['tls.enabled', false]),
    'profiles:\n  - name: a\n    options:\n      tls.enabled: false # t\n',
  ],
  [
    'the only option of a nested map is removed with the map',
    'profiles:\n  - name: a\n    options:\n      tls: {ca: /x}\n      user: u\n',
    (f) => unsetOption(f, 'a', 'tls.ca'),
    'profiles:\n  - name: a\n    options:\n      user: u\n',
  ],
  [
    'an unknown option is removed',
    'profiles:\n  - name: a\n    options:\n      usr: x\n      user: u\n',
    (f) => unsetOption(f, 'a', 'usr'),
    'profiles:\n  - name: a\n    options:\n      user: u\n',
  ],
  [
    'another profile than the selected one is renamed',
    'current_profile: a\nprofiles:\n  - name: a\n  - name: b\n',
    (f) => setField(f, 'b', ['name', 'c']),
    'current_profile: a\nprofiles:\n  - name: a\n  - name: c\n',
  ],
  [
    'a profile is replaced, without empty lines at its end',
    'profiles:\r\n  - name: a\r\n  - name: b\r\n',
    (f) => replaceProfile(f, 'a', 'name: a\n\ndescription: x\n\n'),
    'profiles:\r\n  - name: a\r\n\r\n    description: x\r\n  - name: b\r\n',
  ],
])('%s', async (_, before, edit, after) => {
  expect((await edit(await parseProfileFile('/f', before)))?.text).toBe(after);
});

test('a profile that does not exist cannot be edited', async () => {
  const file = await parseProfileFile('/f', 'profiles:\n  - name: a\n');
  await expect(setOption(file, 'x', user)).rejects.toThrow('x: no such profile');
});
