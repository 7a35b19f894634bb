import type { Reader } from './codec.ts';

/**
 * Reads a list of topics, each with rows for its partitions, as one flat list of rows; most answers about partitions
 * have this layout.
 */
export function partitionRows<Row>(reader: Reader, readRow: (topic: string) => Row): Row[] {
  const topics = reader.array(() => {
    const topic = reader.string();
    const rows = reader.array(() => readRow(topic));
    reader.tags();
    return rows;
  });
  return topics.flat();
}
