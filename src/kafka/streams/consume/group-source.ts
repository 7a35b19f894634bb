import { within } from '../../../clock.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import { isRetriable } from '../../protocol/errors.ts';
import { compileLoosePatterns } from '../../protocol/partitions/name-words.ts';
import { consumerGroupDescribe } from '../../protocol/wire/apis/consumer-group-describe.ts';
import type { GroupProtocol } from '../groups/balancer-words.ts';
import type { PartitionOffset } from '../groups/commits.ts';
import { createConsumerMembership } from '../groups/consumer-membership.ts';
import { type CommitOutcome, leaveLimitMs } from '../groups/member.ts';
import { createMembership } from '../groups/membership.ts';
import { printedEpoch } from './epochs.ts';
import { absentOf, adopt, openWaiting } from './group-share.ts';
import { createGroupWork, type GroupWork, setAside } from './group-work.ts';
import { recreationWarning } from './leaders.ts';
import { existingTopics, planStarts } from './plan.ts';
import { compareTopic, createPosition, type PartitionPosition, type PartitionStart, startOver } from './position.ts';
import type { ConsumeRequest, GroupMembershipRequest } from './request.ts';
import type { PositionSource } from './topic-source.ts';

/** Group timings in milliseconds, the same as in rpk. */
const timings = { sessionTimeoutMs: 45_000, rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000 };

/** How long the last commit may take in total, and how long it waits for a rebalance to end, in milliseconds. */
const lastCommitMs = 3_300;
const settleMs = 1_500;
/** The minimum time for leaving the group, in milliseconds. */
const shortestLeaveMs = 1_000;

/**
 * Opens a source of the partitions that the group assigns to this member, starting at the committed offsets. Commits
 * and discovery run while records are printed; only a rebalance holds up printing.
 */
export async function openGroupSource(
  client: Client,
  request: ConsumeRequest,
  group: GroupMembershipRequest,
  wake: () => void,
): Promise<PositionSource> {
  const topics = await subscribedTopics(client, request, 'strict');
  const ends = request.range.end === undefined ? undefined : endsOf(await planStarts(client, { ...request, topics }));
  const shared = {
    group: group.name,
    instanceId: group.instanceId,
    ...timings,
    topics: () => work.subscription,
    onChange: wake,
  };
  const membership =
    (group.protocol ?? (await protocolOf(client, group.name))) === 'consumer'
      ? createConsumerMembership(client, { ...shared, assignor: group.assignor, rack: request.rack })
      : createMembership(client, { ...shared, balancers: group.balancers });
  const work: GroupWork = createGroupWork({ client, request, group: group.name, membership, wake, ends }, topics);
  return {
    topics,
    async open() {
      await rejoin(work);
      work.hasChanged = false;
      return work.positions;
    },
    async tick({ commit, discovery }) {
      const failure = membership.failure ?? work.failure;
      if (failure !== undefined) throw failure;
      if (commit) inBackground(work, commitPrinted);
      if (discovery) inBackground(work, discover);
      else if (commit) inBackground(work, openWaiting);
      if (membership.needsRejoin) await rejoin(work);
      if (!work.hasChanged) return undefined;
      work.hasChanged = false;
      return work.positions;
    },
    confirmed: () => membership.confirmed(),
    close: (printed, tell = request.warn) => close(work, tell, printed),
  };
}

function endsOf(starts: readonly PartitionStart[]): ReadonlyMap<string, bigint> {
  return new Map(starts.map((start) => [partitionName(start), start.end ?? start.offset]));
}

const groupDescription = questionOf({
  api: consumerGroupDescribe,
  what: (group: string) => `describe group "${group}"`,
  target: (group: string) => ({ group }),
  keyOf: (group: string) => group,
  request: (items: readonly string[]) => ({ groupIds: items }),
  rows: ({ groups }) => groups.map((row) => [row.groupId, row] as const),
});

/** Returns the protocol of a group with members; classic for any other group, because most members use it. */
async function protocolOf(client: Client, group: string): Promise<GroupProtocol> {
  const [outcome] = await client.ask(groupDescription, [group]);
  const { row, error } = outcome ?? {};
  // The broker may not support such groups or may not authorize the request: joining reports what is wrong.
  if (error?.retryable) throw error;
  return error === undefined && row !== undefined && row.members.length > 0 ? 'consumer' : 'classic';
}

