import { usageError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import { existingTopics } from '../consume/plan.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import { metadata } from '../protocol/metadata.ts';
import type { Lines, OutgoingRecord } from '../records/batch-records.ts';
import { createStickyPartitioner, partitionOfKey, type StickyPartitioner } from '../records/partitioner.ts';
import { createLane, type Lane } from './lane.ts';

/** A topic that is written to. */
export interface ProduceTopic {
  readonly name: string;
  /** By partition number. */
  readonly lanes: readonly Lane[];
  readonly sticky: StickyPartitioner;
  /** Partitions with a leader, for records without a key. */
  available: readonly number[];
}

/** Reads a topic's partitions. @throws CliError (exit 3) when there is no such topic */
export async function openProduceTopic(client: Client, name: string, createMissing: boolean): Promise<ProduceTopic> {
  const topic = createMissing ? await createdTopic(client, name) : (await existingTopics(client, [name], []))[0];
  const partitions = [...(topic?.partitions ?? [])].sort((left, right) => left.partition - right.partition);
  const lanes = partitions.map(({ partition, leader }) => createLane(name, partition, leader));
  const led = lanes.filter(({ leader }) => leader >= 0);
  const available = (led.length > 0 ? led : lanes).map(({ partition }) => partition);
  return { name, lanes, sticky: createStickyPartitioner(), available };
}

/** Lets the broker create the topic, and waits until its partitions have leaders. */
async function createdTopic(client: Client, name: string): Promise<TopicMetadata | undefined> {
  return client.retry(`the creation of topic "${name}"`, async () => {
    const request = { topics: [name], createMissing: true };
    const { topics } = await client.request(metadata, request);
    const code = topics[0]?.errorCode ?? 0;
    if (code === 0 || !kafkaErrorKind(code).retriable) return (await existingTopics(client, [name], []))[0];
    throw kafkaError(code, `unable to create topic "${name}": ${kafkaErrorText(code)}`, {
      target: name,
      retryable: true,
    });
  });
}

/** The lane of a record: its own partition, else that of its key, else one after the other. */
export function laneOf(topic: ProduceTopic, record: OutgoingRecord, partition: number | undefined): Lane {
  return laneAt(topic, partition ?? choose(topic, record));
}

function laneAt({ name, lanes }: ProduceTopic, partition: number): Lane {
  const lane = lanes[partition];
  if (lane !== undefined) return lane;
  throw usageError(`topic "${name}" has no partition ${partition}, it has ${lanes.length} (0 to ${lanes.length - 1})`, {
    target: name,
  });
}

/** The partition that the input or the command line says. */
export function givenPartition(
  record: { readonly partition: number | undefined },
  { partition }: { readonly partition: number | undefined },
): number | undefined {
  return partition === undefined ? undefined : (record.partition ?? partition);
}

/**
 * Shares out lines without keys as `laneOf` would share out their records: `give` takes from `lines` for the lane
 * until enough bytes are taken, or its batch is full.
 */
export function giveLines(
  topic: ProduceTopic,
  lines: Lines,
  partition: number | undefined,
  give: (lane: Lane, enough: number) => void,
): void {
  const { lanes, sticky, available } = topic;
  const isSpread = partition === undefined && lanes.length > 1;
  while (lines.bytes.indexOf(lines.terminator, lines.at) >= 0) {
    const { at } = lines;
    if (isSpread) {
      const lane = laneAt(topic, sticky.choose(available, 0));
      give(lane, sticky.left);
      sticky.choose(available, lines.at - at);
    } else give(laneAt(topic, partition ?? 0), Number.POSITIVE_INFINITY);
  }
}

function choose(topic: ProduceTopic, record: OutgoingRecord): number {
  if (topic.lanes.length === 1) return 0;
  const { keyBytes, keyStart, keyLength, valueLength } = record;
  if (keyLength >= 0) return partitionOfKey(keyBytes, keyStart, keyLength, topic.lanes.length);
  return topic.sticky.choose(topic.available, valueLength);
}
