import { CliError, exitCodes, type ItemError, itemErrorOf, notFoundError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { byPartition } from '../../protocol/partitions/by-topic.ts';
import { askOffsets, type OffsetAnswer, type OffsetAnswers } from '../../protocol/partitions/offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import { groupError, shareError } from './group-error.ts';
import { type GroupOffset, readCommits } from './group-offsets.ts';
import { findGroups, type GroupState, hasMembers } from './group-states.ts';
import { type LogEnds, readLogs, type TopicLogs } from './log-ends.ts';
import { nothingCommitted } from './offset-deletion.ts';
import type { PlannedSeek, SeekCall, SeekPlan, SeekTarget } from './seek-rows.ts';

/**
 * Plans where to move the committed offsets of a group, without changing any.
 * @throws CliError when the group does not exist, has members, is a share group, or cannot be read, and when a topic does
 * not exist, is new, or is another one than the target's offsets belong to
 */
export async function planSeek(client: Client, call: SeekCall): Promise<SeekPlan> {
  const { group, target } = call;
  const [current] = await findGroups(client, [group]);
  checkSeekable(group, current);
  const prior = await commitsOf(client, group);
  const isNew = isMissing(current) && prior.length === 0;
  if (isNew && !call.allowNewGroup) throw missingGroup(`seek group "${group}"`, group);
  const given = target.to === 'group' ? await copied(client, target.group) : undefined;
  const targets = wantedOffsets(target, given)?.filter((one) => isChosen(call, one));
  const topics =
    targets === undefined ? topicsToMove(call, prior, isNew) : [...new Set(targets.map(({ topic }) => topic))];
  const logs = await readLogs(client, topics);
  const moved = new Set(topics);
  for (const { topic } of call.topics) checkTopic(topic, moved, logs);
  for (const one of targets ?? []) checkSame(group, one, logs);
  const times = target.to === 'time' ? await offsetsAt(client, logs, target.timestamp) : undefined;
  const places = targets ?? topics.flatMap((topic) => partitionsOf(topic, call, prior, logs));
  const before = new Map(prior.map((one) => [partitionName(one), one.offset]));
  const moves = places.map((place) => plannedSeek(place, { target, before, logs, times }));
  return { group, moves: moves.sort(byPartition) };
}

/** The coordinator refuses commits from outside while a group has members, which would undo them in any case. */
function checkSeekable(group: string, current: GroupState | undefined): void {
  const what = `seek group "${group}"`;
  if (current?.error && !isMissing(current)) throw groupError(what, group, current.error);
  if (current?.type === 'share') throw shareError(what, group);
  if (current === undefined || !hasMembers(current)) return;
  const { members } = current;
  if (members.length === 0) {
    throw new CliError(exitCodes.conflict, `unable to ${what}: it is a streams group in the state ${current.state}`, {
      code: 'NON_EMPTY_GROUP',
      target: group,
      hints: ['stop its applications first'],
    });
  }
  const clients = members
    .slice(0, 5)
    .map(({ clientId, clientHost }) => `${clientId} (${clientHost.replace(/^\//, '')})`);
  const more = members.length > clients.length ? ` and ${members.length - clients.length} more` : '';
  throw new CliError(exitCodes.conflict, `unable to ${what}: it has ${count(members.length, 'member')}`, {
    code: 'NON_EMPTY_GROUP',
    target: group,
    hints: [`stop ${clients.join(', ')}${more} first`],
  });
}

function isMissing(current: GroupState | undefined): boolean {
  return current?.error?.number === codes.GROUP_ID_NOT_FOUND;
}

function missingGroup(what: string, group: string): CliError {
  return notFoundError(`unable to ${what}: there is no group with this name`, {
    code: 'GROUP_ID_NOT_FOUND',
    target: group,
  });
}

async function commitsOf(client: Client, group: string): Promise<readonly GroupOffset[]> {
  const commits = (await readCommits(client, [group])).get(group);
  if (commits?.error) throw groupError(`read the offsets of group "${group}"`, group, commits.error);
  return (commits?.offsets ?? []).filter(({ offset }) => offset >= 0n);
}

async function copied(client: Client, group: string): Promise<readonly GroupOffset[]> {
  const offsets = await commitsOf(client, group);
  if (offsets.length > 0) return offsets;
  const [current] = await findGroups(client, [group]);
  if (isMissing(current)) throw missingGroup(`seek to group "${group}"`, group);
  throw notFoundError(`unable to seek to group "${group}": it has no committed offsets`, { target: group });
}

/** A partition to move; without an offset, the target says where. */
interface Wanted extends TopicPartition {
  readonly offset?: bigint | null;
  readonly leaderEpoch?: number;
  readonly topicId?: string;
}

/** The partitions and offsets of a target that names them; undefined for the others. */
function wantedOffsets(target: SeekTarget, copies: readonly GroupOffset[] | undefined): readonly Wanted[] | undefined {
  if (copies !== undefined) return copies;
  if (target.to !== 'offsets') return undefined;
  // Of a partition that is named twice, the last line counts.
  return [...new Map(target.offsets.map((one) => [partitionName(one), one])).values()];
}

function isChosen({ topics }: SeekCall, { topic, partition }: TopicPartition): boolean {
  return topics.length === 0 || (chosenPartitions(topics, topic)?.includes(partition) ?? isNamed(topics, topic));
}

function isNamed(topics: SeekCall['topics'], topic: string): boolean {
  return topics.some((one) => one.topic === topic);
}

/** The partitions of a topic that a call names, which may do so twice; undefined for all of them. */
function chosenPartitions(topics: SeekCall['topics'], topic: string): readonly number[] | undefined {
  const selections = topics.filter((one) => one.topic === topic).map(({ partitions }) => partitions);
  const numbers = selections.flatMap((partitions) => partitions ?? []);
  return numbers.length === 0 || selections.includes(undefined) ? undefined : [...new Set(numbers)];
}

function topicsToMove(
  { group, topics, allowNewTopics }: SeekCall,
  prior: readonly GroupOffset[],
  isNew: boolean,
): readonly string[] {
  const committedTopics = new Set(prior.map(({ topic }) => topic));
  if (topics.length === 0 && committedTopics.size === 0) {
    throw notFoundError(`unable to seek group "${group}": it has no committed offsets`, {
      target: group,
      hints: [`name the topics with --topics${isNew ? '' : ', and give --allow-new-topics'}`],
    });
  }
  const names = topics.map(({ topic }) => topic);
  const fresh = names.find((topic) => !committedTopics.has(topic));
  if (fresh !== undefined && !allowNewTopics && !isNew) {
    throw usageError(`unable to seek group "${group}": it has no committed offset of topic "${fresh}"`, {
      target: fresh,
      hints: ['give --allow-new-topics to commit offsets of new topics'],
    });
  }
  return topics.length > 0 ? [...new Set(names)] : [...committedTopics];
}

/** Checks a topic that the call names. */
function checkTopic(topic: string, moved: ReadonlySet<string>, logs: TopicLogs): void {
  if (!moved.has(topic)) {
    throw notFoundError(`unable to seek to topic "${topic}": the target has no offset of it`, { target: topic });
  }
  if (logs.partitions(topic).length > 0) return;
  const { error } = logs.ends(topic, 0);
  if (error) throw groupError(`seek to topic "${topic}"`, topic, error);
}

/** Refuses offsets of a topic that was deleted, and whose name another topic has taken. */
function checkSame(group: string, { topic, topicId }: Wanted, logs: TopicLogs): void {
  const now = logs.id(topic);
  if (topicId === undefined || now === undefined || now === topicId) return;
  const what = `the offsets belong to a topic "${topic}" with the id ${topicId}, but the topic now has the id ${now}`;
  throw new CliError(exitCodes.conflict, `unable to seek group "${group}": ${what}`, {
    code: 'TOPIC_RECREATED',
    target: topic,
    hints: ['the topic was deleted and created again: to use its old offsets all the same, remove the topic ids'],
  });
}

/**
 * The partitions of a topic that the call names, or else all; of a topic that is gone, and where offsets are shifted, those
 * with a committed offset.
 */
function partitionsOf(
  topic: string,
  { topics, target }: SeekCall,
  prior: readonly GroupOffset[],
  logs: TopicLogs,
): readonly Wanted[] {
  const chosen = chosenPartitions(topics, topic);
  if (chosen !== undefined) return chosen.map((partition) => ({ topic, partition }));
  const all = logs.partitions(topic);
  if (all.length > 0 && target.to !== 'shift') return all.map((partition) => ({ topic, partition }));
  return prior.filter((one) => one.topic === topic).map(({ partition }) => ({ topic, partition }));
}

function offsetsAt(client: Client, logs: TopicLogs, timestamp: number): Promise<OffsetAnswers> {
  return askOffsets(client, logs.topics, {
    time: BigInt(timestamp),
    isolation: 'uncommitted',
    reportsLeaderless: true,
  });
}

interface Parts {
  readonly target: SeekTarget;
  /** The committed offsets. */
  readonly before: ReadonlyMap<string, bigint>;
  readonly logs: TopicLogs;
  readonly times: OffsetAnswers | undefined;
}

function plannedSeek(wanted: Wanted, parts: Parts): PlannedSeek {
  const { topic, partition, leaderEpoch = -1 } = wanted;
  const log = parts.logs.ends(topic, partition);
  const before = parts.before.get(partitionName(wanted)) ?? null;
  const answer = parts.times?.get(topic)?.get(partition);
  const requested = wanted.offset === undefined ? placeIn(log, parts.target, { answer, before }) : wanted.offset;
  // As Kafka's script does. A file and another group are followed exactly: they may hold the offsets from before a seek.
  const offset = wanted.offset === undefined ? nearest(log, requested) : requested;
  // A given offset needs only a partition that exists, and removing one needs none.
  const exists = log.start !== null || log.end !== null || wanted.offset === null;
  const isReadable = wanted.offset === undefined ? offset !== null : exists;
  return {
    topic,
    topic_id: parts.logs.id(topic) ?? null,
    partition,
    prior_offset: before,
    new_offset: offset,
    asked_offset: requested === offset ? null : requested,
    leader_epoch: leaderEpoch,
    log_start_offset: log.start,
    log_end_offset: log.end,
    error: isReadable
      ? null
      : (log.error ?? (answer?.cause ? itemErrorOf(answer.cause) : withoutCommit(parts, before))),
  };
}

function withoutCommit({ target }: Parts, before: bigint | null): ItemError | null {
  return target.to === 'shift' && before === null ? nothingCommitted : null;
}

interface SeekOffsets {
  readonly answer: OffsetAnswer | undefined;
  /** The committed offset. */
  readonly before: bigint | null;
}

/** The offset of a place in a log, which may lie outside of it; null if it is not known. */
function placeIn({ start, end }: LogEnds, target: SeekTarget, { answer, before }: SeekOffsets): bigint | null {
  if (target.to === 'start') return start;
  if (target.to === 'end') return end;
  if (target.to === 'offset') return start === null || end === null ? null : target.offset;
  if (target.to === 'shift') return start === null || end === null || before === null ? null : before + target.by;
  if (answer === undefined || answer.error !== undefined) return null;
  return answer.offset < 0n ? end : answer.offset;
}

/** The offset itself, or the nearest one that a consumer can start from. */
function nearest({ start, end }: LogEnds, offset: bigint | null): bigint | null {
  if (offset === null || start === null || end === null) return offset;
  if (offset < start) return start;
  return offset > end ? end : offset;
}
