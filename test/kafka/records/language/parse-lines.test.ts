import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { createLineParser } from '../../../../src/kafka/records/language/parse-lines.ts';
import { readProgram } from '../../../../src/kafka/records/language/parse-program.ts';
import {
  createRecordParser,
  type ParserOptions,
  type RecordParser,
} from '../../../../src/kafka/records/language/parse-stream.ts';
import { parse } from './parsing.ts';

type Taken = readonly [key: string | null, value: string | null];

function taken({ record }: RecordParser): Taken {
  const text = (bytes: Uint8Array, start: number, length: number): string | null =>
    length < 0 ? null : Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
  return [
    text(record.keyBytes, record.keyStart, record.keyLength),
    text(record.valueBytes, record.valueStart, record.valueLength),
  ];
}

interface Read {
  readonly records: readonly Taken[];
  readonly count: number;
  readonly error?: string;
}

/** Everything that comes out of a parser: records, how many, and the error. Pieces are wiped after use. */
function outcome(parser: RecordParser, pieces: readonly Buffer[], takeLines = false): Read {
  const records: Taken[] = [];
  const drain = (): void => {
    do {
      const lines = takeLines ? parser.lines() : undefined;
      if (lines === undefined) continue;
      for (let end = lines.bytes.indexOf(lines.terminator, lines.at); end >= 0; ) {
        records.push([null, lines.bytes.toString('latin1', lines.at, end)]);
        lines.at = end + 1;
        lines.count++;
        end = lines.bytes.indexOf(lines.terminator, lines.at);
      }
    } while (parser.next() && records.push(taken(parser)));
  };
  try {
    for (const piece of pieces) {
      const own = Buffer.from(piece);
      parser.push(own);
      drain();
      own.fill(0xee);
    }
    parser.end();
    drain();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { records, count: parser.count, error: error.message };
  }
  return { records, count: parser.count };
}

const layouts = ['%v\\n', '%v;', '%k %v\\n', '%k\\t%v\\n', '%k,%v;', '%k;%v;'];

function parsersOf(layout: string, options: ParserOptions): { fast: RecordParser; slow: RecordParser } {
  const program = readProgram(layout);
  if (program.lines === undefined) throw new Error(`${layout} is not read by lines`);
  return { fast: createLineParser(program, program.lines, options), slow: createRecordParser(program, options) };
}

