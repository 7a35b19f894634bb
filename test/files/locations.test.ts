import { describe, expect, test } from 'vitest';
import {
  absolutePath,
  cacheDirectory,
  configDirectory,
  expandHome,
  rpkFile,
  stateDirectory,
  variable,
} from '../../src/files/locations.ts';
import { kafkaDirectory, sandboxDirectory } from '../../src/sandbox/directories.ts';

const linux = { env: {}, home: '/home/me', platform: 'linux' } as const;

describe('where things lie', () => {
  test.each([
    [
      'Linux',
      linux,
      ['/home/me/.config/weir', '/home/me/.local/state/weir', '/home/me/.cache/weir', '/home/me/.config/rpk/rpk.yaml'],
    ],
    [
      'macOS',
      { ...linux, platform: 'darwin' as const },
      [
        '/home/me/Library/Application Support/weir',
        '/home/me/Library/Application Support/weir',
        '/home/me/Library/Caches/weir',
        '/home/me/Library/Application Support/rpk/rpk.yaml',
      ],
    ],
    [
      'absolute XDG variables',
      { ...linux, env: { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' } },
      ['/c/weir', '/s/weir', '/k/weir', '/c/rpk/rpk.yaml'],
    ],
    [
      'relative and empty XDG variables',
      { ...linux, env: { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: './s', XDG_CACHE_HOME: '' } },
      ['/home/me/.config/weir', '/home/me/.local/state/weir', '/home/me/.cache/weir', '/home/me/.config/rpk/rpk.yaml'],
    ],
    [
      'Windows',
      { env: { APPDATA: '/roaming', LOCALAPPDATA: '/local' }, home: '/home/me', platform: 'win32' },
      ['/roaming/weir', '/local/weir', '/local/weir', '/roaming/rpk/rpk.yaml'],
    ],
    [
      'Windows without its variables',
      { env: { APPDATA: '' }, home: '/home/me', platform: 'win32' },
      [undefined, undefined, undefined, undefined],
    ],
    ['an empty home', { ...linux, home: '' }, [undefined, undefined, undefined, undefined]],
    ['no home', { ...linux, home: undefined }, [undefined, undefined, undefined, undefined]],
  ])('%s', (_, host, places) => {
    expect([configDirectory(host), stateDirectory(host), cacheDirectory(host), rpkFile(host)]).toEqual(places);
  });
});

test.each([
  ['~/x', '/home/me/x'],
  ['~', '/home/me'],
  ['~other/x', '~other/x'],
  ['x/~/y', 'x/~/y'],
  ['/x', '/x'],
])('the path %s means %s', (path, expanded) => expect(expandHome('/home/me', path)).toBe(expanded));

test.each([
  ['linux', {}, '/home/me/.cache/weir', '/home/me/.local/state/weir'],
  ['darwin', {}, '/home/me/Library/Caches/weir', '/home/me/Library/Application Support/weir'],
  ['darwin', { XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/weir', '/s/weir'],
] as const)(
  'the sandbox keeps its files where everything else of weir is, on %s with %j',
  (platform, env, cache, state) => {
    const machine = { env, home: '/home/me', platform };
    expect([kafkaDirectory(machine), sandboxDirectory(machine)]).toEqual([`${cache}/kafka`, `${state}/sandbox`]);
    expect([cacheDirectory(machine), stateDirectory(machine)]).toEqual([cache, state]);
  },
);

test.each([
  ['x', '/work/x'],
  ['../x', '/x'],
  ['/a/../x', '/x'],
  ['~/x', '/home/me/x'],
  ['~x', '/work/~x'],
])('the typed path %s is %s', (path, absolute) => {
  expect(absolutePath({ home: '/home/me', cwd: '/work' }, path)).toBe(absolute);
});

test('an absolute path does not need the working directory, which may be gone', () => {
  const gone = {
    home: undefined,
    get cwd(): string {
      throw new Error('gone');
    },
  };
  expect(absolutePath(gone, '/a/b')).toBe('/a/b');
  expect(() => absolutePath(gone, '~/b')).toThrow('gone');
});

test('an empty variable counts as not set', () => {
  expect([variable({ env: { A: '' } }, 'A'), variable({ env: { A: '0' } }, 'A')]).toEqual([undefined, '0']);
});

test('without a home directory, the sandbox names the variable that is missing', () => {
  const machine = { env: {}, home: undefined, platform: 'linux' } as const;
  expect(() => kafkaDirectory(machine)).toThrow('XDG_CACHE_HOME and HOME are not set');
  expect(() => sandboxDirectory(machine)).toThrow('XDG_STATE_HOME and HOME are not set');
});
