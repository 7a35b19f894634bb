import type { Client } from '../../protocol/client/client.ts';
import { type RecordCursor, recordOrigin } from '../../records/batches/cursor.ts';
import { createAnswerMemory } from '../../streams/consume/answer-memory.ts';
import { openFetcher } from '../../streams/consume/fetcher.ts';
import { createPosition, type PartitionStart } from '../../streams/consume/position.ts';
import { resetPositions } from '../../streams/consume/reset.ts';
import { createWriterPool } from '../packer.ts';
import { createPorter } from '../portions.ts';

/** The size limit of one answer, in bytes. */
const answerBytes = 4 << 20;

/** How to read ranges of a topic. */
export interface ScanOptions {
  readonly fetchMaxWaitMs: number;
  warn(line: string): void;
}

/** Calls `see` with the cursor on every committed record of the ranges, in the order of each partition. */
export async function scanRecords(
  client: Client,
  ranges: readonly PartitionStart[],
  { fetchMaxWaitMs, warn }: ScanOptions,
  see: (cursor: RecordCursor, range: PartitionStart) => void,
): Promise<void> {
  const positions = new Map(ranges.map((range) => [createPosition(range), range]));
  const open = [...positions.keys()].filter(({ done }) => !done);
  if (open.length === 0) return;
  const memory = createAnswerMemory();
  const fetcher = openFetcher(client, {
    maxWaitMs: fetchMaxWaitMs,
    maxBytes: answerBytes,
    maxPartitionBytes: answerBytes,
    readCommitted: true,
    rack: '',
    endless: false,
    outlivesTopics: false,
    warn,
    allocate: memory.allocate,
    reset: (lost) => resetPositions(client, lost, warn),
  });
  let current: PartitionStart | undefined;
  const porter = createPorter({
    pool: createWriterPool(0, false),
    maxBatchBytes: 0,
    isTransactional: false,
    partitionOf: undefined,
    wants(cursor) {
      if (current !== undefined) see(cursor, current);
      return false;
    },
  });
  try {
    fetcher.setPositions(open);
    for (let got = await fetcher.next(); got !== 'finished'; got = await fetcher.next()) {
      if (got === 'woken') continue;
      for (const chunk of got) {
        const { topic, partition, end } = chunk.position;
        current = positions.get(chunk.position);
        // Nothing is built, because no record is wanted.
        for (const _ of porter.portions({ ...chunk, partition, end }, recordOrigin(topic, partition)));
      }
      const [first] = got;
      if (first !== undefined) memory.release(first.records.buffer);
    }
  } finally {
    fetcher.close();
  }
}