/** Cuts `bytes` at the places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((to, index) => bytes.subarray(at[index], to));
}

const input = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('\n', ' ', ';', ',', '\t', '\r\n', '\n\n') }, fc.string()))
  .map((parts) => Buffer.from(parts.join('')));

describe('lines are read as the steps of their layout would read them', () => {
  test.each(layouts)('%s, whatever the input and its pieces', (layout) => {
    const options = fc.record({ tombstones: fc.boolean(), maxRecordBytes: fc.constantFrom(5, 20, 1 << 20) });
    const property = fc.property(input, fc.array(fc.nat()), options, fc.boolean(), (bytes, places, options, inBulk) => {
      const { fast, slow } = parsersOf(layout, options);
      const pieces = cut(bytes, places);
      // The caller handles what `lines` returns, including lines that are too long.
      fc.pre(!inBulk || options.maxRecordBytes > 1000);
      expect(outcome(fast, pieces, inBulk)).toEqual(outcome(slow, pieces));
    });
    fc.assert(property, { numRuns: 150 });
  });

  test.each(layouts)('%s, cut at every place', (layout) => {
    const separator = layout.includes('\\n') ? '\n' : ';';
    for (const end of ['', separator, 'x', ' ']) {
      const text = ['k v', '', 'k1\tv1 \r', 'a,b', ' ', 'caf\u00e9 \u{1f600}', 'last'].join(separator) + end;
      const bytes = Buffer.from(text);
      for (let first = 0; first <= bytes.length; first++) {
        // What is between two cuts is short, or the rest.
        for (
          let second = first;
          second <= bytes.length;
          second += second - first < 4 ? 1 : bytes.length - second || 1
        ) {
          const pieces = cut(bytes, [first, second]);
          const { fast, slow } = parsersOf(layout, {});
          const [read, expected] = [outcome(fast, pieces, true), outcome(slow, pieces)];
          // Much quicker than an assertion, of which there would be thousands.
          if (!isDeepStrictEqual(read, expected)) expect(read, `cut at ${first} and ${second}`).toEqual(expected);
        }
      }
    }
  });

  test('%v\\n, with a line across many pieces', () => {
    const bytes = Buffer.from(`${'x'.repeat(300_000)}\nshort\n${'y'.repeat(100_000)}`);
    const pieces = cut(
      bytes,
      Array.from({ length: 100 }, (_, index) => index * 4000),
    );
    const { fast, slow } = parsersOf('%v\\n', {});
    expect(outcome(fast, pieces, true)).toEqual(outcome(slow, pieces));
  });
});

test.each([
  ['%v\\n', true],
  ['%vab', false],
  ['%v\\r\\n', false],
  ['%k %v\\n', true],
  ['%k\\n%v\\n', false],
  ['%v %k\\n', false],
  ['%k{hex} %v\\n', false],
  ['%V{4}%v\\n', false],
  ['%v', false],
  ['%p %v\\n', false],
  ['x%v\\n', false],
])('%s is read by lines: %s', (layout, expected) => {
  expect(readProgram(layout).lines !== undefined).toBe(expected);
});

test('lines are processed in bulk only if each is just a value', () => {
  const chunk = Buffer.from('a b\nc');
  const bulk = (layout: string, options: ParserOptions = {}): boolean => {
    const parser = compileParser(layout).create(options);
    parser.push(chunk);
    return parser.lines() !== undefined;
  };
  expect(bulk('%v\\n')).toBe(true);
  expect(bulk('%v\\n', { tombstones: true })).toBe(false);
  expect(bulk('%k %v\\n')).toBe(false);
  expect(bulk('json')).toBe(false);
});

describe('a line that lacks its separator', () => {
  const layouts = ['%k,%v\\n', '%k, %v\\n', '%t,%k,%v\\n'];
  const inputs = [
    'a,1\nnokey\nalso none\nb,2\nnone\nc,3\n',
    'a, 1\nnokey\nalso none\nb, 2\nnone\nc, 3\n',
    't,a,1\nt,x\n\nb,2\n',
  ];
  const errors = [
    'unable to read record 2 (input line 2, byte 4): the line ends before the "," of the format',
    'unable to read record 2 (input line 2, byte 5): the line ends before the ", " of the format',
    'unable to read record 2 (input line 2, byte 8): the line ends before the "," of the format',
  ];

  test.each(layouts.map((layout, at) => [layout, inputs[at] ?? '', errors[at] ?? '']))(
    'ends the input there, however it is cut, and is not read together with the next line: %s',
    (layout, input, error) => {
      for (let size = 1; size <= input.length; size++) {
        const pieces = (input.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((piece) => Buffer.from(piece));
        const { records, ...rest } = outcome(compileParser(layout).create({}), pieces);
        expect({ records: records.length, ...rest }, `pieces of ${size}`).toEqual({ records: 1, count: 1, error });
      }
    },
  );

  test.each([
    ['%v\\n', 'a\nb\n'],
    ['%k,%v\\n', 'a,1\nb,2\n,\n\u00e4,\n'],
    ['%k\\n%v\\n', 'a\n1\nb\n2\n'],
    ['%k,%v;', 'a\n,1;'],
    ['%V{big8}%v\\n', '\u0003a\nb\n'],
    ['%V{3}%v\\n', 'a\nb\n'],
  ])('is no error if records are not lines, or the input is fine: %s', (layout, input) => {
    expect(outcome(compileParser(layout).create({}), [Buffer.from(input)])).not.toHaveProperty('error');
  });
});

test('a layout that only begins like lines of keys and values is read to its end', () => {
  expect(parse('%k,%v|%p\\n', [Buffer.from('a,b|3\nc,d|4\n')])).toEqual([
    { k: 'a', v: 'b', p: 3 },
    { k: 'c', v: 'd', p: 4 },
  ]);
});
