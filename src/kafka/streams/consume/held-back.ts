import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { findOpenTransactions } from '../transactions/hanging.ts';
import type { HeldBack } from './request.ts';

/** Finds the partitions in which an open transaction holds back what is committed, with the transaction. */
export async function findHeldBack(client: Client, topics: readonly TopicMetadata[]): Promise<readonly HeldBack[]> {
  const ask = (isolation: 'committed' | 'uncommitted') =>
    askOffsets(client, topics, { time: offsetTimes.latest, isolation, reportsLeaderless: true });
  const [stable, ends] = await Promise.all([ask('committed'), ask('uncommitted')]);
  const requests = topics.flatMap(({ name: topic, partitions }) =>
    partitions.map(async ({ partition }): Promise<HeldBack[]> => {
      const [offset, end] = [stable, ends].map((answers) => answers.get(topic)?.get(partition)?.offset ?? -1n);
      if (offset === undefined || end === undefined || offset < 0n || offset >= end) return [];
      const open = await findOpenTransactions(client, topic, partition);
      const first = open.find(({ startOffset }) => startOffset === offset);
      return [{ topic, partition, offset, end, transactionalId: first?.known?.transactionalId }];
    }),
  );
  return (await Promise.all(requests)).flat();
}
