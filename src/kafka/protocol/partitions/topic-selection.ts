import { byName } from '../../../format/order.ts';
import type { Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from '../client/client.ts';
import { compileNamePatterns } from './name-words.ts';

/** Selects topics by name or pattern. */
export interface TopicSelection {
  /** Names or patterns; empty: every topic. */
  readonly topics: readonly string[];
  /** Whether `topics` are regular expressions that must match the whole name; `*` matches every name. */
  readonly regex: boolean;
  /** Whether to list or match internal topics; an internal topic given by name is always included. */
  readonly internal: boolean;
}

/**
 * Reads metadata with one request; the topics are narrowed to the selection and sorted by name. A named topic that does
 * not exist or may not be read is there with its `errorCode`, and belongs into the result with that error.
 */
export async function readSelection(client: Client, selection: TopicSelection): Promise<ClusterMetadata> {
  const named = !selection.regex && selection.topics.length > 0;
  const matches = selection.regex ? compileNamePatterns(selection.topics) : () => true;
  const answer = await client.metadata(named ? [...new Set(selection.topics)] : 'all');
  const isWanted = ({ name, internal }: TopicMetadata): boolean =>
    named || (matches(name) && (selection.internal || !internal));
  return { ...answer, topics: answer.topics.filter(isWanted).sort(byName) };
}

/** Sorts the partitions of a topic by number; brokers return them in any order. */
export function partitionsInOrder(topic: TopicMetadata): PartitionMetadata[] {
  return topic.partitions.toSorted((a, b) => a.partition - b.partition);
}
