import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

const original = 'current_profile: a\nprofiles:\n  - name: a\n    options: {user: u}\n  - name: b\n';
const terminal = { stdin: true, stdout: true, stderr: true };
let home = '';
let drafts = '';
const path = () => join(home, 'profiles.yaml');
const edit = (words: string, world: World) => run(`profile edit ${words} --config ${path()}`, { home, ...world });

beforeEach(() => {
  home = temporaryDirectory();
  drafts = temporaryDirectory();
  writeWhole(path(), original);
});

/** An editor that changes the draft; `started` has the words that started it. */
function editor(change: (text: string) => string, env: Record<string, string> = { EDITOR: 'ed' }) {
  const started: string[] = [];
  const spawn: World['spawn'] = async (program, args) => {
    started.push(program, ...args);
    const draft = args.at(-1) ?? '';
    writeFileSync(draft, change(readFileSync(draft, 'utf8')));
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  return { started, world: { spawn, env: { ...env, TMPDIR: drafts } } satisfies World };
}

describe('the editor', () => {
  test.each<[NodeJS.Platform, Record<string, string>, readonly string[]]>([
    ['linux', {}, ['sh', '-c', 'vi "$@"', 'vi']],
    ['linux', { VISUAL: '', EDITOR: 'ed' }, ['sh', '-c', 'ed "$@"', 'ed']],
    ['win32', {}, ['notepad']],
    ['win32', { EDITOR: 'my editor' }, ['my editor']],
  ])('on %s with %j is started as %j', async (platform, env, words) => {
    const { started, world } = editor((text) => text, env);
    expect(await edit('', { ...world, platform, terminal })).toMatchObject({ exitCode: 0 });
    expect(started.slice(0, -1)).toEqual(words);
    expect(started.at(-1)).toMatch(/profile\.yaml$/);
  });

  test.each<[NodeJS.Platform, string, boolean]>([
    ['win32', 'code', true],
    ['win32', 'tools\\ed.exe', false],
    ['linux', 'ed', false],
  ])(
    'on %s, %s is looked for in the home directory instead of the working directory: %s',
    async (platform, name, isHome) => {
      const home = temporaryDirectory();
      const { world } = editor((text) => text, { EDITOR: name });
      const places: unknown[] = [];
      const spawn: World['spawn'] = async (program, args, options) => {
        places.push(options.cwd);
        return await world.spawn(program, args, options);
      };
      await edit('', { ...world, spawn, platform, home, terminal });
      expect(places).toEqual([isHome ? home : undefined]);
    },
  );

  test('that cannot be started is a usage error, and no draft is left', async () => {
    const spawn = () => Promise.reject(new Error('no such program'));
    expect(await edit('', { spawn, env: { EDITOR: 'nothing', TMPDIR: drafts } })).toEqual({
      stdout: '',
      stderr: 'weir: unable to start the editor nothing: no such program\nhint: set VISUAL or EDITOR\n',
      exitCode: 2,
    });
    expect(readdirSync(drafts)).toEqual([]);
  });

  test.each([{}, terminal])(
    'gets SIGHUP, too, on a terminal %j; the first of two signals gives the exit code',
    async (given) => {
      let kill: (signal: Signal) => void = () => {};
      const passedOn: Signal[] = [];
      const spawn: World['spawn'] = async (_program, _args, { onStart }) => {
        onStart?.((signal) => passedOn.push(signal));
        kill('SIGHUP');
        kill('SIGTERM');
        return { exitCode: 0, stdout: '', stderr: '' };
      };
      const onStart = (send: typeof kill) => {
        kill = send;
      };
      const outcome = await edit('', { terminal: given, spawn, onStart, env: { EDITOR: 'ed', TMPDIR: drafts } });
      expect(outcome).toMatchObject({ exitCode: 129, stdout: '' });
      expect(passedOn).toEqual(['SIGHUP', 'SIGTERM']);
    },
  );
});

describe('profile edit', () => {
  test('does not select another profile when one that is not selected gets a new name', async () => {
    const { world } = editor((text) => text.replace('name: b', 'name: c'));
    expect(await edit('b', world)).toMatchObject({ exitCode: 0, stdout: 'Profile "c" updated successfully.\n' });
    expect(readFileSync(path(), 'utf8')).toBe(original.replace('name: b', 'name: c'));
  });

  test('refuses a new name that no profile may have', async () => {
    const { world } = editor((text) => text.replace('name: a', 'name: -a'));
    expect(await edit('', world)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(readFileSync(path(), 'utf8')).toBe(original);
  });

  test('with --dry-run checks the text and saves nothing', async () => {
    const { world } = editor((text) => text.replace('user: u', 'user: v'));
    expect(await edit('--dry-run', world)).toMatchObject({ exitCode: 0, stdout: 'Profile "a" would be updated.\n' });
    expect(readFileSync(path(), 'utf8')).toBe(original);
    expect(readdirSync(drafts)).toEqual([]);
  });

  test('says that nothing was changed, and where', async () => {
    const { world } = editor((text) => text);
    const text = await edit('', world);
    expect(text).toEqual({ stdout: 'Profile "a" is unchanged.\n', stderr: '', exitCode: 0 });
    const json = await edit('--format json', world);
    expect(JSON.parse(json.stdout)).toEqual({
      profile: 'a',
      current: 'a',
      file: path(),
      ...{ status: 'NOT_NEEDED', dry_run: false, error: null },
    });
  });

  test('keeps the text if the profile was deleted in the meantime', async () => {
    const { world } = editor((text) => {
      writeFileSync(path(), 'profiles:\n  - name: b\n');
      return text.replace('user: u', 'user: v');
    });
    const { stderr, exitCode } = await edit('', world);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('a: no such profile')]);
    expect(stderr).toContain(`your text is kept in ${drafts}`);
  });

  test('of a name that is taken is a conflict with its own code', async () => {
    const { world } = editor((text) => text.replace('name: a', 'name: b'));
    const { stderr, exitCode } = await edit('--format json', world);
    expect(exitCode).toBe(6);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'PROFILE_EXISTS', target: 'b' });
  });
});
