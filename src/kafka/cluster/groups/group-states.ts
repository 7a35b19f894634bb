import { CliError, type ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { consumerGroupDescribe } from '../../protocol/wire/apis/consumer-group-describe.ts';
import { describeGroups } from '../../protocol/wire/apis/describe-groups.ts';
import { shareGroupDescribe } from '../../protocol/wire/apis/share-group-describe.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { copyMembers } from '../../streams/groups/member.ts';
import { decodeAssignment, type TopicPartitions } from '../../streams/groups/subscription.ts';
import { reached } from './group-error.ts';
import type { ListedGroup } from './group-rows.ts';
import { listGroups } from './listing.ts';

/** A member as its coordinator describes it. */
export interface MemberState {
  readonly memberId: string;
  readonly instanceId?: string | undefined;
  readonly clientId: string;
  readonly clientHost: string;
  /** The names of the topics that it wants to read, as far as its group reports them. */
  readonly topics?: readonly string[];
  readonly assignment: readonly TopicPartitions[];
}

/** A group as its coordinator describes it, whatever its type. */
export interface GroupState {
  readonly group: string;
  readonly type: 'classic' | 'consumer' | 'share' | 'streams' | null;
  readonly coordinator: number | null;
  readonly state: string | null;
  readonly balancer: string;
  /** Empty for a streams group, whose members weir cannot read. */
  readonly members: readonly MemberState[];
  /** GROUP_ID_NOT_FOUND if no group of any type has the name. */
  readonly error: ItemError | null;
}

/**
 * Describes groups of every type, in the order of the names. Brokers have one API for each type, and each API reports
 * groups of the other types as missing: weir asks about classic groups first, then about those that are left. Streams
 * groups have an API that weir does not speak: the listing of groups has their coordinator and state.
 * @param listed the listing, if the caller has it: each group is then asked for with the API of its type only
 */
export async function findGroups(
  client: Client,
  names: readonly string[],
  listed?: ReadonlyMap<string, ListedGroup>,
): Promise<readonly GroupState[]> {
  const byName = new Map<string, GroupState>();
  let left = names;
  for (const [type, ask] of asks) {
    const candidates = left.filter((name) => (listed?.get(name)?.type ?? type) === type);
    if (candidates.length === 0) continue;
    for (const group of await ask(client, candidates)) {
      // A broker without the API knows no group of the type: the answer of the API before it stands.
      if (group.error?.code !== 'UNSUPPORTED_VERSION' || !byName.has(group.group)) byName.set(group.group, group);
    }
    left = left.filter((name) => (byName.get(name) ?? missing(name)).error?.number === codes.GROUP_ID_NOT_FOUND);
  }
  const rows = listed === undefined && left.length > 0 ? await listOrNone(client) : [...(listed?.values() ?? [])];
  for (const group of streamsOf(rows, left)) byName.set(group.group, group);
  return names.map((name) => byName.get(name) ?? missing(name));
}

/** Whether a group has members, also those that weir cannot read. */
export function hasMembers({ type, state, members }: GroupState): boolean {
  return members.length > 0 || (type === 'streams' && state !== 'Empty');
}

async function listOrNone(client: Client): Promise<readonly ListedGroup[]> {
  return await listGroups(client, { states: [], types: [] }).catch((error: unknown) => {
    // The groups stay those that the other APIs have not found.
    if (error instanceof CliError && !client.options.deadline.signal.aborted) return [];
    throw error;
  });
}

function streamsOf(rows: readonly ListedGroup[], names: readonly string[]): readonly GroupState[] {
  const nameSet = new Set(names);
  return rows.flatMap(({ group, type, broker, state }) => {
    if (group === null || type !== 'streams' || !nameSet.has(group)) return [];
    return [{ ...missing(group, broker), type, state, error: null }];
  });
}

/** The APIs, each with the type of the groups that it describes. */
const asks = [
  ['classic', askClassic],
  ['consumer', askConsumer],
  ['share', askShare],
] as const;

async function askClassic(client: Client, names: readonly string[]): Promise<readonly GroupState[]> {
  const outcomes = reached(await client.ask(classicQuestion, names));
  return outcomes.map((outcome) =>
    foundGroup(outcome, 'classic', ({ groupState: state, protocolData: balancer, protocolType, members }) => {
      // Before version 6, this is how a broker reports a group that does not exist.
      if (state === 'Dead') return missing(outcome.item, outcome.node);
      const isConsumer = protocolType === 'consumer' || protocolType === copyMembers;
      return { state, balancer, members: members.map((member) => classicMember(member, isConsumer)) };
    }),
  );
}

async function askConsumer(client: Client, names: readonly string[]): Promise<readonly GroupState[]> {
  const outcomes = await client.ask(consumerQuestion, names);
  return outcomes.map((outcome) =>
    foundGroup(outcome, 'consumer', ({ groupState: state, assignorName: balancer, members }) => {
      return { state, balancer, members: members.map(consumerMember) };
    }),
  );
}

async function askShare(client: Client, names: readonly string[]): Promise<readonly GroupState[]> {
  const outcomes = await client.ask(shareQuestion, names);
  return outcomes.map((outcome) =>
    foundGroup(outcome, 'share', ({ groupState: state, assignorName: balancer, members }) => {
      return { state, balancer, members: members.map(shareMember) };
    }),
  );
}

/** The parts that all three questions have in common. */
const byName = {
  what: (group: string) => `describe group "${group}"`,
  target: (group: string) => ({ group }),
  keyOf: (group: string) => group,
};

function namesOf(items: readonly string[]): readonly string[] {
  return items;
}

function rowsByName<Row extends { readonly groupId: string }>({ groups }: { readonly groups: readonly Row[] }) {
  return groups.map((row) => [row.groupId, row] as const);
}

const classicQuestion = questionOf({
  ...byName,
  api: describeGroups,
  request: (items) => ({ groups: namesOf(items) }),
  rows: rowsByName,
});
const consumerQuestion = questionOf({
  ...byName,
  api: consumerGroupDescribe,
  request: (items) => ({ groupIds: namesOf(items) }),
  rows: rowsByName,
});
const shareQuestion = questionOf({
  ...byName,
  api: shareGroupDescribe,
  request: (items) => ({ groupIds: namesOf(items) }),
  rows: rowsByName,
});

type MemberOf<Response extends { readonly groups: readonly { readonly members: readonly unknown[] }[] }> =
  Response['groups'][number]['members'][number];

/** Makes a group from its row, or from the error that kept the row from being read. */
function foundGroup<Row>(
  outcome: Outcome<string, Row>,
  type: 'classic' | 'consumer' | 'share',
  describe: (row: Row) => Partial<GroupState>,
): GroupState {
  const error = itemErrorOf(outcome);
  const none = { ...missing(outcome.item, outcome.node), error };
  if (error !== null || outcome.row === undefined) return none;
  return { ...none, type, ...describe(outcome.row) };
}

function missing(group: string, coordinator?: number): GroupState {
  return {
    group,
    type: null,
    coordinator: coordinator ?? null,
    state: null,
    balancer: '',
    members: [],
    error: kafkaItemError(codes.GROUP_ID_NOT_FOUND),
  };
}

function classicMember(member: MemberOf<ResponseOf<typeof describeGroups>>, isConsumer: boolean): MemberState {
  const { memberId, groupInstanceId: instanceId, clientId, clientHost, memberAssignment } = member;
  return { memberId, instanceId, clientId, clientHost, assignment: isConsumer ? shareOf(memberAssignment) : [] };
}

/** The share of a member; empty if it is not in the encoding of the consumers. */
function shareOf(assignment: Buffer): readonly TopicPartitions[] {
  try {
    return decodeAssignment(assignment);
  } catch {
    return [];
  }
}

function consumerMember(member: MemberOf<ResponseOf<typeof consumerGroupDescribe>>): MemberState {
  const { memberId, instanceId, clientId, clientHost, subscribedTopicNames: topics, assignment } = member;
  return { memberId, instanceId, clientId, clientHost, topics, assignment: namedPartitions(assignment) };
}

function shareMember(member: MemberOf<ResponseOf<typeof shareGroupDescribe>>): MemberState {
  const { memberId, clientId, clientHost, assignment } = member;
  return { memberId, clientId, clientHost, assignment: namedPartitions(assignment) };
}

interface NamedAssignment {
  readonly topicPartitions: readonly { readonly topicName: string; readonly partitions: readonly number[] }[];
}

function namedPartitions({ topicPartitions }: NamedAssignment): readonly TopicPartitions[] {
  return topicPartitions.map(({ topicName: topic, partitions }) => ({ topic, partitions }));
}
