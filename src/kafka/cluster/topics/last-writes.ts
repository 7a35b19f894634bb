import type { Client } from '../../protocol/client/client.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';

/** Producers may write any number as a time. */
const latestDate = 8.64e15;

/**
 * The time of the newest record of each topic, in milliseconds since the epoch, with one request per leader. A topic without
 * records, or whose brokers cannot say it, has none.
 */
export async function lastWrites(client: Client, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  const existing = topics.filter(({ errorCode }) => errorCode === 0);
  const query = { time: offsetTimes.maxTimestamp, isolation: 'uncommitted', reportsLeaderless: true } as const;
  const answers = await askOffsets(client, existing, query);
  return new Map(
    [...answers].flatMap(([topic, partitions]) => {
      const newest = Math.max(-1, ...[...partitions.values()].map(({ timestamp }) => Number(timestamp)));
      const isKnown =
        newest >= 0 && newest <= latestDate && ![...partitions.values()].some(({ error }) => error !== undefined);
      return isKnown ? [[topic, newest] as const] : [];
    }),
  );
}
