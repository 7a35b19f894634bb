import { describe, expect, test } from 'vitest';
import { printable } from '../../src/format/printable.ts';
import { sections } from '../../src/format/sections.ts';
import { showSize } from '../../src/format/size.ts';
import { pairs, table, width } from '../../src/format/table.ts';
import { showElapsed, showUtcTime } from '../../src/format/time.ts';
import { plainView } from '../../src/format/view.ts';
import { startProcessorTime } from '../processor-time.ts';

test('columns are two spaces apart under upper-case headers without spaces', () => {
  expect(
    table(
      ['name', 'high watermark', 'x'],
      [
        ['a', 12, true],
        ['long name', 3, null],
      ],
    ),
  ).toBe('NAME       HIGH-WATERMARK  X\na          12              true\nlong name  3               -\n');
});

test('the last cell is neither padded nor counted, so rows of other lengths nest', () => {
  expect(table(['a', 'b'], [['a long title of its own'], ['', 'x', 'y']])).toBe(
    'A  B\na long title of its own\n   x  y\n',
  );
});

test('no line ends with spaces', () => {
  expect(table(['a', 'b'], [['x', '']])).toBe('A  B\nx\n');
});

test('a cell of more than 400 columns does not widen the other rows, which would exhaust the memory', () => {
  const long = 'x'.repeat(500);
  const [head, first, second] = table(
    ['name', 'id'],
    [
      [long, 'a'],
      ['n', 'b'],
    ],
  ).split('\n');
  expect([head, first, second]).toEqual([`${'NAME'.padEnd(402)}ID`, `${long}  a`, `${'n'.padEnd(402)}b`]);
});

test('text of a megabyte in cells is shown whole, within seconds', () => {
  const cells = ['x'.repeat(1e6), '\u{1f600}'.repeat(1e6), 'y '.repeat(1e6)];
  const taken = startProcessorTime();
  const text = table(['name', 'id', 'text'], [cells], { ...plainView, columns: 80 });
  // Measuring every character took minutes.
  expect(taken()).toBeLessThan(5_000);
  for (const character of 'xy\u{1f600}') expect(text.split(character)).toHaveLength(1e6 + 1);
});

test('CJK and emoji align', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['日本語', 1],
        ['👍🏽', 2],
        ['é', 3],
      ],
    ),
  ).toBe('NAME    N\n日本語  1\n👍🏽      2\né       3\n');
  expect([width('日本'), width('👩‍👩‍👧'), width('e\u0301')]).toEqual([4, 2, 1]);
});

test('control characters are made visible, so that a name cannot drive the terminal', () => {
  expect(table(['n'], [['a\u001b[31m\n\tb\u009b']])).toBe('N\na\\u001b[31m\\n\\tb\\u009b\n');
  expect(printable('a\r')).toBe('a\\r');
});

test('lists, numbers and what is missing', () => {
  expect(table(['l', 'n', 'u', 'x'], [[[1, 2], 2n ** 63n, undefined, '']])).toBe(
    'L      N                    U  X\n[1 2]  9223372036854775808  -\n',
  );
});

test('a style is shown where colour is wanted, and is not counted', () => {
  const rows = [[{ text: 'ok', style: 'green' as const }, 'x']];
  expect(table(['s', 'n'], rows)).toBe('S   N\nok  x\n');
  expect(table(['s', 'n'], rows, { ...plainView, color: true })).toBe('S   N\n\u001b[32mok\u001b[39m  x\n');
});

