import { describe, expect, test } from 'vitest';
import '../../services/services.ts';
import { consumeFiltering } from '../../../src/commands/topic/records/conditions.ts';
import type { Context } from '../../../src/context.ts';
import { noFaults } from '../../../src/kafka/records/filter/faults.ts';
import { fill, newTopic, weir } from './records-world.ts';

const quoted = 'value.a is text in these records: compare it with text ("5"), or convert it (double(value.a))';
const textA = '{"a":"1","b":1}';
const textB = '{"a":1,"b":"1"}';

// What is summed up of one batch after another, and of several partitions.
describe.each(['in one partition', 'in a partition each'])(
  'the advice for records %s that could not be decided',
  (how) => {
    test.each<[string, readonly string[], string | undefined]>([
      ['the same for all', [textA, '{"a":"2","b":2}', '{"a":7,"b":1}'], quoted],
      ['another one for some', [textA, textB], undefined],
      ['another one for some, and then the first again', [textA, textB, textA], undefined],
      [
        'none for what Avro writes for numbers that JSON lacks',
        ['{"a":"NaN","b":1}', '{"a":"-Infinity","b":1}'],
        undefined,
      ],
    ])('is %s', async (_, records, advice) => {
      const isSpread = how === 'in a partition each';
      const topic = await newTopic(isSpread ? records.length : 1);
      for (const [at, record] of records.entries()) await fill(topic, [record], '-p', String(isSpread ? at : 0));
      const { stderr } = await weir(['topic', 'search', topic, '--where', 'value.a > 5 || value.b > 5']);
      expect(stderr).toContain('could not be evaluated');
      expect(/^hint: (.*)$/m.exec(stderr)?.[1]).toBe(advice);
    });
  },
);

const decodeValues = 'decode the values, which seem to start with a schema id: --use-schema-registry=value';

// The text of an enum, for example, is nowhere in the bytes.
test.each<[string, string, string | undefined]>([
  ['value.a == "x"', '0 of 2 records', decodeValues],
  ['value.a > 5', '0 of 2 records are known to match', decodeValues],
  ['!has(value.a)', '0 of 2 records are known to match', decodeValues],
  ['valueAsText.contains("x")', '0 of 2 records', decodeValues],
  ['keyAsText == "x"', '0 of 2 records', undefined],
])('a search for %s that finds no record with a schema id says how to decode them', async (where, counted, hint) => {
  const topic = await newTopic();
  await fill(topic, ['000000000102', '000000000104'], '-f', '%v{hex}\\n', '-k', 'abcdef');
  const { stderr, exitCode } = await weir(['topic', 'search', topic, '--where', where]);
  expect(stderr.split('\n')[0]).toBe(counted);
  expect(/^hint: (.*)$/m.exec(stderr)?.[1]).toBe(hint);
  expect(exitCode).toBe(3);
});

describe('the advice for records that were skipped by their bytes', () => {
  const hintOf = async (topic: string, where: string) => {
    const { stderr } = await weir(['topic', 'search', topic, '--where', where]);
    return { isCounted: stderr.includes('could not be evaluated'), hint: /^hint: (.*)$/m.exec(stderr)?.[1] };
  };
  const isNumber = 'value.a is a number in these records: compare it with 17, without quotes';

  test.each<[string, readonly string[], string | undefined]>([
    ['is given if nothing matches', ['{"a":1}', '{"a":17}', '{"a":3}'], isNumber],
    ['is not given if something does', ['{"a":1}', '{"a":"17"}'], undefined],
    ['is not given if there is none', ['{"a":"1"}', '{"a":"2"}'], undefined],
    ['is not given if they differ', ['{"a":1}', '{"b":1}'], undefined],
  ])('%s', async (_, records, hint) => {
    const topic = await newTopic(1);
    for (const record of records) await fill(topic, [record]);
    expect(await hintOf(topic, 'value.a == "17"')).toEqual({ isCounted: false, hint });
  });
});

test.each([
  ['src:cli', ['hint: a header with a value is NAME=VALUE: --header src=cli']],
  ['src=a:b', []],
])('--header %s that nothing matches', async (header, lines) => {
  const values = { where: [], key: [], header: [header], contains: [], explain: false };
  const filtering = await consumeFiltering({} as Context, values, { decode: undefined, isEndless: false });
  expect(filtering?.summary()).toEqual(lines);
});

test('a read without an end says of the first record that it cannot be decided, and counts the others', async () => {
  const warnings: string[] = [];
  const context = { warn: (line: string) => void warnings.push(line) } as unknown as Context;
  const values = { where: ['value.a > 5'], key: [], header: [], contains: [], explain: false };
  const filtering = await consumeFiltering(context, values, { decode: undefined, isEndless: true });
  const none = {
    ...{ records: 1, tested: 1, refuted: 0, matched: 0, undecided: 1 },
    ...{ batches: 0, skippedByHead: 0, skippedByBytes: 0, skippedFaults: noFaults, framed: undefined },
  };
  for (const first of ['one', 'two']) filtering?.onSifted({ ...none, faults: { first, advice: undefined } });
  expect(warnings).toEqual(['unable to decide whether a record matches: one (others are only counted)']);
  expect(filtering?.summary()).toEqual(['2 records were left out because the condition could not be evaluated']);
});
