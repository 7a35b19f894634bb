import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFile } from '../../../src/files/lock.ts';
import type { Signal } from '../../../src/host/host.ts';
import { writeWhole } from '../../config/sources/sources.ts';
import { holdLimit } from '../../held-limit.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

const original = `# mine
current_profile: a
profiles:
  - name: a # the first
    options: {user: u}
  - name: b
`;

interface Edited extends World {
  readonly path: string;
  /** The command line that started the editor, and the file it was given. */
  readonly seen: { words: readonly string[]; file: string; mode: number };
}

/** A world whose editor changes its file by `edit`; undefined means that it fails. */
function worldWith(
  edit: (text: string) => string | undefined,
  env: Record<string, string> = { EDITOR: 'ed -w' },
): Edited {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  writeWhole(path, original);
  const seen = { words: [] as readonly string[], file: '', mode: 0 };
  return {
    home,
    path,
    seen,
    env: { ...env, TMPDIR: temporaryDirectory() },
    async spawn(program, args) {
      const file = args.at(-1) ?? '';
      Object.assign(seen, { words: [program, ...args.slice(0, -1)], file, mode: statSync(file).mode & 0o777 });
      const text = edit(readFileSync(file, 'utf8'));
      if (text !== undefined) writeFileSync(file, text);
      return { exitCode: text === undefined ? 1 : 0, stdout: '', stderr: '' };
    },
  };
}