describe('on a terminal that is too narrow', () => {
  const error = 'INVALID_PARTITIONS: the number of partitions is below one, which no topic has';

  test('wide cells wrap under their own column, and nothing is left out', () => {
    const view = { ...plainView, columns: 40 };
    expect(table(['topic', 'status', 'n'], [['orders', error, 1]], view)).toBe(
      [
        'TOPIC   STATUS                         N',
        'orders  INVALID_PARTITIONS: the        1',
        '        number of partitions is below',
        '        one, which no topic has',
        '',
      ].join('\n'),
    );
  });

  test('so does the last column, but a long word in it runs on so that it can be copied', () => {
    const path = '/home/ana/.local/state/weir/sandbox/one';
    expect(table(['name', 'where'], [['one', `see ${path}`]], { ...plainView, columns: 30 })).toBe(
      `NAME  WHERE\none   see\n      ${path}\n`,
    );
  });

  test('a long word in another column is broken', () => {
    expect(table(['name', 'n'], [['a'.repeat(30), '1234567890123']], { ...plainView, columns: 36 })).toBe(
      `NAME                   N\n${'a'.repeat(21)}  1234567890123\n${'a'.repeat(9)}\n`,
    );
  });

  test('ids stay whole, and the other columns give way', () => {
    const id = 'cjb5vehc4vs19qc11pjg';
    const row = ['first', id, 'STATE_READY', 'TYPE_DEDICATED', 'CLOUD_PROVIDER_AWS', 'us-east-1', 'tier-1-aws-v2-x86'];
    const head = ['name', 'id', 'state', 'type', 'provider', 'region', 'tier'];
    const shown = table(head, [row, row], { ...plainView, columns: 80 });
    expect(shown.split(id)).toHaveLength(3);
    const widest = Math.max(...shown.split('\n').map(({ length }) => length));
    expect(widest).toBeLessThanOrEqual(80);
    const bare = table(head, [row], { ...plainView, columns: 80, noHeaders: true });
    expect(bare).toContain(id);
  });

  test('an id stays whole, and texts give way', () => {
    const id = 'cjb5vehc4vs19qc11pjg';
    const cells = [id, 'a name of several words', 'a state of several words', 'end'];
    expect(table(['id', 'name', 'state', 'n'], [cells], { ...plainView, columns: 60 })).toBe(
      [
        'ID                    NAME             STATE            N',
        `${id}  a name of        a state of       end`,
        '                      several words    several words',
        '',
      ].join('\n'),
    );
  });

  test('what cannot be made to fit runs on', () => {
    const row = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(20));
    expect(table(row, [row], { ...plainView, columns: 40 })).toBe(table(row, [row]));
  });

  test('every line of a wrapped cell has its colour, and none is wider than the terminal', () => {
    const view = { ...plainView, columns: 20, color: true };
    expect(table(['s', 'n'], [[{ text: '日本 日本 日本 日本', style: 'green' }, 'x']], view)).toBe(
      'S                  N\n\u001b[32m日本 日本 日本\u001b[39m     x\n\u001b[32m日本\u001b[39m\n',
    );
  });
});

test('headers and titles can be left out', () => {
  const view = { ...plainView, noHeaders: true };
  expect(table(['a'], [['x']], view)).toBe('x\n');
  expect(
    sections(
      [
        { title: 'a', body: 'x\n' },
        { title: 'b', body: 'y\n' },
      ],
      view,
    ),
  ).toBe('x\n\ny\n');
});

test('sections have titles where there are several', () => {
  const one = { title: 'Cluster', body: 'x\n' };
  expect(
    sections([
      one,
      {
        title: 'b',
        body: pairs([
          ['k', 1],
          ['longer', 2],
        ]),
      },
    ]),
  ).toBe('CLUSTER\n=======\nx\n\nB\n=\nK       1\nLONGER  2\n');
  expect(sections([one])).toBe('x\n');
  expect(sections([one], plainView, 'always')).toBe('CLUSTER\n=======\nx\n');
});

test.each([
  [0, '0B'],
  [283, '283B'],
  [999, '999B'],
  [1000, '1kB'],
  [1234567, '1.235MB'],
  [999_999, '1MB'],
  [999_949, '999.9kB'],
  [1.7e9, '1.7GB'],
  [2e12, '2TB'],
  [3e15, '3PB'],
  [4e18, '4EB'],
  [5e21, '5000EB'],
])('%d bytes are %s', (bytes, text) => {
  expect(showSize(bytes)).toBe(text);
});

test('times are RFC 3339', () => {
  expect(showUtcTime(0)).toBe('1970-01-01T00:00:00Z');
  expect(showUtcTime(1_763_720_000_120)).toBe('2025-11-21T10:13:20.12Z');
  expect([0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 90_000_000].map(showElapsed)).toEqual([
    ...['0ms', '999ms', '1s', '59s', '1m00s', '59m59s', '1h00m', '25h00m'],
  ]);
  expect([0.4, 999.4, 999.6, 1_499.9].map(showElapsed)).toEqual(['0ms', '999ms', '1s', '1s']);
  expect([850, 12_400, 185_000, 7_800_000].map(showElapsed)).toEqual(['850ms', '12s', '3m05s', '2h10m']);
});
