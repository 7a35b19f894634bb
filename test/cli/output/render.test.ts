import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { command } from '../../../src/cli/command.ts';
import { createPrinter } from '../../../src/cli/output/output.ts';
import { printResult, type Rendering, toJson, toYaml } from '../../../src/cli/output/render.ts';
import type { ExitCode } from '../../../src/errors.ts';
import { plainView } from '../../../src/format/view.ts';
import { leftOut, type RowOf, row, type Shape, string, whole } from '../../../src/shape/shape.ts';

const coded = row({ a: string, code: leftOut(whole as Shape<ExitCode>) });

const thing = command({
  ...{ summary: 'Thing', examples: [], changes: 'alters' },
  result: coded,
  run: (): RowOf<typeof coded> => ({ a: 'x' }),
  show: {
    text: ({ a }) => `text ${a}\u001b[31m\n`,
    wide: ({ a }) => `wide ${a}\n`,
    exitCode: ({ code }) => code ?? 0,
  },
});
const narrow = { ...thing, show: { text: () => 'text\n', literal: true as const } };

/** What is printed for a result, and the exit code. */
async function printed(result: unknown, more: Partial<Rendering> = {}, of = thing) {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
  const rendering = {
    format: 'text',
    view: plainView,
    isTerminal: false,
    redraws: false,
    values: { dryRun: false },
    ...more,
  } as const;
  const { exitCode } = await printResult(result, of as typeof thing, printer, rendering);
  await printer.flush();
  return { exitCode, text };
}

test.each<[string, Partial<Rendering>, string]>([
  ['text', {}, 'text x\\u001b[31m\n'],
  ['text with color', { view: { ...plainView, color: true } }, 'text x\u001b[31m\n'],
  ['wide', { format: 'wide' }, 'wide x\n'],
  ['json', { format: 'json' }, '{"a":"x"}\n'],
  ['json on a terminal', { format: 'json', isTerminal: true }, '{\n  "a": "x"\n}\n'],
  ['yaml', { format: 'yaml' }, 'a: x\n'],
])('a result as %s', async (_, rendering, text) => {
  expect(await printed({ a: 'x' }, rendering)).toEqual({ exitCode: 0, text });
});

test('a command without wide text has its text, and literal text is not escaped', async () => {
  const plain = { ...narrow, show: { ...narrow.show, text: () => 'a\u001b\u0001\n' } };
  expect((await printed('x', { format: 'wide' }, plain as unknown as typeof thing)).text).toBe('a\u001b\u0001\n');
});

test('the first failure of a stream is its exit code, and YAML documents are separated', async () => {
  async function* rows() {
    yield* [{ a: '1' }, { a: '2', code: 4 }, { a: '3', code: 5 }, { a: '4', code: 0 }];
  }
  const json = await printed(rows(), { format: 'json' });
  expect(json.exitCode).toBe(4);
  expect(json.text.split('\n').at(0)).toBe('{"a":"1"}');
  expect((await printed(rows(), { format: 'yaml' })).text).toMatch(/^---\na: "1"\n---\na: "2"\n/);
});

test.each([[[]], [[{ a: 'x\ny', b: [] }, undefined, null, ['\u001b', {}], 2n ** 64n, 'z']]])(
  'a list in JSON is printed item by item, as if it were printed at once',
  async (list) => {
    for (const isTerminal of [false, true]) {
      const { text } = await printed(list, { format: 'json', isTerminal });
      expect(text).toBe(`${toJson(list, isTerminal)}\n`);
    }
  },
);

test('a stream that redraws replaces its text on a terminal, with the lines that wrap there', async () => {
  const of = {
    ...narrow,
    show: { ...narrow.show, text: (text: string) => `${text}\n`, redraws: true as const, literal: true as const },
  };
  async function* ticks() {
    yield 'one';
    yield '\n12345\n12345678901';
    yield '\u001b[32mend\u001b[39m 890';
    yield 'x';
  }
  const show = (rendering: Partial<Rendering>) => printed(ticks(), rendering, of as unknown as typeof thing);
  expect((await show({ redraws: true, view: { ...plainView, columns: 10 } })).text).toBe(
    'one\n\u001b[1A\u001b[J12345\n12345678901\n\u001b[3A\u001b[J\u001b[32mend\u001b[39m 890\n\u001b[1A\u001b[Jx\n',
  );
  expect((await show({})).text).toBe('one\n\n12345\n12345678901\n\u001b[32mend\u001b[39m 890\nx\n');
  expect((await show({ redraws: true, format: 'json' })).text).not.toContain('[1A');
});

test('text in pieces is escaped, except literal text, and as wide text too', async () => {
  const of = (isLiteral: boolean) => {
    const pieces = () => ['a\u001b\n', 'b\t\n'];
    const show = { ...narrow.show, text: pieces, wide: pieces, literal: isLiteral };
    return { ...narrow, show } as unknown as typeof thing;
  };
  expect((await printed('x', {}, of(false))).text).toBe('a\\u001b\nb\t\n');
  expect((await printed('x', { format: 'wide' }, of(false))).text).toBe('a\\u001b\nb\t\n');
  expect((await printed('x', {}, of(true))).text).toBe('a\u001b\nb\t\n');
});

test('JSON has what is missing as null, and YAML keeps long lines, repeated parts and words that look like booleans', async () => {
  expect([toJson(undefined), toJson(2n ** 64n), toJson('a\u202e')]).toEqual([
    'null',
    '18446744073709551616',
    '"a\\u202e"',
  ]);
  const part = { x: 'yes' };
  const long = `${'word '.repeat(60)}end`;
  expect(await toYaml({ one: part, two: part, long })).toBe(`one:\n  x: "yes"\ntwo:\n  x: "yes"\nlong: ${long}\n`);
  expect(await toYaml({ a: 'b\u202e' })).toBe('"a": "b\\u202e"\n');
});

test('what is nested too deeply for YAML names the format that can print it', async () => {
  let nested: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  await expect(toYaml(nested)).rejects.toMatchObject({
    message: 'unable to print the result as YAML: it is nested too deeply',
    hints: ['print it with --format json'],
  });
});
