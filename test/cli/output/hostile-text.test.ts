import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { command, entry } from '../../../src/cli/command.ts';
import type { Context } from '../../../src/context.ts';
import { CliError, exitCodes } from '../../../src/errors.ts';
import { sections } from '../../../src/format/sections.ts';
import { table } from '../../../src/format/table.ts';
import { listOf, row, string } from '../../../src/shape/shape.ts';
import { run, type World } from '../../world.ts';

/** Clears the screen, sets the title, returns the carriage, reverses the direction of text. */
const hostile = 'a\u001b[2J\u001b]0;pwned\u0007\r\u009b31m\u202eb\nweir: all is well';
const shown = 'a\\u001b[2J\\u001b]0;pwned\\u0007\\r\\u009b31m\\u202eb\\nweir: all is well';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|\nweir: all/;

interface Behaviour {
  readonly run?: (context: Context) => unknown;
  readonly text?: (rows: readonly { name: string }[]) => string;
}

function lineOf({ run: work = () => [{ name: hostile }], text }: Behaviour, world: World = {}) {
  const show = command({
    summary: 'Show',
    examples: [
      ['One', 'show'],
      ['Two', 'show -v'],
    ],
    changes: 'destroys',
    namesAll: true,
    result: listOf(row({ name: string })),
    confirm: () => ({ question: `Delete ${hostile}`, name: hostile }),
    run: (context) => work(context) as { name: string }[],
    show: {
      text:
        text ??
        ((rows, view) =>
          table(
            ['name'],
            rows.map(({ name }) => [name]),
            view,
          )),
    },
  });
  const commands = [entry('show', 'Show', async () => show)];
  return (line: string) => run(line, { commands, env: { NO_COLOR: '1' }, ...world });
}

describe('text from a server', () => {
  test('is escaped in tables, with colours or without', async () => {
    for (const flag of ['', '--color always'])
      expect((await lineOf({})(`show ${flag}`)).stdout).toBe(`NAME\n${shown}\n`);
  });

  test('is escaped in titles of sections, underlined as long as they are shown', async () => {
    const text = () => sections([{ title: 'a\u001bb', body: '' }], undefined, 'always');
    expect((await lineOf({ text })('show')).stdout).toBe('A\\U001BB\n========\n');
  });

  test('is escaped in text outside tables', async () => {
    const text = () => `Logged in, organization \u001b]52;c;cm0gLXJm\u0007\u202ex.\n`;
    for (const flag of ['', '--color always']) {
      const { stdout } = await lineOf({ text })(`show ${flag}`);
      expect(stdout).toBe('Logged in, organization \\u001b]52;c;cm0gLXJm\\u0007\\u202ex.\n');
    }
  });

  test('loses nothing in JSON and YAML, and is harmless there too', async () => {
    const json = (await lineOf({})('show --format json')).stdout;
    expect(json).not.toMatch(raw);
    expect(JSON.parse(json)).toEqual([{ name: hostile }]);
    const yaml = (await lineOf({})('show --format yaml')).stdout;
    expect(yaml).not.toMatch(raw);
    expect(parse(yaml)).toEqual([{ name: hostile }]);
  });

  test.each(['a\u202eb', '# a\u2028b', 'two\nlines \u2066', 'true\ufeff'])(
    'loses nothing in YAML: %j',
    async (name) => {
      const { stdout } = await lineOf({ run: () => [{ name }] })('show --format yaml');
      expect(stdout).not.toMatch(/[\u202e\u2028\u2066\ufeff]/);
      expect(parse(stdout)).toEqual([{ name }]);
    },
  );

  test('is escaped in errors, hints and stacks, in every format', async () => {
    const error = new CliError(exitCodes.failure, `refused: ${hostile}`, {
      hints: [`ask ${hostile}`],
      cause: new Error(hostile),
    });
    const line = lineOf({
      run: () => {
        throw error;
      },
    });
    const { stderr } = await line('show');
    expect(stderr).toBe(`weir: refused: ${shown}\nhint: ask ${shown}\n`);
    const machine = (await line('show --format json')).stderr;
    expect(machine).not.toMatch(raw);
    expect(JSON.parse(machine).error.message).toBe(`refused: ${hostile}`);
    expect((await line('show --format yaml')).stderr).not.toMatch(raw);
    expect((await line('show -vv')).stderr).not.toMatch(raw);
  });

  test('of a user name stays on one line in the hint of an authorization error', async () => {
    const error = new CliError(exitCodes.auth, 'denied', { code: 'TOPIC_AUTHORIZATION_FAILED' });
    const work = () => {
      throw error;
    };
    const { stderr } = await lineOf({ run: work }, { env: { WEIR_USER: 'u\n  hint: all is well' } })('show');
    expect(stderr).toBe(
      'weir: denied\nhint: check the permissions of user "u\\n  hint: all is well" (SCRAM-SHA-256, from WEIR_USER)\n',
    );
  });

  test('is escaped in notices, warnings, steps and details', async () => {
    const line = lineOf({
      run(context) {
        for (const say of [context.notice, context.warn, context.step, context.detail]) say(`x ${hostile}`);
        return [];
      },
    });
    const { stderr } = await line('show -vv');
    expect(stderr).toBe(`x ${shown}\nwarning: x ${shown}\nx ${shown}\nx ${shown}\n`);
  });

  test('is escaped in questions and names to type', async () => {
    const terminal = { stdin: true, stderr: true, stdout: true };
    const { stderr } = await lineOf({}, { terminal, stdin: 'n\n' })('show');
    expect(stderr).toBe(`Delete ${shown}? [y/N] weir: canceled: nothing was changed\n`);
  });

  test('is escaped in progress', async () => {
    const { progressText } = await import('../../../src/cli/output/progress.ts');
    expect(progressText(hostile, { detail: hostile }, 1_000)).toBe(`${shown}  ${shown}  1s`);
  });
});