/** Commits, joins until no further rebalance is needed, and adopts the assigned partitions. */
async function rejoin(work: GroupWork): Promise<void> {
  do {
    await commitPrinted(work);
    await adopt(work, await work.membership.join());
  } while (work.membership.needsRejoin);
}

/** Runs a task in the background unless it is already running; its failure ends reading at the next tick. */
function inBackground(work: GroupWork, chore: (work: GroupWork) => Promise<unknown>): void {
  if (work.chores.has(chore)) return;
  work.chores.add(chore);
  chore(work)
    .catch((error: unknown) => {
      if (work.isClosing) return;
      work.failure ??= error;
      work.wake();
    })
    .finally(() => work.chores.delete(chore));
}

/**
 * Commits the printed offsets, then leaves the group. The coordinator accepts a commit while a JoinGroup is pending,
 * but not while members wait for their assignment; the commit is then repeated after that, for partitions still owned.
 */
async function close(
  work: GroupWork,
  tell: (line: string) => void,
  printed: Promise<void> = Promise.resolve(),
): Promise<void> {
  const { client, membership } = work;
  const { clock } = client.options.deadline;
  const until = clock.now() + lastCommitMs + shortestLeaveMs;
  work.isClosing = true;
  membership.hurry();
  let isWriting = true;
  const written = printed.finally(() => {
    isWriting = false;
  });
  written.catch(() => undefined); // the commit before it may fail first
  try {
    const committed = commitLast(work).then(async () => {
      await written;
      return commitLast(work);
    });
    const refused = await within(clock, lastCommitMs, committed, () => (isWriting ? 'blocked' : 'late'));
    if (refused !== undefined && isUncommitted(work, refused)) {
      tell(`the last offsets of group "${work.group}" are not committed: ${reasons[refused]}`);
    }
  } finally {
    await membership.leave(Math.min(leaveLimitMs, until - clock.now()));
  }
}

async function commitLast(work: GroupWork): Promise<CommitOutcome['refused']> {
  const { client, membership } = work;
  const refused = await commitPrinted(work);
  if (refused !== 'rebalancing') return refused;
  await within(client.options.deadline.clock, settleMs, membership.settled(), () => undefined);
  return commitPrinted(work);
}

const reasons = {
  blocked: 'standard output did not take the last records in time',
  late: 'the coordinator did not answer in time',
  lost: 'the group has removed this member',
  rebalancing: 'the group is rebalancing',
} as const;

function isUncommitted({ positions }: GroupWork, why: keyof typeof reasons): boolean {
  // What is still being written is not among the printed offsets, but its reader may take it later.
  return why === 'blocked' || positions.some(({ printed, committed }) => printed !== committed);
}

/**
 * Commits the offsets printed since the last commit, once any pending commit is finished: an older commit must not
 * overwrite a newer one.
 * @returns why some offsets are not committed, if the membership is the reason
 */
function commitPrinted(work: GroupWork): Promise<CommitOutcome['refused']> {
  const turn = work.committing.then(() => {
    // The one before was repeated for as long as may be: another one would take as long again.
    if (work.failure !== undefined && !work.isClosing) throw work.failure;
    return commitMoved(work);
  });
  work.committing = turn.catch(() => undefined);
  return turn;
}

async function commitMoved(work: GroupWork): Promise<CommitOutcome['refused']> {
  // Commits may move backwards: after a log truncation, the replacement records must not be skipped.
  const moved = work.positions.filter((position) => position.printed !== position.committed);
  if (moved.length === 0) return undefined;
  const positionOf = new Map(moved.map((position) => [offsetOf(position), position]));
  const { committed, unknown, refused } = await work.membership.commit([...positionOf.keys()]);
  for (const item of committed) {
    const position = positionOf.get(item);
    if (position !== undefined) position.committed = item.offset;
  }
  if (unknown.length > 0 && !work.isClosing) await checkUnknown(work, unknown);
  return refused;
}

function offsetOf(position: PartitionPosition): PartitionOffset {
  const { topic, topicId, partition, printed } = position;
  return { topic, topicId, partition, offset: printed, leaderEpoch: printedEpoch(position) };
}

