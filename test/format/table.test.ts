import { describe, expect, test } from 'vitest';
import { printable } from '../../src/format/printable.ts';
import { sections } from '../../src/format/sections.ts';
import { showSize } from '../../src/format/size.ts';
import { type Cell, pairs, showCell, table } from '../../src/format/table.ts';
import { showElapsed, showUtcTime } from '../../src/format/time.ts';
import { plainView } from '../../src/format/view.ts';
import { width } from '../../src/format/width.ts';
import { startProcessorTime } from '../processor-time.ts';

test('O9: columns are two spaces apart under upper-case headers without spaces', () => {
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

test('O8: CJK and emoji align', () => {
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

  test('so does the last column, but a word that is wider than the terminal runs on', () => {
    const path = '/home/ana/.local/state/weir/sandbox/one';
    expect(table(['name', 'where'], [['one', `see ${path}`]], { ...plainView, columns: 30 })).toBe(
      `NAME  WHERE\none   see\n      ${path}\n`,
    );
  });

  test('ids are cut before rows become blocks, and headers keep their hyphens', () => {
    const uuid = 'weir-805d1f5e-9c0b-4a2f-8f0e-2b6d1b3d5a11';
    const rows = [
      ['orders', { id: uuid }, 'consumer'],
      ['users', null, '-'],
    ];
    expect(table(['topic', 'member id', 'client id'], rows, { ...plainView, columns: 33 })).toBe(
      'TOPIC   MEMBER-ID       CLIENT-ID\norders  weir-805d1f5e…  consumer\nusers   -               -\n',
    );
    expect(table(['topic', 'log-start-offset'], [[{ id: uuid }, 1]], { ...plainView, columns: 20 })).toBe(
      'TOPIC         LOG-\n              START-\n              OFFSET\nweir-805d1f…  1\n',
    );
  });

  const id = 'cjb5vehc4vs19qc11pjg';
  const clusters = {
    head: ['name', 'id', 'state', 'type', 'provider', 'region', 'tier'],
    row: ['first', id, 'STATE_READY', 'TYPE_DEDICATED', 'CLOUD_PROVIDER_AWS', 'us-east-1', 'tier-1-aws-v2-x86'],
  };

  test('rows whose words do not fit become blocks, without empty cells', () => {
    const rows = [
      [id, 'orders.eu.example.com:9092', 'up', ''],
      [id, 'b', 'down', { text: 'refused by the server', style: 'red' as const }],
    ];
    expect(table(['ID', 'name', 'state', 'error'], rows, { ...plainView, columns: 46 })).toBe(
      [
        `ID     ${id}`,
        'NAME   orders.eu.example.com:9092',
        'STATE  up',
        '',
        `ID     ${id}`,
        'NAME   b',
        'STATE  down',
        'ERROR  refused by the server',
        '',
      ].join('\n'),
    );
    expect(table(clusters.head, [clusters.row], { ...plainView, columns: 80 })).toBe(
      [
        'NAME      first',
        `ID        ${id}`,
        'STATE     STATE_READY',
        'TYPE      TYPE_DEDICATED',
        'PROVIDER  CLOUD_PROVIDER_AWS',
        'REGION    us-east-1',
        'TIER      tier-1-aws-v2-x86',
        '',
      ].join('\n'),
    );
  });

  test('a few long words take the rest of their lines, and their rows go on under them', () => {
    const name = 'payments-KSTREAM-AGGREGATE-changelog';
    const rows = [
      ['orders', 1, 3],
      [name, 12, 3],
      ['users', 2, 3],
    ];
    expect(table(['name', 'partitions', 'replicas'], rows, { ...plainView, columns: 40 })).toBe(
      [
        'NAME                PARTITIONS  REPLICAS',
        'orders              1           3',
        name,
        '                    12          3',
        'users               2           3',
        '',
      ].join('\n'),
    );
  });

  test('an id stays whole, and texts give way', () => {
    const cells = [id, 'a name of several words', 'a state of several words', 'end'];
    expect(table(['id', 'name', 'state', 'n'], [cells], { ...plainView, columns: 61 })).toBe(
      [
        'ID                    NAME              STATE             N',
        `${id}  a name of         a state of        end`,
        '                      several words     several words',
        '',
      ].join('\n'),
    );
  });

  test('without headers, which a block needs, rows that do not fit run on; so do headers without rows', () => {
    const view = { ...plainView, columns: 30, noHeaders: true };
    expect(table(clusters.head, [clusters.row], view)).toBe(`${clusters.row.join('  ')}\n`);
    const bare = table(clusters.head, [], { ...view, noHeaders: false });
    expect(bare).toBe(`${clusters.head.join('  ').toUpperCase()}\n`);
  });

  const kinds: Readonly<Record<string, readonly [readonly string[], readonly (readonly Cell[])[]]>> = {
    clusters: [clusters.head, [clusters.row, clusters.row]],
    partitions: [
      ['topic', 'partition', 'leader', 'replicas', 'log-start-offset', 'high-watermark'],
      [
        ['orders', 0, 1, [1, 2, 3], 0n, 9_223_372_036_854_775_807n],
        ['payments-KSTREAM-AGGREGATE-STATE-STORE-0000000003-changelog', 11, 2, [1, 2, 3], 17, 18],
        ['注文履歴', 3, 2, [1], 0, 0],
      ],
    ],
    brokers: [
      ['id', 'cores', 'host', 'port', 'rack', 'state', 'alive'],
      [[0, 4, 'broker-0.kafka.eu-west-1.example.com', 33145, 'eu-west-1a', 'active', true]],
    ],
    errors: [
      ['topic', 'status'],
      [
        ['orders', error],
        ['users', { text: 'OK', style: 'green' }],
      ],
    ],
    members: [
      ['member-id', 'client-id', 'host', 'partitions'],
      [['consumer-1-0f5b5b3c-9a3c-4b8e-8a41-2b6d1b3d5a11', 'consumer-1', '/10.0.0.12', [0, 1, 2, 3, 4, 5, 6, 7]]],
    ],
  };
  const widths = Array.from({ length: 181 }, (_, at) => at + 20);

  test.each(Object.entries(kinds))('no word of %s is broken or left out, from 20 to 200 columns', (_, [head, rows]) => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean).sort();
    const cells = rows.flat().map(showCell).join(' ');
    for (const columns of widths) {
      const text = table(head, rows, { ...plainView, columns });
      const shown = words(text);
      for (const word of new Set(words(cells))) {
        const times = (all: readonly string[]) => all.filter((one) => one === word).length;
        expect([columns, word, times(shown)]).toEqual([columns, word, times(words(cells))]);
      }
      // Only one word may pass the edge of the terminal, at the end of its line.
      const spilling = text.split('\n').filter((line) => width(line.replace(/\s*\S*$/, '')) > columns);
      expect([columns, spilling]).toEqual([columns, []]);
      const color = table(head, rows, { ...plainView, columns, color: true });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: every color sequence starts with it
      expect(color.replace(/\u001b\[\d+m/g, '')).toBe(text);
    }
  });

  test('every line of a wrapped cell has its colour, and none is wider than the terminal', () => {
    const view = { ...plainView, columns: 20, color: true };
    expect(table(['s', 'n'], [[{ text: '日本 日本 日本 日本', style: 'green' }, 'x']], view)).toBe(
      'S                  N\n\u001b[32m日本 日本 日本\u001b[39m     x\n\u001b[32m日本\u001b[39m\n',
    );
  });
});

test('O9: headers and titles can be left out', () => {
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

test('O7: times are RFC 3339', () => {
  expect(showUtcTime(0)).toBe('1970-01-01T00:00:00Z');
  expect(showUtcTime(1_763_720_000_120)).toBe('2025-11-21T10:13:20.12Z');
  expect([0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 90_000_000].map(showElapsed)).toEqual([
    ...['0ms', '999ms', '1s', '59s', '1m00s', '59m59s', '1h00m', '25h00m'],
  ]);
  expect([0.4, 999.4, 999.6, 1_499.9].map(showElapsed)).toEqual(['0ms', '999ms', '1s', '1s']);
  expect([850, 12_400, 185_000, 7_800_000].map(showElapsed)).toEqual(['850ms', '12s', '3m05s', '2h10m']);
});
