import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completionFiles } from '../../../src/cli/completion/completion.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

function machine(env: World['env'] = {}, more: Omit<World, 'env' | 'home'> = {}) {
  const home = temporaryDirectory();
  const at = (...names: string[]) => join(home, ...names);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return { at, put, run: (line: string, own: World = {}) => run(line, { home, env, ...more, ...own }) };
}

const scripts = { bash: 'weir.bash', zsh: '_weir', fish: 'weir.fish', powershell: 'weir.ps1' } as const;
const scriptOf = (shell: keyof typeof scripts) => readFileSync(join('completions', scripts[shell]), 'utf8');

test.each([
  ['bash', ['.local/share/bash-completion/completions/weir'], {}],
  ['bash', ['data/bash-completion/completions/weir'], { XDG_DATA_HOME: 'data' }],
  ['bash', ['own/completions/weir'], { BASH_COMPLETION_USER_DIR: 'own' }],
  ['zsh', ['.zfunc/_weir'], {}],
  ['fish', ['.config/fish/completions/weir.fish'], {}],
  ['fish', ['conf/fish/completions/weir.fish'], { XDG_CONFIG_HOME: 'conf' }],
  ['powershell', ['.config/powershell/weir.ps1'], {}],
] as const)('the script of %s goes to %s', async (shell, [path], directories) => {
  const home = temporaryDirectory();
  const env = Object.fromEntries(Object.entries(directories).map(([name, value]) => [name, join(home, value)]));
  const done = await run(`completion install ${shell} --yes`, { home, env });
  expect(done).toMatchObject({ stderr: '', exitCode: 0 });
  expect(done.stdout).toContain(`${join(home, path)}: created\n`);
  expect(readFileSync(join(home, path), 'utf8')).toBe(scriptOf(shell));
  expect(statSync(join(home, path)).mode & 0o777).toBe(0o644);
});

describe('the shell in use', () => {
  test.each([
    ['/usr/bin/zsh', 'zsh'],
    ['/opt/homebrew/bin/fish', 'fish'],
    ['/usr/bin/pwsh', 'powershell'],
  ])('is the one of $SHELL, if no shell has started weir: %s', async (SHELL, shell) => {
    const { run } = machine({ SHELL });
    const { stdout } = await run('completion install --dry-run --format json');
    expect(JSON.parse(stdout)).toMatchObject({ shell, replaced: false, dry_run: true });
  });

  test('must be named if it is none of them', async () => {
    expect(await machine({ SHELL: '/bin/ksh' }).run('completion install --yes')).toEqual({
      stdout: '',
      stderr:
        'weir: unable to tell which shell is in use\nhint: name it: weir completion install bash|zsh|fish|powershell\n',
      exitCode: 2,
    });
  });
});

test('the question shows the file, and without a yes nothing is written', async () => {
  const { run, at } = machine();
  const refused = await run('completion install fish', { terminal: { typed: 'n\n' } });
  expect(refused.stderr).toMatch(/^Create \S+\/\.config\/fish\/completions\/weir\.fish\? \[y\/N\] /);
  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(existsSync(at('.config'))).toBe(false);
  expect(await run('completion install fish')).toMatchObject({ stdout: '', exitCode: 2 });
  expect(await run('completion install fish --no-input')).toMatchObject({ stdout: '', exitCode: 2 });
  expect(await run('completion install fish --dry-run')).toMatchObject({ exitCode: 0 });
  expect(existsSync(at('.config'))).toBe(false);
  expect(await run('completion install fish', { terminal: { typed: 'y\n' } })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(at('.config/fish/completions/weir.fish'), 'utf8')).toBe(scriptOf('fish'));
});

test('a second time asks and changes nothing, and an older script is replaced', async () => {
  const { run, at, put } = machine();
  const path = at('.config/fish/completions/weir.fish');
  put(path, '# Completion of weir for fish. Generated: do not edit.\nold\n');
  expect((await run('completion install fish --yes')).stdout).toBe(`${path}: replaced\n`);
  const before = statSync(path).ino;
  expect(await run('completion install fish')).toEqual({ stdout: `${path}: unchanged\n`, stderr: '', exitCode: 0 });
  expect(statSync(path).ino).toBe(before);
});

test('a file that weir has not written is replaced only after a question', async () => {
  const { run, at, put } = machine();
  const path = at('.zfunc/_weir');
  put(path, '#compdef weir\nmine\n');
  expect(await run('completion install zsh --yes')).toMatchObject({
    stderr: expect.stringContaining(`weir: unable to replace ${path}: weir has not written it\n`),
    exitCode: 6,
  });
  expect(readFileSync(path, 'utf8')).toBe('#compdef weir\nmine\n');
  const answered = await run('completion install zsh', { terminal: { typed: 'y\n' } });
  expect(answered.stderr).toContain(`Replace ${path}, which weir has not written? [y/N] `);
  expect(readFileSync(path, 'utf8')).toBe(scriptOf('zsh'));
});

