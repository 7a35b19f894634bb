import { CliError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import type { GroupProtocol } from '../groups/balancers.ts';
import { createConsumerMembership } from '../groups/consumer-membership.ts';
import type { GroupMembership } from '../groups/member.ts';
import { createMembership } from '../groups/membership.ts';
import type { TopicPartitions } from '../groups/subscription.ts';
import { consumerGroupDescribe } from '../protocol/consumer-group-describe.ts';
import { printedEpoch } from './epochs.ts';
import { planStarts } from './plan.ts';
import { createPosition, type PartitionPosition, type PartitionStart } from './position.ts';
import type { ConsumeRequest, GroupMembershipRequest } from './request.ts';
import { type PositionSource, requestedTopics } from './topic-source.ts';

/** Group timings in milliseconds, those of rpk. */
const timings = { sessionTimeoutMs: 45_000, rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000 };

interface GroupWork {
  readonly client: Client;
  readonly request: ConsumeRequest;
  readonly membership: GroupMembership;
  topics: readonly TopicMetadata[];
  positions: readonly PartitionPosition[];
}

/** The partitions that the group gives to this member, from where the group has committed. */
export async function openGroupSource(
  client: Client,
  request: ConsumeRequest,
  group: GroupMembershipRequest,
  wake: () => void,
): Promise<PositionSource> {
  const topics = await requestedTopics(client, request);
  const shared = {
    group: group.name,
    instanceId: group.instanceId,
    ...timings,
    topics: () => work.topics.map(({ name }) => name),
    onChange: wake,
  };
  const membership =
    (group.protocol ?? (await protocolOf(client, group.name))) === 'consumer'
      ? createConsumerMembership(client, { ...shared, assignor: group.assignor, rack: request.rack })
      : createMembership(client, { ...shared, balancers: group.balancers });
  const work: GroupWork = { client, request, membership, topics, positions: [] };
  return {
    async open() {
      await rejoin(work);
      return work.positions;
    },
    async tick({ commit, discovery }) {
      if (membership.failure !== undefined) throw membership.failure;
      if (commit) await commitPrinted(work);
      if (discovery) await discover(work);
      if (!membership.needsRejoin) return undefined;
      await rejoin(work);
      return work.positions;
    },
    async close() {
      try {
        await commitPrinted(work);
      } finally {
        await membership.leave();
      }
    },
  };
}

/** The protocol of a group that has members; classic for every other, as most members speak that. */
async function protocolOf(client: Client, group: string): Promise<GroupProtocol> {
  try {
    const { groups } = await client.request(consumerGroupDescribe, { groups: [group] }, { group });
    return groups[0]?.errorCode === 0 && groups[0].members.length > 0 ? 'consumer' : 'classic';
  } catch (error) {
    // A broker without such groups, or one that does not let us look: joining says what is wrong.
    if (error instanceof CliError && !error.retryable) return 'classic';
    throw error;
  }
}

/** Commits, joins until the group is settled, and takes over what it was given. */
async function rejoin(work: GroupWork): Promise<void> {
  do {
    await commitPrinted(work);
    const { share, held } = await work.membership.join();
    await adopt(work, share, held);
  } while (work.membership.needsRejoin);
}

async function adopt(
  work: GroupWork,
  share: readonly TopicPartitions[],
  held: readonly TopicPartitions[],
): Promise<void> {
  const isAssigned = membershipTest(share);
  const isHeld = membershipTest(held);
  const kept = work.positions.filter((position) => isAssigned(position) && isHeld(position));
  for (const position of work.positions) if (!kept.includes(position)) position.done = true;
  const isKept = new Set(kept.map(partitionName));
  const added = share
    .map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.filter((partition) => !isKept.has(partitionName({ topic, partition }))),
    }))
    .filter(({ partitions }) => partitions.length > 0);
  work.positions = kept;
  work.positions = [...kept, ...(await startsOf(work, added)).map(createPosition)];
}

/** Committed offsets, and `--offset` where nothing is committed. */
async function startsOf(
  { client, request, membership }: GroupWork,
  share: readonly TopicPartitions[],
): Promise<readonly PartitionStart[]> {
  const committed = await membership.committed(share);
  const hasCommit = new Set(committed.map(partitionName));
  const missing = share.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ topic, partition })).filter((item) => !hasCommit.has(partitionName(item))),
  );
  const starts = committed.map(({ topic, partition, offset, leaderEpoch }) => ({
    ...{ topic, partition, offset, end: undefined, epoch: leaderEpoch },
  }));
  if (missing.length === 0) return starts;
  const { range, readCommitted, warn } = request;
  const wanted = new Set(missing.map(partitionName));
  const { topics } = await client.metadata([...new Set(missing.map(({ topic }) => topic))]);
  const narrowed = topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.filter(({ partition }) => wanted.has(partitionName({ topic: topic.name, partition }))),
  }));
  return [...starts, ...(await planStarts(client, { topics: narrowed, range, readCommitted, warn }))];
}

async function commitPrinted({ membership, positions }: GroupWork): Promise<void> {
  // Backwards too: where the log was cut, what comes in its place is not to be skipped.
  const moved = positions.filter((position) => position.printed !== position.committed);
  const offsets = moved.map((position) => {
    const { topic, partition, printed } = position;
    return { topic, partition, offset: printed, leaderEpoch: printedEpoch(position) };
  });
  if (!(await membership.commit(offsets))) return;
  for (const [index, position] of moved.entries()) position.committed = offsets[index]?.offset ?? position.committed;
}

/** Asks for a rebalance when patterns match other topics, or the leader sees a topic with more partitions. */
async function discover(work: GroupWork): Promise<void> {
  const { client, request, membership } = work;
  if (!(request.regex || membership.isLeader)) return;
  const before = summary(work.topics);
  work.topics = await requestedTopics(client, request);
  if (summary(work.topics) !== before) membership.requestRejoin();
}

function summary(topics: readonly TopicMetadata[]): string {
  return topics
    .map(({ name, partitions }) => `${name}:${partitions.length}`)
    .sort()
    .join(',');
}

function partitionName({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function membershipTest(share: readonly TopicPartitions[]): (position: PartitionPosition) => boolean {
  const names = new Set(
    share.flatMap(({ topic, partitions }) => partitions.map((partition) => partitionName({ topic, partition }))),
  );
  return (position) => names.has(partitionName(position));
}
