import { within } from '../../../clock.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import { consumerGroupDescribe } from '../../protocol/wire/apis/consumer-group-describe.ts';
import type { GroupProtocol } from '../groups/balancer-words.ts';
import { createConsumerMembership } from '../groups/consumer-membership.ts';
import { type CommitOutcome, leaveLimitMs } from '../groups/member.ts';
import { createMembership } from '../groups/membership.ts';
import { commitPrinted } from './group-commits.ts';
import { discover, subscribedTopics } from './group-discovery.ts';
import { adopt, openWaiting } from './group-share.ts';
import { createGroupWork, type GroupWork } from './group-work.ts';
import { planStarts } from './plan.ts';
import type { PartitionStart } from './position.ts';
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
