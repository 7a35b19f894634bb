import type { Reader } from './codec.ts';

/** A topic in an answer. A version that identifies topics by id (KIP-516) has no names: `topic` is then empty. */
export interface ToldTopic {
  readonly topic: string;
  readonly topicId?: string;
}

/** Reads a list of topics, each with rows for its partitions, as one flat list of rows; `byId`: topics have ids, not names. */
export function identifiedRows<Row>(reader: Reader, byId: boolean, readRow: (of: ToldTopic) => Row): Row[] {
  const topics = reader.array(() => {
    const of = byId ? { topic: '', topicId: reader.uuid() } : { topic: reader.string() };
    const rows = reader.array(() => readRow(of));
    reader.tags();
    return rows;
  });
  return topics.flat();
}
