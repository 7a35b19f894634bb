import { createArena, takeBytes } from '../../../bytes/arena.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { exactTimestamp, type RecordCursor, timestampIsSafe } from '../../records/batches/cursor.ts';
import { aboutTopics, consumeFrom } from './consume.ts';
import { planStarts } from './plan.ts';
import { createPosition, type PartitionStart } from './position.ts';
import type { PrintSink } from './printer.ts';
import type { ConsumeRequest, Consumption } from './request.ts';
import { requestedTopics } from './topic-source.ts';

/** By how much the part of a log grows that is read, if the last one had too few records. */
const growth = 8n;

/** A formatted record. */
interface Formatted {
  readonly time: number;
  readonly bytes: Buffer;
}

/**
 * Reads the last `count` records of a range, over all partitions, and prints them in the order of their times. Offsets do
 * not count records (markers of transactions and compaction leave gaps), so that each partition is read backwards, in
 * parts that grow, until it has given `count` of them.
 */
export async function consumeTail(client: Client, request: ConsumeRequest, count: number): Promise<Consumption> {
  const topics = await requestedTopics(client, request);
  const { range, readCommitted, warn, filter } = request;
  const planned = await planStarts(client, { topics, range, readCommitted, warn, bounds: filter?.filter.bounds });
  let reading: Consumption | undefined;
  let isStopped = false;
  const read = async (parts: readonly PartitionStart[]): Promise<ReadonlyMap<string, readonly Formatted[]>> => {
    const byPartition = new Map<string, Formatted[]>();
    const part = { ...request, format: collecting(request, count, byPartition), onPrinted: () => undefined };
    reading = await consumeFrom(client, part, async () => ({
      topics,
      open: async () => parts.map(createPosition),
      tick: async () => undefined,
      close: async () => undefined,
    }));
    await reading.pump({ write: () => undefined });
    return byPartition;
  };
  return {
    ...aboutTopics(client, topics),
    stop() {
      isStopped = true;
      reading?.stop();
    },
    async pump(sink) {
      const last = new Map<string, readonly Formatted[]>();
      let left = planned.filter(({ offset, end = offset }) => offset < end);
      for (let reach = BigInt(count); left.length > 0 && !isStopped; reach *= growth) {
        const parts = left.map((start) => ({ ...start, offset: larger(start.offset, (start.end ?? 0n) - reach) }));
        const records = await read(parts);
        for (const part of parts) {
          const name = partitionName(part);
          last.set(name, [...(records.get(name) ?? []), ...(last.get(name) ?? [])].slice(-count));
        }
        left = left.flatMap((start, index) => {
          const end = parts[index]?.offset ?? start.offset;
          const isShort = (last.get(partitionName(start))?.length ?? 0) < count && end > start.offset;
          return isShort ? [{ ...start, end }] : [];
        });
      }
      return await print([...last.values()].flat(), count, sink);
    },
  };
}

/** A format that keeps the last records of each partition instead of printing them. */
function collecting({ format }: ConsumeRequest, count: number, byPartition: Map<string, Formatted[]>) {
  const scratch = createArena();
  return (cursor: RecordCursor): void => {
    format(cursor, scratch);
    const name = partitionName(cursor.origin);
    const records = byPartition.get(name) ?? [];
    byPartition.set(name, records);
    records.push({ time: timeOf(cursor), bytes: Buffer.from(takeBytes(scratch)) });
    // Not at every record, so that each is moved only once or twice.
    if (records.length >= 2 * count) records.splice(0, records.length - count);
  };
}

function timeOf(cursor: RecordCursor): number {
  return timestampIsSafe(cursor) ? cursor.timestamp : Number(exactTimestamp(cursor));
}

async function print(records: readonly Formatted[], count: number, sink: PrintSink): Promise<number> {
  // Records of the same time stay in the order of their partition.
  const last = records.toSorted((one, other) => one.time - other.time).slice(-count);
  for (const { bytes } of last) await sink.write(bytes);
  return last.length;
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
