import { expect, test } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import type { Client, ClusterMetadata } from '../../../../src/kafka/client/client.ts';
import { watchReassignments } from '../../../../src/kafka/topics/reassignment/ongoing.ts';
import type { ReassignedRow } from '../../../../src/kafka/topics/reassignment/reassignment-rows.ts';
import { cancelReassignments, settledReassignments } from '../../../../src/kafka/topics/reassignment/reassignments.ts';
import { alterPartitionReassignments } from '../../../../src/kafka/wire/apis/alter-partition-reassignments.ts';
import { describeLogDirs } from '../../../../src/kafka/wire/apis/describe-log-dirs.ts';
import { listPartitionReassignments } from '../../../../src/kafka/wire/apis/list-partition-reassignments.ts';
import { answerOf } from '../../../services/answer.ts';
import { versionsAnswer } from '../../../services/scripted-answers.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { topicAnswer } from '../topic-answer.ts';

/** A move to broker 2 that has ended, and one that was refused. */
const rows: readonly ReassignedRow[] = [
  {
    ...{ topic: 't', partition: 0, old_replicas: [1], new_replicas: [2] },
    ...{ status: 'OK', dry_run: false, error: null },
  },
  {
    ...{ topic: 't', partition: 9, old_replicas: [], new_replicas: [2] },
    ...{ status: 'ERROR', dry_run: false },
    error: { code: 'UNKNOWN_TOPIC_OR_PARTITION', number: 3, message: 'none', retryable: false, exit_code: 3 },
  },
];

/** A client of a cluster whose partition `t/0` is where `replicasNow` says. */
function clientOf(replicasNow: () => readonly number[], signal = new AbortController().signal) {
  const clock = createVirtualClock();
  const client = {
    options: { deadline: { clock, signal } },
    async metadata(): Promise<ClusterMetadata> {
      const replicas = replicasNow();
      const state = { errorCode: 0, leader: 1, leaderEpoch: 0, replicas, isr: replicas, offlineReplicas: [] };
      return {
        ...{ clusterId: 'c', controllerId: 1 },
        brokers: [1, 2, 3].map((id) => ({ id, host: 'h', port: id, rack: undefined })),
        topics: [{ name: 't', errorCode: 0, internal: false, partitions: [{ partition: 0, ...state }] }],
      };
    },
    async request() {
      return { errorCode: 0, errorMessage: undefined, topics: [] };
    },
  };
  return { clock, client: client as unknown as Client };
}

test('a reassignment is settled as soon as a broker shows the new replicas', async () => {
  let asked = 0;
  const { clock, client } = clientOf(() => {
    asked += 1;
    return asked < 3 ? [1] : [2];
  });
  expect(await clock.runUntil(settledReassignments(client, rows))).toEqual(rows);
  expect(asked).toBe(3);
});

test('a reassignment that was replaced has an error, and a refused one keeps its own', async () => {
  const { clock, client } = clientOf(() => [3]);
  const [first, second] = await clock.runUntil(settledReassignments(client, rows));
  expect(first).toMatchObject({ status: 'ERROR', error: { code: 'NOT_REASSIGNED', exit_code: 6 } });
  expect(second).toBe(rows[1]);
});

test('without an answer, all that is known is that the reassignments ended', async () => {
  const { clock, client } = clientOf(() => {
    throw unreachableError('gone');
  });
  expect(await clock.runUntil(settledReassignments(client, rows))).toBe(rows);
});

test('nothing is concluded from what a command saw before it was stopped', async () => {
  const controller = new AbortController();
  const { clock, client } = clientOf(() => {
    controller.abort(new Error('stopped'));
    return [1];
  }, controller.signal);
  expect(await clock.runUntil(settledReassignments(client, rows))).toBe(rows);
});

interface Move {
  readonly replicas: readonly number[];
  readonly addingReplicas: readonly number[];
  readonly removingReplicas: readonly number[];
}

const swap: Move = { replicas: [1, 2], addingReplicas: [2], removingReplicas: [1] };
const growth: Move = { replicas: [1, 2], addingReplicas: [2], removingReplicas: [] };
const shrinkage: Move = { replicas: [1, 2], addingReplicas: [], removingReplicas: [2] };

/**
 * A client of a broker that lists a move of `foo/0` once, and where `foo/0` is according to it: from the end on in the
 * order of `shown`.
 */
function clientOfMove(move: Move, shown: readonly (readonly number[])[]) {
  const listed = (partitions: readonly Move[]): Buffer =>
    answerOf(listPartitionReassignments, 0, {
      errorCode: 0,
      topics: [{ name: 'foo', partitions: partitions.map((one) => ({ partitionIndex: 0, ...one })) }],
    });
  const responses = [{ name: 'foo', partitions: [{ partitionIndex: 0, errorCode: 0 }] }];
  let lists = 0;
  let isOver = false;
  let asked = 0;
  const { clock, client } = virtualClient({
    ApiVersions: versionsAnswer([
      [listPartitionReassignments.key, 0, 0],
      [alterPartitionReassignments.key, 0, 0],
    ]),
    ListPartitionReassignments() {
      lists += 1;
      isOver ||= lists > 1;
      return listed(isOver ? [] : [move]);
    },
    AlterPartitionReassignments() {
      isOver = true;
      return answerOf(alterPartitionReassignments, 0, { errorCode: 0, responses });
    },
    DescribeLogDirs: answerOf(describeLogDirs, 4, { results: [] }),
    Metadata() {
      if (isOver) asked += 1;
      const replicas = isOver ? (shown[asked - 1] ?? []) : move.replicas;
      return topicAnswer([{ address: { host: 'one', port: 9092 } }], { leaders: [1], replicas });
    },
  });
  return { clock, client, asked: () => asked };
}

test.each<[string, Move, (readonly number[])[]]>([
  ['a move', swap, [[1, 2], [1, 2], [2]]],
  ['a move that was canceled', swap, [[1, 2], [1]]],
  ['new replicas, which are shown from the beginning', growth, [[1, 2]]],
  ['fewer replicas', shrinkage, [[1, 2], [1]]],
])('a wait for %s ends when a broker shows the replicas of after or before', async (_, move, shown) => {
  const { clock, client, asked } = clientOfMove(move, shown);
  const counts: number[] = [];
  const watch = async (): Promise<void> => {
    for await (const rows of watchReassignments(client, { topics: ['foo'] })) counts.push(rows.length);
  };
  await clock.runUntil(watch());
  expect({ counts, asked: asked() }).toEqual({ counts: [1, 0], asked: shown.length });
  client.close();
});

test.each<[string, Move, (readonly number[])[]]>([
  ['a move', swap, [[1, 2], [1, 2], [1]]],
  ['new replicas', growth, [[1, 2], [1]]],
  ['fewer replicas, which are shown until the end', shrinkage, [[1, 2]]],
])('a cancellation of %s ends when a broker shows the replicas of before', async (_, move, shown) => {
  const { clock, client, asked } = clientOfMove(move, shown);
  const [row] = await clock.runUntil(cancelReassignments(client, { topics: ['foo'], dryRun: false }));
  expect(row).toMatchObject({ status: 'OK', error: null });
  expect(asked()).toBe(shown.length);
  client.close();
});
