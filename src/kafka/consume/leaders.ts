import type { CliError } from '../../errors.ts';
import { backoffMs } from '../../net/retry.ts';
import type { Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from '../client/client.ts';
import { remedyOf } from '../client/remedy.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { FailedPosition } from './answer.ts';
import { compareTopic, type PartitionPosition, startOver } from './position.ts';
import { rewindTruncated } from './truncation.ts';

/** A position that metadata says nothing readable about. */
export interface LeaderlessPosition extends FailedPosition {
  /** Metadata does not know the topic or the partition. */
  readonly isUnknown: boolean;
}

/** What a search for leaders reports to. */
export interface LeaderWatch {
  /** These have a leader, and an offset that it has. */
  found(positions: readonly PartitionPosition[]): void;
  /** These have none that can be read from; `startedAt` is when the question was sent. */
  missed(positions: readonly LeaderlessPosition[], startedAt: number): void;
  /** The range of these belongs to a topic that was deleted and created again. */
  ended(positions: readonly PartitionPosition[]): void;
  /** Metadata could not be read. */
  broken(error: unknown): void;
  isWanted(position: PartitionPosition): boolean;
  warn(line: string): void;
}

/** Looks for the leaders of partitions, with one Metadata request for all that are due. */
export interface LeaderSearch {
  /** Looks for these once the pause for their failures is over. */
  seek(positions: Iterable<PartitionPosition>): void;
  /** Cancels the pause; nothing more is reported. */
  close(): void;
}

/** What is due so soon after a pause goes with the same request. */
const togetherMs = 50;

interface Search {
  readonly client: Client;
  readonly watch: LeaderWatch;
  /** When each is due. */
  readonly waiting: Map<PartitionPosition, number>;
  alarm: { readonly at: number; cancel(): void } | undefined;
  isAsking: boolean;
  isClosed: boolean;
}

/** A search with nothing to look for. */
export function createLeaderSearch(client: Client, watch: LeaderWatch): LeaderSearch {
  const search: Search = { client, watch, waiting: new Map(), alarm: undefined, isAsking: false, isClosed: false };
  return {
    seek(positions) {
      const now = client.options.deadline.clock.now();
      for (const position of positions) {
        const { failures } = position;
        // The dice are thrown once for all, so that what failed together is asked about together.
        const at = now + (failures === 0 ? 0 : backoffMs(failures, () => 0.5));
        search.waiting.set(position, at);
        setAlarm(search, at);
      }
    },
    close() {
      search.isClosed = true;
      search.alarm?.cancel();
    },
  };
}

function setAlarm(search: Search, at: number): void {
  if (search.isClosed || search.isAsking || (search.alarm !== undefined && search.alarm.at <= at)) return;
  search.alarm?.cancel();
  const { clock } = search.client.options.deadline;
  const pause = Math.max(0, at - clock.now());
  const ring = (): void => {
    search.alarm = undefined;
    void ask(search, at + togetherMs);
  };
  if (pause === 0) {
    search.alarm = { at, cancel: () => undefined };
    queueMicrotask(ring);
  } else search.alarm = { at, cancel: clock.after(pause * (0.8 + 0.4 * clock.random()), ring) };
}

/** Asks about all that are due until then. Never rejects. */
async function ask(search: Search, until: number): Promise<void> {
  const { client, watch, waiting } = search;
  if (search.isClosed || search.isAsking) return;
  const due: PartitionPosition[] = [];
  for (const [position, at] of waiting) {
    if (at > until) continue;
    waiting.delete(position);
    if (watch.isWanted(position)) due.push(position);
  }
  search.isAsking = true;
  const startedAt = client.options.deadline.clock.now();
  try {
    if (due.length > 0) {
      const metadata = await client.metadata([...new Set(due.map(({ topic }) => topic))]);
      if (!search.isClosed) adoptLeaders(search, due, { metadata, startedAt });
    }
  } catch (error) {
    watch.broken(error);
  }
  search.isAsking = false;
  let next = Number.POSITIVE_INFINITY;
  for (const at of waiting.values()) if (at < next) next = at;
  if (next < Number.POSITIVE_INFINITY) setAlarm(search, next);
}

interface Told {
  readonly metadata: ClusterMetadata;
  readonly startedAt: number;
}

function adoptLeaders(search: Search, due: readonly PartitionPosition[], { metadata, startedAt }: Told): void {
  const { watch } = search;
  const find = partitionFinder(metadata);
  const adopted = Map.groupBy(
    due.filter((position) => watch.isWanted(position)),
    (position) => adoptLeader(position, find(position)),
  );
  reportRecreated(watch, adopted.get('recreated') ?? []);
  const recreated = Map.groupBy(adopted.get('recreated') ?? [], ({ end }) => (end === undefined ? 'read' : 'over'));
  const missed = adopted.get('missed') ?? [];
  watch.ended(recreated.get('over') ?? []);
  watch.missed(
    missed.map((position) => missedPosition(position, find(position))),
    startedAt,
  );
  watch.found([...(adopted.get('found') ?? []), ...(recreated.get('read') ?? [])]);
  const newlyLed = adopted.get('newly led') ?? [];
  if (newlyLed.length > 0) void checkLogs(search, newlyLed, startedAt);
}

/** What metadata says about one partition. */
interface FoundPartition {
  readonly topic: TopicMetadata | undefined;
  readonly partition: PartitionMetadata | undefined;
}

function partitionFinder({ topics }: ClusterMetadata): (position: PartitionPosition) => FoundPartition {
  const byName = new Map(
    topics.map((topic) => [topic.name, { topic, rows: new Map(topic.partitions.map((row) => [row.partition, row])) }]),
  );
  return ({ topic, partition }) => {
    const found = byName.get(topic);
    return { topic: found?.topic, partition: found?.rows.get(partition) };
  };
}

/** `newly led`: by another leader epoch than the last one, so that its log may have been cut. */
type Adoption = 'found' | 'newly led' | 'recreated' | 'missed';

function adoptLeader(position: PartitionPosition, { topic, partition }: FoundPartition): Adoption {
  position.leader = -1;
  const which = compareTopic(position, topic?.id);
  if (partition === undefined || partition.leader < 0 || which === 'outdated') return 'missed';
  if (which === 'recreated' && topic?.id !== undefined) {
    startOver(position, topic.id);
    position.leader = partition.leader;
    position.leaderEpoch = partition.leaderEpoch;
    return 'recreated';
  }
  // Epochs of one topic only grow: older metadata would lead back to a leader that was deposed.
  const isOlder = partition.leaderEpoch >= 0 && partition.leaderEpoch < position.leaderEpoch;
  if (isOlder && position.topicId !== undefined) return 'missed';
  const hasChanged = position.leaderEpoch !== partition.leaderEpoch;
  position.leader = partition.leader;
  position.leaderEpoch = partition.leaderEpoch;
  return hasChanged && position.lastEpoch >= 0 && position.leaderEpoch >= 0 ? 'newly led' : 'found';
}

const unknownTopic = 3;
const leaderNotAvailable = 5;

function missedPosition(position: PartitionPosition, { topic, partition }: FoundPartition): LeaderlessPosition {
  const isUnknown = topic === undefined || topic.errorCode === unknownTopic || (topic.errorCode === 0 && !partition);
  const code = isUnknown ? unknownTopic : topic.errorCode || partition?.errorCode || leaderNotAvailable;
  const what = `unable to read topic "${position.topic}" partition ${position.partition}`;
  const retryable = remedyOf(code) !== undefined;
  const error: CliError = kafkaError(code, `${what}: ${kafkaErrorText(code)}`, { target: position.topic, retryable });
  return { position, error, isUnknown };
}

function reportRecreated(watch: LeaderWatch, positions: readonly PartitionPosition[]): void {
  for (const [topic, [first]] of Map.groupBy(positions, (position) => position.topic)) {
    watch.warn(recreationWarning(topic, first?.end !== undefined));
  }
}

/** Reports a topic that was deleted and created again while it was read. */
export function recreationWarning(topic: string, isRange: boolean): string {
  const then = isRange ? 'the rest of the range is gone' : 'reading starts over at its start';
  return `topic "${topic}" was deleted and created again: ${then}`;
}

/** Finds out whether the logs of new leaders were cut. Never rejects. */
async function checkLogs(search: Search, positions: readonly PartitionPosition[], startedAt: number): Promise<void> {
  const { client, watch } = search;
  try {
    const unchecked = await rewindTruncated(client, positions, watch.warn);
    if (search.isClosed) return;
    const isUnchecked = new Set(unchecked.map(({ position }) => position));
    // Its next leader is a new one again.
    for (const position of isUnchecked) position.leaderEpoch = -1;
    watch.found(positions.filter((position) => !isUnchecked.has(position)));
    watch.missed(
      unchecked.map((failure) => ({ ...failure, isUnknown: false })),
      startedAt,
    );
  } catch (error) {
    watch.broken(error);
  }
}
