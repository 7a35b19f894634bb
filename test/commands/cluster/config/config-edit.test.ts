import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { temporaryDirectory, type World } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';
import { put, setIn } from './config-import.ts';

beforeEach(skipPauses);

/** An editor that changes its file; `seen` has the file and what was in it. */
function editor(change: (text: string) => unknown): World & { readonly seen: { file: string; text: string } } {
  const seen = { file: '', text: '' };
  return {
    seen,
    env: { EDITOR: 'ed', TMPDIR: temporaryDirectory() },
    async spawn(_, args) {
      const file = args.at(-1) ?? '';
      Object.assign(seen, { file, text: readFileSync(file, 'utf8') });
      const text = await change(seen.text);
      if (typeof text === 'string') writeFileSync(file, text);
      return { exitCode: text === undefined ? 1 : 0, stdout: '', stderr: '' };
    },
  };
}

const config = { log_retention_ms: 1000, superusers: ['root'] };

describe('cluster config edit', () => {
  test('opens what an export writes, and imports the result', async () => {
    const world = await adminWorld({ seeds: { config } });
    const person = editor((text) => text.replace('enable_sasl: false', 'enable_sasl: true'));
    expect(await world.cluster('config edit --wait', person)).toEqual({
      stdout: 'PROPERTY     OLD    NEW\nenable_sasl  false  true\nThe configuration has version 2.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await setIn(world)).toEqual({ ...config, enable_sasl: true });
    const untouched = await adminWorld({ seeds: { config } });
    expect(person.seen.text).toBe((await untouched.cluster('config export')).stdout);
    expect(person.seen.file).toMatch(/cluster-config\.yaml$/);
    expect(existsSync(dirname(person.seen.file))).toBe(false);
  });

  test('--all opens tunable properties as well', async () => {
    const world = await adminWorld();
    const person = editor((text) => text.replace(/^log_segment_size: .*$/m, 'log_segment_size: 2097152'));
    expect((await world.cluster('config edit --all', person)).exitCode).toBe(0);
    expect(await setIn(world)).toEqual({ log_segment_size: 2_097_152 });
  });

  test.each([
    ['nothing was changed', (text: string) => text],
    ['only a comment was', (text: string) => `# mine\n${text}`],
    ['the text was deleted', () => '\n'],
  ])('no changes are made if %s', async (_, change) => {
    const world = await adminWorld({ seeds: { config } });
    const person = editor(change);
    expect(await world.cluster('config edit', person)).toEqual({
      stdout: '',
      stderr: 'no changes were made: the configuration is already as in the file\n',
      exitCode: 0,
    });
    expect(world.changes()).toEqual([]);
    expect(existsSync(person.seen.file)).toBe(false);
  });

  test('a line that is deleted resets its property, after a question; after no, the text is kept', async () => {
    const world = await adminWorld({ seeds: { config } });
    const person = editor((text) => text.replace(/^log_retention_ms.*$/m, '').replace(/^enable_usage.*$/m, ''));
    const no = await world.cluster('config edit', { ...person, terminal: { typed: 'n\n' } });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain(`log_retention_ms  1000  (default)\nYour text is in ${person.seen.file} until`);
    expect(no.stderr).toContain('Reset 1 property to its default, which can erase older records, on ');
    expect(existsSync(person.seen.file)).toBe(true);
    const yes = await world.cluster('config edit', { ...person, terminal: { typed: 'y\n' } });
    expect(yes.exitCode).toBe(0);
    expect(await setIn(world)).toEqual({ superusers: ['root'] });
    expect(existsSync(person.seen.file)).toBe(false);
    const refused = await world.cluster(
      'config edit --no-input',
      editor((text) => text.replace(/^superusers:\n.*$/m, '')),
    );
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/^hint: your text is kept in \S+; use it with: weir cluster config import --file /m);
  });

  /** Runs an edit that fails and returns its error; the text must be kept, and can be imported. */
  async function lost(change: (text: string) => unknown, code: number) {
    const world = await adminWorld({ seeds: { config } });
    const person = editor(change);
    const { stdout, stderr, exitCode } = await world.cluster('config edit --yes', person);
    expect(exitCode, stderr).toBe(code);
    const hint = `your text is kept in ${person.seen.file}; use it with: weir cluster config import --file ${person.seen.file}`;
    expect(stderr).toContain(hint);
    return { world, stdout, stderr, file: person.seen.file };
  }

  test('a wrong text is not lost: the error names its line and the file, which can be imported', async () => {
    const { world, stderr, file } = await lost((text) => text.replace('enable_sasl: false', 'enable_sas: true'), 2);
    const line = readFileSync(file, 'utf8').split('\n').indexOf('enable_sas: true') + 1;
    expect(stderr).toContain(
      `weir: ${file}:${line}: the cluster has no property "enable_sas", did you mean "enable_sasl"?`,
    );
    expect(world.changes()).toEqual(['PUT /v1/cluster_config?dry_run=true']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('enable_sas:', 'enable_sasl:'));
    expect((await world.cluster(`config import --file ${file}`)).exitCode).toBe(0);
    expect(await setIn(world)).toEqual({ ...config, enable_sasl: true });
  });

  test('what the cluster refuses is not lost', async () => {
    const { world, stdout } = await lost((text) => text.replace('log_retention_ms: 1000', 'log_retention_ms: -7'), 1);
    expect(stdout).toContain('out of range');
    expect(await setIn(world)).toEqual(config);
  });

  test('a change by somebody else in the meantime is not overwritten: exit 6', async () => {
    const world = await adminWorld({ seeds: { config } });
    const person = editor(async (text) => {
      await world.ok(put, { body: { upsert: { superusers: ['eve'] }, remove: [] } });
      return text.replace('enable_sasl: false', 'enable_sasl: true');
    });
    const { stderr, exitCode } = await world.cluster('config edit --yes --format json', person);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('"code":"CONFIG_CHANGED"');
    expect(stderr).toContain('the configuration was changed by someone else in the meantime: superusers"');
    expect(stderr).toContain(`your text is kept in ${person.seen.file}`);
    expect(await setIn(world)).toEqual({ ...config, superusers: ['eve'] });
    expect(world.changes()).toEqual([put]);
  });

  test('the text is kept when the editor fails, when the cluster does not answer, and after a dry run', async () => {
    const failing = await adminWorld();
    const person = editor(() => undefined);
    const { stderr, exitCode } = await failing.cluster('config edit', person);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('weir: the editor ed failed with exit code 1\n');
    expect(stderr).toContain(person.seen.file);
    const change = (text: string) => text.replace('enable_sasl: false', 'enable_sasl: true');
    const down = await adminWorld();
    const cut = editor((text) => {
      down.switches.addFault({ route: '*', effect: { kind: 'status', status: 500 }, times: null });
      return change(text);
    });
    const outcome = await down.cluster('config edit', cut);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain(`your text is kept in ${cut.seen.file}`);
    expect(existsSync(cut.seen.file)).toBe(true);
    const dry = editor(change);
    const shown = await (await adminWorld()).cluster('config edit --dry-run', dry);
    expect(shown.stdout).toBe('PROPERTY     OLD    NEW\nenable_sasl  false  true\n');
    expect(shown.stderr).toContain(`your text is kept in ${dry.seen.file}`);
    const same = editor((text) => text);
    const nothing = await (await adminWorld()).cluster('config edit --dry-run', same);
    expect(nothing.stderr).not.toContain(same.seen.file);
    expect(existsSync(same.seen.file)).toBe(false);
  });

  test('an editor that cannot be run leaves no file behind, and none is named', async () => {
    const world = await adminWorld();
    const person = editor((text) => text);
    const spawn: World['spawn'] = async (program, args, how) => {
      await person.spawn?.(program, args, how);
      return { exitCode: 127, stdout: '', stderr: '' };
    };
    const { stderr, exitCode } = await world.cluster('config edit', { ...person, spawn });
    expect(stderr).toBe(
      'weir: the editor ed failed with exit code 127\nhint: set VISUAL or EDITOR to a program that can be run\n',
    );
    expect(exitCode).toBe(1);
    expect(existsSync(dirname(person.seen.file))).toBe(false);
  });

  test('Ctrl-C while the change is sent names the file with the text', async () => {
    const world = await adminWorld();
    const person = editor((text) => text.replace('enable_sasl: false', 'enable_sasl: true'));
    const { stderr, exitCode } = await world.cluster('config edit', {
      ...person,
      onStart: (kill) => world.whenAfter('config.change', () => kill('SIGINT')),
    });
    // The request after the change is the one for the state.
    expect(exitCode).toBe(130);
    expect(stderr).toContain('weir: the configuration has been changed (version 2)\n');
    expect(existsSync(person.seen.file)).toBe(true);
  });

  test('without a terminal and without an editor it says what to do, and asks the cluster for nothing more', async () => {
    const world = await adminWorld();
    const { stderr, exitCode } = await world.cluster('config edit --no-input');
    expect(stderr).toBe(
      'weir: unable to start an editor: there is no terminal\nhint: use: weir cluster config set KEY VALUE, or weir cluster config export and import\n',
    );
    expect(exitCode).toBe(2);
  });
});
