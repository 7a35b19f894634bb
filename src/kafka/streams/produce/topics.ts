import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { aboutTopics } from '../../protocol/client/cluster-metadata.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import { noPartition, noPartitionError, partitionHints } from '../../protocol/partitions/no-partition.ts';
import { metadata } from '../../protocol/wire/apis/metadata.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { Lines, OutgoingRecord } from '../../records/batches/batch-records.ts';
import { createStickyPartitioner, partitionOfKey, type StickyPartitioner } from '../../records/batches/partitioner.ts';
import { existingTopics, topicsOnce } from '../consume/plan.ts';
import { createLane, type Lane, type TopicIdentity } from './lane.ts';
import { halt, hasNewTopic, resume } from './lane-flow.ts';
import { recreatedWarning } from './loss.ts';
import { noLeader } from './seeker.ts';

/** A topic to produce to. */
export interface ProduceTopic {
  readonly name: string;
  readonly identity: TopicIdentity;
  /** Indexed by partition number; partitions that are added to the topic are appended. */
  readonly lanes: Lane[];
  readonly sticky: StickyPartitioner;
  /** The partitions that have a leader, for records without a key; all partitions if none has one. */
  available: readonly number[];
  /** Whether any partition has no leader. */
  isLeaderless: boolean;
}

/** Reads the metadata of a topic to write to. @throws CliError (exit 3) when there is no such topic */
export async function destinationTopic(client: Client, name: string): Promise<TopicMetadata | undefined> {
  try {
    return (await existingTopics(client, [name], []))[0];
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
    throw withHints(error, [commandText`create it with: weir topic create ${name}`]);
  }
}

/** Reads a topic's partitions. @throws CliError (exit 3) when there is no such topic */
export async function openProduceTopic(client: Client, name: string, createMissing: boolean): Promise<ProduceTopic> {
  const topic = await (createMissing ? createdTopic : destinationTopic)(client, name);
  const { clock } = client.options.deadline;
  const opened: ProduceTopic = {
    name,
    identity: { id: undefined, former: new Set() },
    lanes: [],
    sticky: createStickyPartitioner(clock.random),
    available: [],
    isLeaderless: false,
  };
  updateTopic(opened, topic ?? { partitions: [] });
  return opened;
}

/**
 * Applies new metadata: records without a key avoid a partition that has lost its leader until it has one again, and
 * new partitions get records. Records already assigned to a partition stay there. Ignores metadata of a deleted topic.
 * @returns whether the topic was deleted and created again
 */
export function updateTopic(
  topic: ProduceTopic,
  { id, partitions }: Pick<TopicMetadata, 'id' | 'partitions'>,
): boolean {
  const { name, lanes, identity } = topic;
  const before = identity.id;
  if (!identify(identity, id)) return false;
  for (const { partition, leader } of partitions.toSorted((left, right) => left.partition - right.partition)) {
    // A gap in the partition numbers means that the answer is incomplete.
    if (partition === lanes.length) lanes.push(createLane(name, partition, leader, identity));
    const lane = lanes[partition];
    if (lane !== undefined) followLeader(lane, leader);
  }
  const led = partitions.filter(({ leader, partition }) => leader >= 0 && lanes[partition] !== undefined);
  if (led.length > 0) topic.available = led.map(({ partition }) => partition);
  else topic.available = lanes.map(({ partition }) => partition);
  topic.isLeaderless = led.length < partitions.length;
  return before !== undefined && before !== identity.id;
}

/** Takes the id of a topic from metadata; false if that describes a topic which was deleted. */
function identify(identity: TopicIdentity, id: string = noUuid): boolean {
  if (id === noUuid || id === identity.id) return true;
  if (identity.former.has(id)) return false;
  if (identity.id !== undefined) identity.former.add(identity.id);
  identity.id = id;
  return true;
}

/** Moves an empty lane to the leader at once; one with batches learns of the change from their answers. */
function followLeader(lane: Lane, leader: number): void {
  lane.topicId ??= lane.current.id;
  if (lane.inFlight.length > 0 || lane.queue.length > 0) return;
  // It moves to the new topic before it sends more.
  if (hasNewTopic(lane)) halt(lane, { error: noLeader(lane, codes.UNKNOWN_TOPIC_ID), lostTrack: 0, order: -1 });
  else if (leader >= 0 && (leader !== lane.leader || lane.trouble !== undefined)) resume(lane, leader);
  if (leader < 0) {
    lane.leader = leader;
    halt(lane, { error: noLeader(lane), lostTrack: 0, order: -1 });
  }
}

