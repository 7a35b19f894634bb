import type { Reader } from './codec.ts';

/** Reads what most answers about partitions are made of, topics with rows of their partitions, as one list of rows. */
export function partitionRows<Row>(reader: Reader, readRow: (topic: string) => Row): Row[] {
  const topics = reader.array(() => {
    const topic = reader.string();
    const rows = reader.array(() => readRow(topic));
    reader.tags();
    return rows;
  });
  return topics.flat();
}
