import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

function worldWith(...options: readonly string[]): World & { readonly path: string } {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  const lines = options.map((line) => `\n      ${line}`).join('');
  writeWhole(path, `current_profile: one\nprofiles:\n  - name: one\n    options:${lines}\n`);
  return { home, path };
}

const red = '\u001b[41mone\u001b[0m';

describe('profile prompt', () => {
  test('prints the default prompt in colour even without a terminal', async () => {
    expect(await run('profile prompt', worldWith())).toEqual({ stdout: red, stderr: '', exitCode: 0 });
  });

  test('takes the format from every source in the order of the options', async () => {
    const world = { ...worldWith('globals.prompt: \'"p %n"\''), env: {} };
    expect((await run('profile prompt', world)).stdout).toBe('p one');
    expect((await run('profile prompt', { ...world, env: { WEIR_GLOBALS_PROMPT: '"e %n"' } })).stdout).toBe('e one');
    expect((await run(['profile', 'prompt', '-X', 'globals.prompt="x %n"'], world)).stdout).toBe('x one');
  });

  test.each([
    [{ NO_COLOR: '1' }, 'profile prompt', 'one'],
    [{ NO_COLOR: '' }, 'profile prompt', red],
    [{ TERM: 'dumb' }, 'profile prompt', 'one'],
    [{ NO_COLOR: '1' }, 'profile prompt --color always', red],
    [{}, 'profile prompt --color never', 'one'],
    [{ CI: '1' }, 'profile prompt', red],
    [{ FORCE_COLOR: '0' }, 'profile prompt', 'one'],
    [{ FORCE_COLOR: 'false' }, 'profile prompt', 'one'],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, 'profile prompt', 'one'],
    [{ CLICOLOR_FORCE: '1', TERM: 'dumb' }, 'profile prompt', red],
    [{ CLICOLOR_FORCE: '0', TERM: 'dumb' }, 'profile prompt', 'one'],
  ])('honours %j with %s', async (env, line, shown) => {
    expect((await run(line, { ...worldWith(), env })).stdout).toBe(shown);
  });

  test('never breaks a shell prompt: prints nothing for an invalid format, a broken file or no profile', async () => {
    const nothing = { stdout: '', stderr: '', exitCode: 0 };
    expect(await run('profile prompt', worldWith('globals.prompt: purple'))).toEqual(nothing);
    expect(await run('profile prompt', worldWith('nonsense: 1'))).toEqual(nothing);
    expect(await run('profile prompt')).toEqual(nothing);
    const world = worldWith('pass: x');
    chmodSync(world.path, 0o644);
    expect(await run('profile prompt', world)).toEqual({ ...nothing, stdout: red });
  });

  test('--validate says what is wrong and where', async () => {
    expect(await run('profile prompt --validate', worldWith('globals.prompt: red, purple "%n"'))).toEqual({
      stdout: '',
      stderr:
        'weir: invalid prompt format at character 6: unknown modifier "purple"\n  red, purple "%n"\n       ^\nhint: write it like this: bg-red "%n"\n',
      exitCode: 2,
    });
  });
});
