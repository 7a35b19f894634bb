import { expect, test } from 'vitest';
import { unreachableError } from '../../../../../src/errors.ts';
import type { StartedMove } from '../../../../../src/kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { settledReassignments } from '../../../../../src/kafka/cluster/topics/reassignment/reassignments.ts';
import type { Client, ClusterMetadata } from '../../../../../src/kafka/protocol/client/client.ts';
import { createVirtualClock } from '../../../../simulation/virtual-clock.ts';

/** A move to broker 2 that has ended, and one that was refused. */
const moves: readonly StartedMove[] = [
  {
    ...{ topic: 't', partition: 0, old_replicas: [1], new_replicas: [2] },
    error: null,
  },
  {
    ...{ topic: 't', partition: 9, old_replicas: [], new_replicas: [2] },
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
  expect(await clock.runUntil(settledReassignments(client, moves))).toEqual(moves);
  expect(asked).toBe(3);
});

test('a reassignment that was replaced has an error, and a refused one keeps its own', async () => {
  const { clock, client } = clientOf(() => [3]);
  const [first, second] = await clock.runUntil(settledReassignments(client, moves));
  expect(first).toMatchObject({ error: { code: 'NOT_REASSIGNED', exit_code: 6 } });
  expect(second).toBe(moves[1]);
});

test('without an answer, all that is known is that the reassignments ended', async () => {
  const { clock, client } = clientOf(() => {
    throw unreachableError('gone');
  });
  expect(await clock.runUntil(settledReassignments(client, moves))).toBe(moves);
});

test('nothing is concluded from what a command saw before it was stopped', async () => {
  const controller = new AbortController();
  const { clock, client } = clientOf(() => {
    controller.abort(new Error('stopped'));
    return [1];
  }, controller.signal);
  expect(await clock.runUntil(settledReassignments(client, moves))).toBe(moves);
});
