import { expect, test } from 'vitest';
import { CliError, exitCodes } from '../../../../src/errors.ts';
import type { Client, ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import { kafkaItemError } from '../../../../src/kafka/protocol/errors.ts';
import { describeProducers } from '../../../../src/kafka/streams/transactions/producers.ts';

const [unknownTopic, notLeader] = [3, 6];
/** For a topic that is deleted before its leader is found. */
const noAnswer = -1;

/** A cluster whose listed topics are answered with an error code each. */
function clientOf(codes: Readonly<Record<string, number>>): Client {
  const partition = { partition: 0, errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [1], isr: [1] };
  const metadata: ClusterMetadata = {
    ...{ clusterId: 'c', controllerId: 1, brokers: [{ id: 1, host: 'h', port: 1, rack: undefined }] },
    topics: Object.keys(codes).map((name) => ({
      ...{ name, errorCode: 0, internal: false, partitions: [{ ...partition, offlineReplicas: [] }] },
    })),
  };
  return {
    metadata: async () => metadata,
    ask: async (_: unknown, items: readonly { readonly topic: string }[]) =>
      items.map((item) => ({
        item,
        ...(codes[item.topic] === noAnswer
          ? { error: new CliError(exitCodes.notFound, 'no leader', { code: 'UNKNOWN_TOPIC_OR_PARTITION' }) }
          : { row: { errorCode: codes[item.topic] }, error: new CliError(exitCodes.unreachable, 'refused') }),
      })),
  } as unknown as Client;
}

test('a topic that is deleted while all are described is passed over; a named one, and other errors, are not', async () => {
  const client = clientOf({ gone: unknownTopic, lost: noAnswer, moved: notLeader });
  const rows = await describeProducers(client, { topics: [], partitions: [] });
  expect(rows.map(({ topic, error }) => [topic, error])).toEqual([['moved', kafkaItemError(notLeader)]]);
  const lost = await describeProducers(clientOf({ lost: noAnswer }), { topics: ['lost'], partitions: [] });
  expect(lost.map(({ topic, error }) => [topic, error?.message])).toEqual([['lost', 'no leader']]);
  const named = await describeProducers(clientOf({ gone: unknownTopic }), { topics: ['gone'], partitions: [] });
  expect(named.map(({ topic, error }) => [topic, error])).toEqual([['gone', kafkaItemError(unknownTopic)]]);
});