/** Keeps the metadata of topics up to date while they are written to. */
export interface Refresher {
  /** Applies an answer to a metadata request. */
  update(metadata: readonly TopicMetadata[]): void;
  close(): void;
}

/** How often metadata is read, in milliseconds; the default of Kafka's own clients (`metadata.max.age.ms`). */
const refreshMs = 300_000;
/** How often metadata is read while a partition has no leader, in milliseconds. */
const leaderlessMs = 5_000;

/** Reads the metadata of the topics at intervals; after a failed read the next interval tries again. */
export function openRefresher(
  client: Client,
  topics: ReadonlyMap<string, ProduceTopic>,
  warn: (line: string) => void,
): Refresher {
  const { clock } = client.options.deadline;
  let cancel = (): void => undefined;
  let isClosed = false;

  function update(metadata: readonly TopicMetadata[]): void {
    for (const one of metadata) {
      const topic = topics.get(one.name);
      if (topic === undefined || one.errorCode !== 0 || !updateTopic(topic, one)) continue;
      warn(recreatedWarning(topic.name, topic.lanes));
      for (const { acknowledged } of topic.lanes) acknowledged.inTopic = 0;
    }
  }
  function arm(): void {
    const isLeaderless = topics.values().some((topic) => topic.isLeaderless);
    cancel();
    cancel = clock.after(isLeaderless ? leaderlessMs : refreshMs, () => void refresh());
  }
  async function refresh(): Promise<void> {
    try {
      update((await client.metadata([...topics.keys()])).topics);
    } catch {
      // Lanes with something to send look for their leader by the retry rule.
    }
    if (!isClosed) arm();
  }
  arm();
  return {
    update(metadata) {
      update(metadata);
      if (!isClosed) arm();
    },
    close() {
      isClosed = true;
      cancel();
    },
  };
}

/** Has the broker create the topic and waits until its partitions have leaders. */
async function createdTopic(client: Client, name: string): Promise<TopicMetadata | undefined> {
  return client.retry(`the creation of topic "${name}"`, async () => {
    const request = { ...aboutTopics([name]), allowAutoTopicCreation: true };
    const { topics } = await client.requestOnce(metadata, request, 'any');
    const code = topics[0]?.errorCode ?? 0;
    if (code === 0 || !kafkaErrorKind(code).retriable) return (await topicsOnce(client, [name]))[0];
    throw kafkaError(code, `unable to create topic "${name}": ${kafkaErrorText(code)}`, {
      target: name,
      hints: [
        `if brokers do not create topics (auto.create.topics.enable; on Redpanda auto_create_topics_enabled), use: ${commandText`weir topic create ${name}`}`,
      ],
      retryable: true,
    });
  });
}

/** A record with the partition that the input names. */
interface PlacedRecord extends OutgoingRecord {
  readonly partition: number | undefined;
}

/**
 * Returns the lane of the record with that number, from 1: of the partition that the input names, if `--partition` is
 * given, else of `--partition`, else of the partition that its key maps to, else of the next in turn.
 * @throws CliError: exit 1 for a partition in the input that does not exist, 3 for one of the command line
 */
export function laneOf(
  topic: ProduceTopic,
  record: PlacedRecord,
  { partition: ofFlag }: { readonly partition: number | undefined },
  number: number,
): Lane {
  if (ofFlag === undefined) return laneAt(topic, choose(topic, record));
  const { partition } = record;
  if (partition === undefined) return laneAt(topic, ofFlag);
  const { name, lanes } = topic;
  const lane = lanes[partition];
  if (lane !== undefined) return lane;
  throw new CliError(
    exitCodes.failure,
    `unable to produce record ${number}: ${noPartition(name, partition, lanes.length)}`,
    {
      code: 'INVALID_INPUT',
      target: `record ${number}`,
      hints: partitionHints(name),
    },
  );
}

function laneAt({ name, lanes }: ProduceTopic, partition: number): Lane {
  const lane = lanes[partition];
  if (lane === undefined) throw noPartitionError(name, partition, lanes.length);
  return lane;
}

/**
 * Assigns lines without keys to lanes as `laneOf` does for their records: `give` takes from `lines` for a lane until it
 * has taken enough bytes or its batch is full.
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
