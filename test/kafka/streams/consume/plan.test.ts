import { describe, expect, it } from 'vitest';
import { openFilter } from '../../../../src/kafka/records/filter/filter.ts';
import { parseOffsetRange } from '../../../../src/kafka/streams/consume/offset-words.ts';
import { existingTopics, planStarts } from '../../../../src/kafka/streams/consume/plan.ts';
import { failureOf } from '../../../services/scripted-client.ts';
import { createFakeCluster } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';

/** Two topics; `foo` has three partitions. */
function twoTopics() {
  return createFakeCluster({
    foo: { partitions: [logOf(1, ['a', 'b']), logOf(1, ['c']), logOf(1)] },
    bar: { partitions: [logOf(1)] },
  });
}

describe('the topics to read', () => {
  it.each([
    [[], [0, 1, 2]],
    [[1], [1]],
    [
      [2, 0, 2],
      [2, 0],
    ],
  ])('have the wanted partitions %j, or all of them', async (wanted, expected) => {
    const { client, clock } = twoTopics();
    const topics = await clock.runUntil(existingTopics(client, ['foo', 'foo'], wanted));
    expect(topics.map(({ name, partitions }) => [name, partitions.map(({ partition }) => partition)])).toEqual([
      ['foo', expected],
    ]);
  });

  it('must have the wanted partitions', async () => {
    const { client, clock } = twoTopics();
    expect(await clock.runUntil(failureOf(existingTopics(client, ['foo', 'bar'], [1])))).toMatchObject({
      ...{ exitCode: 3, code: 'UNKNOWN_TOPIC_OR_PARTITION', target: 'bar' },
      message: 'topic "bar" has no partition 1, it has 1 (0 to 0)',
    });
  });
});

it.each([
  ['start', [0n, 0n, 0n], [undefined, undefined, undefined]],
  [':end', [0n, 0n, 0n], [2n, 1n, 0n]],
  ['1:5', [1n, 1n, 0n], [2n, 1n, 0n]],
  ['+1', [1n, 1n, 0n], [undefined, undefined, undefined]],
  ['-1', [1n, 0n, 0n], [undefined, undefined, undefined]],
])('the range %s begins and ends within the log', async (text, starts, ends) => {
  const { client, clock } = twoTopics();
  const topics = await clock.runUntil(existingTopics(client, ['foo'], []));
  const request = { topics, range: parseOffsetRange(text, 0), readCommitted: false, warn: () => undefined };
  const plan = await clock.runUntil(planStarts(client, request));
  expect([plan.map(({ offset }) => offset), plan.map(({ end }) => end)]).toEqual([starts, ends]);
});

it.each<readonly [condition: string, read: readonly (readonly [number, bigint, bigint])[], warned: readonly string[]]>([
  ['partition == 1', [[1, 0n, 1n]], []],
  ['partition in [0, 9]', [[0, 0n, 2n]], ['partition 9 of the conditions is not one of those that are read']],
  ['partition == 0 && partition == 1', [], ['no record matches: the conditions leave no partition']],
  ['offset >= 1 && partition == 0', [[0, 1n, 2n]], []],
  ['offset < 1 && partition == 0', [[0, 0n, 1n]], []],
])('the condition %s narrows what is read', async (condition, read, warned) => {
  const { client, clock } = twoTopics();
  const topics = await clock.runUntil(existingTopics(client, ['foo'], []));
  const warnings: string[] = [];
  const { bounds } = await openFilter({ where: [condition] });
  const plan = await clock.runUntil(
    planStarts(client, {
      ...{ topics, range: parseOffsetRange(':end', 0), readCommitted: false, bounds },
      warn: (line) => void warnings.push(line),
    }),
  );
  expect(plan.map(({ partition, offset, end }) => [partition, offset, end])).toEqual(read);
  expect(warnings).toEqual(warned);
});