describe('profile edit', () => {
  test("opens the profile in the editor, with the editor's arguments, and saves the result", async () => {
    const world = worldWith((text) => text.replace('user: u', 'user: v, pass: p'));
    expect(await run('profile edit', world)).toEqual({
      stdout: 'Profile "a" updated successfully.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(readFileSync(world.path, 'utf8')).toBe(original.replace('user: u', 'user: v, pass: p'));
    expect(world.seen).toMatchObject({ words: ['sh', '-c', 'ed -w "$@"', 'ed -w'], mode: 0o600 });
    expect(existsSync(dirname(world.seen.file))).toBe(false);
  });

  test('a draft that the editor removed is not said to be kept, and its directory is removed', async () => {
    const world = worldWith(() => '');
    const outcome = await run('profile edit', {
      ...world,
      async spawn(program, args, options) {
        const result = await world.spawn?.(program, args, options);
        rmSync(world.seen.file);
        return result ?? { exitCode: 0, stdout: '', stderr: '' };
      },
    });
    expect(outcome).toEqual({
      stdout: '',
      stderr: `weir: unable to read ${world.seen.file}: no such file\n`,
      exitCode: 1,
    });
    expect(existsSync(dirname(world.seen.file))).toBe(false);
  });

  test('a pipe in place of the draft, which nobody writes to, is waited for until the limit', async () => {
    const world = worldWith(() => '');
    const outcome = await run('profile edit -X globals.command_timeout=500ms', {
      ...world,
      async spawn(program, args, options) {
        const result = await world.spawn?.(program, args, options);
        rmSync(world.seen.file);
        execFileSync('mkfifo', [world.seen.file]);
        return result ?? { exitCode: 0, stdout: '', stderr: '' };
      },
    });
    expect([outcome.exitCode, outcome.stderr]).toEqual([5, expect.stringContaining('command_timeout=500ms')]);
  });

  test('VISUAL comes before EDITOR; another profile is named; a new name keeps the selection', async () => {
    const world = worldWith((text) => text.replace('name: a', 'name: c'), { VISUAL: 'vis', EDITOR: 'ed' });
    await run('profile edit a', world);
    expect(world.seen.words).toContain('vis "$@"');
    expect(readFileSync(world.path, 'utf8')).toBe(
      original.replace('current_profile: a', 'current_profile: c').replace('name: a', 'name: c'),
    );
  });

  test('saves nothing when the text is wrong, and keeps it', async () => {
    const world = worldWith((text) => `${text}nonsense: 1\n`);
    const { stderr, exitCode } = await run('profile edit', world);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${world.seen.file}:3: unknown key "nonsense"`);
    expect(stderr).toContain(`hint: nothing was saved; your text is kept in ${world.seen.file}`);
    expect(readFileSync(world.seen.file, 'utf8')).toContain('nonsense: 1');
    expect(readFileSync(world.path, 'utf8')).toBe(original);
  });

  test('a text that is no YAML is kept as well, and the error says where', async () => {
    const world = worldWith(() => 'a: [b\n  c: d: e\n');
    const { stderr, exitCode } = await run('profile edit', world);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`hint: nothing was saved; your text is kept in ${world.seen.file}`);
    expect(readFileSync(world.seen.file, 'utf8')).toContain('a: [b');
  });

  const kept: readonly (readonly [string, (text: string) => string | undefined, number])[] = [
    ['nothing was changed', (text) => text, 0],
    ['the text was emptied', () => '\n', 0],
    ['the editor failed', () => undefined, 1],
    ['the new name is taken', (text) => text.replace('name: a', 'name: b'), 6],
    ['it gives a secret twice', (text) => text.replace('user: u', 'pass: p, pass.file: /f'), 2],
    ['it is no YAML', () => 'name: "a', 2],
  ];
  test.each(kept)('the file stays as it is when %s', async (_, edit, exitCode) => {
    const world = worldWith(edit);
    expect(await run('profile edit', world)).toMatchObject({ exitCode });
    expect(readFileSync(world.path, 'utf8')).toBe(original);
  });

  test('a concurrent change is a conflict, and the text is kept', async () => {
    const world: Edited = worldWith((text) => {
      writeFileSync(world.path, original.replace('user: u', 'user: other'));
      return text.replace('user: u', 'user: v');
    });
    const { stderr, exitCode } = await run('profile edit', world);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('another program has changed it in the meantime')]);
    expect(readFileSync(world.path, 'utf8')).toContain('user: other');
    expect(existsSync(world.seen.file)).toBe(true);
  });

  test('the text is kept when the editor fails', async () => {
    const world = worldWith((text) => text);
    const spawn: World['spawn'] = async (_, args) => {
      writeFileSync(args.at(-1) ?? '', 'half a thought');
      return { exitCode: 3, stdout: '', stderr: '' };
    };
    const { stderr, exitCode } = await run('profile edit', { ...world, spawn });
    const [, draft = ''] = /your text is kept in (.*)/.exec(stderr) ?? [];
    expect([exitCode, readFileSync(draft, 'utf8')]).toEqual([1, 'half a thought']);
    expect(stderr).toContain('weir: the editor ed -w failed with exit code 3\n');
  });

  test.each([126, 127] as const)(
    'an editor that the shell cannot find or run (%i) gets a hint about the variables, and no draft is left',
    async (code) => {
      const world = worldWith((text) => text);
      const spawn: World['spawn'] = async (_, args) => {
        world.seen.file = args.at(-1) ?? '';
        return { exitCode: code, stdout: '', stderr: '' };
      };
      expect(await run('profile edit', { ...world, spawn })).toEqual({
        stdout: '',
        stderr: `weir: the editor ed -w failed with exit code ${code}\nhint: set VISUAL or EDITOR to a program that can be run\n`,
        exitCode: 1,
      });
      expect(existsSync(dirname(world.seen.file))).toBe(false);
    },
  );

  test.each([
    [
      'exits with 127 after it has changed the text',
      'half a thought',
      127,
      /hint: set VISUAL .*\nhint: .*kept in (.*)/,
    ],
    ['fails without having changed the text', undefined, 1, /your text is kept in (.*)/],
  ] as const)('the text is kept when the editor %s', async (_case, typed, code, kept) => {
    const world = worldWith((text) => text);
    let before = '';
    const spawn: World['spawn'] = async (_, args) => {
      const file = args.at(-1) ?? '';
      before = readFileSync(file, 'utf8');
      if (typed !== undefined) writeFileSync(file, typed);
      return { exitCode: code, stdout: '', stderr: '' };
    };
    const { stderr, exitCode } = await run('profile edit', { ...world, spawn });
    const [, draft = ''] = kept.exec(stderr) ?? [];
    expect([exitCode, readFileSync(draft, 'utf8')]).toEqual([1, typed ?? before]);
  });

  /** Runs an editor that receives a signal and still exits with 0. */
  async function signalled(signal: Signal, terminal: World['terminal'] = {}) {
    const world = worldWith((text) => text);
    let kill: (signal: Signal) => void = () => {};
    const passedOn: Signal[] = [];
    const spawn: World['spawn'] = async (_, args, { onStart }) => {
      onStart?.((got) => passedOn.push(got));
      kill(signal);
      const file = args.at(-1) ?? '';
      writeFileSync(file, readFileSync(file, 'utf8').replace('user: u', 'user: v'));
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    const onStart = (send: typeof kill) => {
      kill = send;
    };
    const outcome = await run('profile edit', { ...world, spawn, onStart, terminal });
    return { ...outcome, passedOn, saved: readFileSync(world.path, 'utf8').includes('user: v') };
  }

  test('Ctrl-C goes to the editor: weir waits for it and saves the result', async () => {
    const terminal = { stdin: true, stdout: true, stderr: true };
    expect(await signalled('SIGINT', terminal)).toMatchObject({ exitCode: 0, stderr: '', passedOn: [], saved: true });
  });

  test('without a terminal, SIGINT is passed on to the editor', async () => {
    expect(await signalled('SIGINT')).toMatchObject({ exitCode: 0, passedOn: ['SIGINT'], saved: true });
  });

  test('SIGTERM is passed on to the editor; nothing is saved and the text is kept', async () => {
    const { stderr, ...rest } = await signalled('SIGTERM');
    expect(rest).toMatchObject({ exitCode: 143, passedOn: ['SIGTERM'], saved: false });
    const [, draft = ''] = /your text is kept in (.*)/.exec(stderr) ?? [];
    expect(readFileSync(draft, 'utf8')).toContain('user: v');
  });

  test('a command timeout that was set ends the editor; nothing is saved and the text is kept', async () => {
    const world = worldWith((text) => text.replace('user: u', 'user: v'));
    const limit = holdLimit();
    const passedOn: Signal[] = [];
    const spawn: World['spawn'] = async (...call) => {
      call[2].onStart?.((got) => passedOn.push(got));
      limit.expire();
      return await (world.spawn as NonNullable<World['spawn']>)(...call);
    };
    const { exitCode, stderr } = await run(`profile edit ${limit.option}`, { ...world, spawn });
    expect([exitCode, passedOn]).toEqual([5, ['SIGTERM']]);
    const [, draft = ''] = /your text is kept in (.*)/.exec(stderr) ?? [];
    expect(readFileSync(draft, 'utf8')).toContain('user: v');
    expect(readFileSync(world.path, 'utf8')).toContain('user: u');
  });

  test('the text is kept when the file stays locked', async () => {
    const world = worldWith((text) => text.replace('user: u', 'user: v'));
    const lock = await lockFile(`${world.path}.lock`);
    const limit = holdLimit();
    let expiring: NodeJS.Timeout | undefined;
    const spawn: World['spawn'] = async (...call) => {
      const edited = await (world.spawn as NonNullable<World['spawn']>)(...call);
      expiring = setInterval(limit.expire, 20);
      return edited;
    };
    const { stderr, exitCode } = await run(`profile edit ${limit.option}`, { ...world, spawn });
    clearInterval(expiring);
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining(`your text is kept in ${world.seen.file}`)]);
    expect(readFileSync(world.seen.file, 'utf8')).toContain('user: v');
    await lock.release();
  });

  test('the text is named when a second signal ends the command at once', async () => {
    const world = worldWith((text) => text.replace('user: u', 'user: v'));
    const lock = await lockFile(`${world.path}.lock`);
    let kill: (signal: Signal) => void = () => {};
    const onStart = (send: typeof kill) => {
      kill = send;
    };
    const onStderr = (text: string) => {
      if (text.includes('waiting for a lock')) for (const signal of ['SIGTERM', 'SIGTERM'] as const) kill(signal);
    };
    const { stderr, exitCode } = await run('profile edit -v', { ...world, onStart, onStderr });
    expect([exitCode, stderr]).toEqual([143, expect.stringContaining(`your text is kept in ${world.seen.file}`)]);
    await lock.release();
  });

  test('without a terminal and without an editor it says what to do', async () => {
    const { stderr, exitCode } = await run(
      'profile edit',
      worldWith((text) => text, {}),
    );
    expect([exitCode, stderr]).toEqual([
      2,
      'weir: unable to start an editor: there is no terminal\nhint: use: weir profile set KEY=VALUE\n',
    ]);
  });
});
