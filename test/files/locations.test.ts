import { describe, expect, test } from 'vitest';
import { cacheDirectory, configDirectory, expandHome, rpkFile, stateDirectory } from '../../src/files/locations.ts';
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