/**
 * Sets aside partitions that metadata does not know either; the coordinator alone may not know a new topic yet. Those of
 * a topic that was deleted and created again are read from their start.
 */
async function checkUnknown(work: GroupWork, unknown: readonly PartitionOffset[]): Promise<void> {
  try {
    const metadata = await work.client.metadata([...new Set(unknown.map(({ topic }) => topic))]);
    setAside(work, absentOf(metadata, unknown));
    startOverWith(work, metadata);
  } catch (error) {
    if (!isRetriable(error)) throw error;
  }
}

/** Replaces the positions in topics that have replaced those being read; what was fetched of those is still printed. */
function startOverWith(work: GroupWork, { topics }: ClusterMetadata): void {
  const idOf = new Map(topics.map(({ name, id }) => [name, id]));
  const replaced = work.positions.filter(
    (position) => !position.done && compareTopic(position, idOf.get(position.topic)) === 'recreated',
  );
  if (replaced.length === 0) return;
  const next = new Map(replaced.map((position) => [position, successorOf(position, idOf.get(position.topic) ?? '')]));
  for (const position of replaced) position.done = true;
  work.positions = work.positions.map((position) => next.get(position) ?? position);
  work.hasChanged = true;
  for (const topic of new Set(replaced.map((position) => position.topic))) {
    work.request.warn(recreationWarning(topic, false));
  }
  work.wake();
}

function successorOf(position: PartitionPosition, id: string): PartitionPosition {
  const next = createPosition({ ...position, epoch: -1 });
  next.formerIds = position.formerIds;
  startOver(next, id);
  return next;
}

/** Reads the topics to subscribe to: the named ones, which must exist if `how` is strict, or all that match now. */
async function subscribedTopics(
  client: Client,
  request: ConsumeRequest,
  how: 'strict' | 'lenient',
): Promise<readonly TopicMetadata[]> {
  if (!request.regex) {
    if (how === 'strict') return existingTopics(client, request.topics, request.partitions);
    return (await client.metadata(request.topics)).topics;
  }
  const matches = compileLoosePatterns(request.topics);
  const { topics } = await client.metadata('all');
  return topics.filter(({ name, internal, partitions }) => !internal && partitions.length > 0 && matches(name));
}

/**
 * Requests a rebalance if the patterns match other topics than before, or if this member assigns and a topic's
 * partitions have changed; otherwise starts to read partitions that were unknown to the cluster and no longer are.
 */
async function discover(work: GroupWork): Promise<void> {
  try {
    if (await hasNewTopics(work)) work.membership.requestRejoin();
    else await openWaiting(work);
  } catch (error) {
    // The next round may succeed; if the cluster is gone, the fetcher reports it.
    if (!isRetriable(error)) throw error;
  }
}

async function hasNewTopics(work: GroupWork): Promise<boolean> {
  const { request, membership } = work;
  const before = new Map(membership.watched);
  if (request.regex) for (const name of work.subscription) if (!before.has(name)) before.set(name, 1);
  if (before.size === 0 && !request.regex) return false;
  const matching = request.regex ? await subscribedTopics(work.client, request, 'lenient') : [];
  const now = await partitionCounts(work, matching);
  const isMore = [...now].some(([name, count]) => count > (before.get(name) ?? 0) && isWatched(work, name, before));
  const isLess = [...before].some(([name, count]) => (now.get(name) ?? 0) < count);
  // A broker may lag behind: something counts as gone only if it is missing twice in a row.
  const isGone = isLess && work.hasShrunk;
  work.hasShrunk = isLess && !isGone;
  if (!isMore && !isGone) return false;
  if (request.regex) work.subscription = matching.map(({ name }) => name);
  return true;
}

/** The number of partitions of these topics, and of those that the membership watches. */
async function partitionCounts(
  { client, membership }: GroupWork,
  topics: readonly TopicMetadata[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  const others = [...membership.watched.keys()].filter((name) => !counts.has(name));
  if (others.length === 0) return counts;
  for (const { name, partitions } of (await client.metadata(others)).topics) counts.set(name, partitions.length);
  return counts;
}

/** Whether changes of a topic matter: a member that does not assign looks for new topics only. */
function isWatched({ membership }: GroupWork, name: string, before: ReadonlyMap<string, number>): boolean {
  return membership.watched.has(name) || !before.has(name);
}