test('a file that changes while the question is open stays', async () => {
  const { run, at, put } = machine();
  const path = at('.config/fish/completions/weir.fish');
  const typed = () => {
    put(path, 'mine\n');
    return 'y\n';
  };
  let text = '';
  const answered = await run('completion install fish', {
    terminal: { typed: 'y\n' },
    onStderr: () => {
      if (text === '') text = typed();
    },
  });
  expect(answered).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('it has changed in the meantime') });
  expect(readFileSync(path, 'utf8')).toBe('mine\n');
});

test('somebody else who installs the same script in the meantime is no conflict', async () => {
  const { run, at, put } = machine();
  const path = at('.config/fish/completions/weir.fish');
  const answered = await run('completion install fish', {
    terminal: { typed: 'y\n' },
    onStderr: () => put(path, scriptOf('fish')),
  });
  expect(answered).toMatchObject({ exitCode: 0, stdout: `${path}: created\n` });
});

test('a link to a file is followed, as for dotfiles in a repository', async () => {
  const { run, at, put } = machine();
  put(at('dotfiles/weir.fish'), '# Completion of weir for fish. Generated: do not edit.\n');
  mkdirSync(at('.config/fish/completions'), { recursive: true });
  symlinkSync(at('dotfiles/weir.fish'), at('.config/fish/completions/weir.fish'));
  await run('completion install fish --yes');
  expect(readFileSync(at('dotfiles/weir.fish'), 'utf8')).toBe(scriptOf('fish'));
});

test('no start-up file is changed: the line that it needs is printed, unless it is there', async () => {
  const { run, at, put } = machine();
  const rc = at('.zshrc');
  const first = await run('completion install zsh --yes');
  const add = 'fpath=(~/.zfunc $fpath)';
  expect(first.stdout).toContain(`add this line to ${rc}:\n  ${add}; autoload -Uz compinit && compinit\n`);
  expect(existsSync(rc)).toBe(false);
  put(rc, 'autoload -Uz compinit\ncompinit\n');
  const later = await run('completion install zsh');
  expect(later.stdout).toContain(`add this line to ${rc}, before compinit:\n  ${add}\n`);
  put(rc, `${add}\nautoload -Uz compinit\ncompinit\n`);
  expect((await run('completion install zsh')).stdout).not.toContain('add this line');
});

test('the line that bash reads the script with keeps a space in its path', async () => {
  const { run } = machine({ BASH_COMPLETION_USER_DIR: "/x/it's mine" });
  const { stdout } = await run('completion install bash --dry-run --format json');
  expect(JSON.parse(stdout).now).toBe(`. '/x/it'\\''s mine/completions/weir'`);
});

test('PowerShell on Windows reads the script by a line in its profile', async () => {
  const { run, at } = machine({ APPDATA: "/x/it's" }, { platform: 'win32' });
  const { stdout } = await run('completion install --dry-run --format json');
  expect(JSON.parse(stdout)).toMatchObject({
    shell: 'powershell',
    path: "/x/it's/weir/weir.ps1",
    startup: { file: '$PROFILE', line: ". '/x/it''s/weir/weir.ps1'" },
  });
  expect(existsSync(at('weir'))).toBe(false);
});

describe('uninstall', () => {
  test('removes the script after a question, and only a script', async () => {
    const { run, at, put } = machine();
    const path = at('.config/fish/completions/weir.fish');
    expect(await run('completion uninstall fish')).toMatchObject({ exitCode: 3 });
    await run('completion install fish --yes');
    expect((await run('completion uninstall fish --dry-run')).stdout).toBe(`${path}: would be removed\n`);
    const answered = await run('completion uninstall fish', { terminal: { typed: 'y\n' } });
    expect(answered).toMatchObject({ stdout: `${path}: removed\n`, exitCode: 0 });
    expect(existsSync(path)).toBe(false);
    put(path, 'mine\n');
    expect(await run('completion uninstall fish --yes')).toMatchObject({ exitCode: 6 });
    expect(existsSync(path)).toBe(true);
  });

  test('keeps a file that has taken the place of the script while the question is open', async () => {
    const { run, at, put } = machine();
    const path = at('.config/fish/completions/weir.fish');
    await run('completion install fish --yes');
    const answered = await run('completion uninstall fish', {
      terminal: { typed: 'y\n' },
      onStderr: () => put(path, 'mine\n'),
    });
    expect(answered).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('weir has not written it') });
    expect(readFileSync(path, 'utf8')).toBe('mine\n');
  });
});

test('every shell with a script has a place', () => {
  expect(Object.keys(scripts)).toEqual(Object.keys(completionFiles));
});
