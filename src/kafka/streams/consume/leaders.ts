import type { CliError } from '../../../errors.ts';
import { backoffMs } from '../../../net/retry.ts';
import type { Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { isDisabled } from '../../protocol/client/redpanda.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { FailedPosition } from './answer.ts';
import { compareTopic, type PartitionPosition, startOver } from './position.ts';
import { rewindTruncated } from './truncation.ts';

/** A position whose partition cannot be read according to metadata. */
export interface LeaderlessPosition extends FailedPosition {
  /** Whether metadata lacks the topic or the partition. */
  readonly isUnknown: boolean;
}

/** The callbacks of a leader search. */
export interface LeaderWatch {
  /** Called with positions that have a leader whose log contains their offset. */
  found(positions: readonly PartitionPosition[]): void;
  /** Called with positions without a usable leader; `startedAt` is when the request was sent. */
  missed(positions: readonly LeaderlessPosition[], startedAt: number): void;
  /** Called with positions whose range belongs to a topic that was deleted and created again. */
  ended(positions: readonly PartitionPosition[]): void;
  /** Called when metadata could not be read. */
  broken(error: unknown): void;
  isWanted(position: PartitionPosition): boolean;
  warn(line: string): void;
}

/** Looks for partition leaders, with one Metadata request for all positions that are due. */
export interface LeaderSearch {
  /** Looks for the leaders of positions after the pause for their failures. */
  seek(positions: Iterable<PartitionPosition>): void;
  /** Cancels the pause; nothing more is reported. */
  close(): void;
}

/** Positions that become due within this time after a pause share its request, in milliseconds. */
const togetherMs = 50;

interface Search {
  readonly client: Client;
  readonly watch: LeaderWatch;
  /** When each position is due, on the client's clock. */
  readonly waiting: Map<PartitionPosition, number>;
  alarm: { readonly at: number; cancel(): void } | undefined;
  isAsking: boolean;
  isClosed: boolean;
}

/** Opens a search with nothing to look for. */
export function openLeaderSearch(client: Client, watch: LeaderWatch): LeaderSearch {
  const search: Search = { client, watch, waiting: new Map(), alarm: undefined, isAsking: false, isClosed: false };
  return {
    seek(positions) {
      const now = client.options.deadline.clock.now();
      for (const position of positions) {
        const { failures } = position;
        // No jitter here: positions that failed together must be due together. The alarm adds the jitter.
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

/** Asks about all positions that are due by `until`. Never rejects. */
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

interface TimedMetadata {
  readonly metadata: ClusterMetadata;
  readonly startedAt: number;
}

function adoptLeaders(search: Search, due: readonly PartitionPosition[], { metadata, startedAt }: TimedMetadata): void {
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

/** The metadata of one partition; undefined where it is missing. */
interface FoundPartition {
  readonly topic: TopicMetadata | undefined;
  readonly partition: PartitionMetadata | undefined;
}

function partitionFinder({ topics }: ClusterMetadata): (position: PartitionPosition) => FoundPartition {
  const byName = new Map(
    topics.map((topic) => [topic.name, { topic, rows: new Map(topic.partitions.map((row) => [row.partition, row])) }]),
  );
  return ({ topic, partition }) => {
    const entry = byName.get(topic);
    return { topic: entry?.topic, partition: entry?.rows.get(partition) };
  };
}

/** `newly led`: the leader epoch has changed, so the log may have been truncated. */
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
  // The epochs of a topic only increase: outdated metadata would lead back to a former leader.
  const isOlder = partition.leaderEpoch >= 0 && partition.leaderEpoch < position.leaderEpoch;
  if (isOlder && position.topicId !== undefined) return 'missed';
  const hasChanged = position.leaderEpoch !== partition.leaderEpoch;
  position.leader = partition.leader;
  position.leaderEpoch = partition.leaderEpoch;
  return hasChanged && position.lastEpoch >= 0 && position.leaderEpoch >= 0 ? 'newly led' : 'found';
}

function missedPosition(position: PartitionPosition, { topic, partition }: FoundPartition): LeaderlessPosition {
  const isUnknown =
    topic === undefined ||
    topic.errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION ||
    (topic.errorCode === 0 && !partition);
  const code = isUnknown
    ? codes.UNKNOWN_TOPIC_OR_PARTITION
    : topic.errorCode || partition?.errorCode || codes.LEADER_NOT_AVAILABLE;
  const what = `unable to read topic "${position.topic}" partition ${position.partition}`;
  const retryable = kafkaErrorKind(code).retriable && !isDisabled(code);
  const error: CliError = kafkaError(code, `${what}: ${kafkaErrorText(code)}`, { target: position.topic, retryable });
  return { position, error, isUnknown };
}

function reportRecreated(watch: LeaderWatch, positions: readonly PartitionPosition[]): void {
  for (const [topic, [first]] of Map.groupBy(positions, (position) => position.topic)) {
    watch.warn(recreationWarning(topic, first?.end !== undefined));
  }
}

/** Makes the warning for a topic that was deleted and created again while it was read. */
export function recreationWarning(topic: string, isRange: boolean): string {
  const then = isRange ? 'the rest of the range is lost' : 'reading starts over at its beginning';
  return `topic "${topic}" was deleted and created again: ${then}`;
}

/** Checks whether the logs of new leaders were truncated. Never rejects. */
async function checkLogs(search: Search, positions: readonly PartitionPosition[], startedAt: number): Promise<void> {
  const { client, watch } = search;
  try {
    const unchecked = await rewindTruncated(client, positions, watch.warn);
    if (search.isClosed) return;
    const isUnchecked = new Set(unchecked.map(({ position }) => position));
    // Without an epoch, the next leader counts as a new one, and its log is checked again.
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
