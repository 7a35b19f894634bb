import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { byPartition } from '../../protocol/partitions/by-topic.ts';
import { groupError } from './group-error.ts';
import { type GroupOffset, type GroupOffsets, readCommits, readShareOffsets } from './group-offsets.ts';
import type {
  DescribeGroupsCall,
  GroupDescription,
  GroupMember,
  GroupPartition,
  ListedGroup,
  ListGroupsCall,
} from './group-rows.ts';
import { findGroups, type GroupState, hasMembers, type MemberState } from './group-states.ts';
import { lagOf, totalLag } from './lag.ts';
import { listGroups, matchingGroups } from './listing.ts';
import { readLogs, type TopicLogs } from './log-ends.ts';

/** What the metadata of a committed offset begins with when it holds the progress of a copy. */
export const copyMark = 'weir-copy:';

/**
 * Describes groups, sorted by name, with a number of requests that depends on the number of brokers, not on the number
 * of groups: coordinators, descriptions, committed offsets, metadata of the topics, and the ends of their logs.
 */
export async function describeGroups(client: Client, call: DescribeGroupsCall): Promise<GroupDescription[]> {
  const names = call.regex ? await matchingGroups(client, call.groups) : call.groups;
  return (await describeNamed(client, names)).groups;
}

/** What the caller of `describeNamed` knows already. */
export interface DescriptionParts {
  /** The listing of the groups, by name. */
  readonly listed?: ReadonlyMap<string, ListedGroup>;
  /** Reads where the logs of topics begin and end (default: `readLogs`). */
  logs?(topics: readonly string[]): Promise<TopicLogs>;
}

/** Describes the groups with these names, with the ids of their topics by name. */
export async function describeNamed(
  client: Client,
  names: readonly string[],
  { listed, logs: read = (topics) => readLogs(client, topics) }: DescriptionParts = {},
): Promise<{ readonly groups: GroupDescription[]; readonly topicIds: ReadonlyMap<string, string> }> {
  const groups = await findGroups(client, [...new Set(names)].sort(), listed);
  const readable = groups.filter(({ error }) => error === null);
  const offsets = await offsetsOf(client, readable);
  const topics = readable.flatMap((group) => topicsOf(group, offsets.get(group.group)?.offsets ?? []));
  const logs = await read(topics);
  const ids = topics.flatMap((topic) => {
    const id = logs.id(topic);
    return id === undefined ? [] : [[topic, id] as const];
  });
  return {
    groups: groups.map((group) => describe(group, offsets.get(group.group), logs)),
    topicIds: new Map(ids),
  };
}

async function offsetsOf(client: Client, readable: readonly GroupState[]): Promise<ReadonlyMap<string, GroupOffsets>> {
  const namesOf = (isShare: boolean): readonly string[] =>
    readable.filter(({ type }) => (type === 'share') === isShare).map(({ group }) => group);
  const [commits, shareOffsets] = await Promise.all([
    readCommits(client, namesOf(false)),
    readShareOffsets(client, namesOf(true)),
  ]);
  return new Map([...commits, ...shareOffsets]);
}

/**
 * Lists the groups that read one of some topics: they have committed offsets of it, or a member reads it or wants to. Those
 * of which that cannot be found out have an error.
 * @throws CliError when no broker answers, or a topic does not exist
 */
export async function listReaders(client: Client, call: ListGroupsCall): Promise<ListedGroup[]> {
  const rows = await listGroups(client, call);
  const { topics = [] } = call;
  if (topics.length === 0) return rows;
  for (const { name, errorCode } of (await client.metadata(topics)).topics) {
    const error = kafkaItemError(errorCode);
    if (error !== null) throw groupError(`list the groups of topic "${name}"`, name ?? '', error);
  }
  const listed = new Map(rows.flatMap((row) => (row.group === null ? [] : [[row.group, row] as const])));
  const groups = await findGroups(client, [...listed.keys()], listed);
  const offsets = await offsetsOf(
    client,
    groups.filter(({ error }) => error === null),
  );
  const byName = new Map(groups.map((one) => [one.group, one]));
  return rows.flatMap((row) => {
    const one = byName.get(row.group ?? '');
    if (one === undefined) return [row];
    const committed = offsets.get(one.group);
    const error = one.error ?? committed?.error ?? null;
    if (error !== null) return [{ ...row, error }];
    const reads = topicsOf(one, committed?.offsets ?? []);
    return !isCopy(committed?.offsets) && topics.some((topic) => reads.includes(topic)) ? [row] : [];
  });
}

/** The topics that a group has read, is reading or wants to read. */
function topicsOf({ members }: GroupState, offsets: readonly GroupOffset[]): readonly string[] {
  const wanted = members.flatMap(({ topics = [], assignment }) => [...topics, ...assignment.map(({ topic }) => topic)]);
  return [...new Set([...offsets.map(({ topic }) => topic), ...wanted])];
}

function describe(found: GroupState, offsets: GroupOffsets | undefined, logs: TopicLogs): GroupDescription {
  const { group, coordinator, state, balancer, members } = found;
  const type = isCopy(offsets?.offsets) ? 'copy' : found.type;
  const error = found.error ?? offsets?.error ?? null;
  const hasLag = type !== 'share' && type !== 'copy';
  const described = partitionsOf(found, offsets?.offsets ?? [], logs);
  const partitions = described.map((one) => partitionRow(one, hasLag, logs));
  return {
    group,
    type,
    coordinator,
    state,
    balancer,
    members: members.length === 0 && hasMembers(found) ? null : members.length,
    total_lag: hasLag && error === null ? totalLag(partitions) : null,
    error,
    partitions,
    member_list: members.map(memberRow).sort((a, b) => (a.member_id < b.member_id ? -1 : 1)),
  };
}

/** Whether a group only holds the progress of a copy: offsets of the source, stored for the partitions of the destination. */
function isCopy(offsets: readonly GroupOffset[] = []): boolean {
  return offsets.some(({ metadata }) => metadata.startsWith(copyMark));
}

/** A partition that concerns a group. */
interface Described {
  readonly topic: string;
  readonly partition: number;
  readonly committed?: GroupOffset;
  readonly member?: MemberState;
}

/**
 * All partitions of the topics of a group, whether they are assigned or have a committed offset, and whether the group
 * has members or not: the lag must not shrink because members have died or are rebalancing.
 */
function partitionsOf(group: GroupState, offsets: readonly GroupOffset[], logs: TopicLogs): readonly Described[] {
  const isShare = group.type === 'share';
  const ofTopics = isShare
    ? []
    : topicsOf(group, offsets).flatMap((topic) =>
        [...logs.partitions(topic)].map((partition) => ({ topic, partition })),
      );
  const ofOffsets = offsets
    // A share group has a row for each partition of its topics, also before it has settled an offset.
    .filter(({ offset, errorCode }) => isShare || offset >= 0n || errorCode !== 0)
    .map((committed) => ({ topic: committed.topic, partition: committed.partition, committed }));
  const ofMembers = isShare ? [] : group.members.flatMap(assignedTo);
  const merged = new Map<string, Described>();
  for (const one of [...ofTopics, ...ofOffsets, ...ofMembers]) {
    const key = `${one.partition} ${one.topic}`;
    merged.set(key, { ...merged.get(key), ...one });
  }
  return [...merged.values()].sort(byPartition);
}

function assignedTo(member: MemberState): readonly Described[] {
  return member.assignment.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ topic, partition, member })),
  );
}

function partitionRow(described: Described, hasLag: boolean, logs: TopicLogs): GroupPartition {
  const { topic, partition, committed, member } = described;
  const { start, end, error } = logs.ends(topic, partition);
  const commitError: ItemError | null = kafkaItemError(committed?.errorCode ?? 0);
  const current = committed === undefined || committed.offset < 0n ? null : committed.offset;
  const lag = hasLag && commitError === null ? lagOf({ current, start, end }) : null;
  return {
    topic,
    partition,
    current_offset: current,
    log_start_offset: start,
    log_end_offset: end,
    lag,
    member_id: member?.memberId ?? null,
    instance_id: member?.instanceId ?? null,
    client_id: member?.clientId ?? null,
    host: member?.clientHost ?? null,
    error: commitError ?? error,
  };
}

function memberRow({ memberId, instanceId, clientId, clientHost, assignment }: MemberState): GroupMember {
  return {
    member_id: memberId,
    instance_id: instanceId ?? null,
    client_id: clientId,
    host: clientHost,
    assignment: assignment
      .map(({ topic, partitions }) => ({ topic, partitions: partitions.toSorted((a, b) => a - b) }))
      .sort((a, b) => (a.topic < b.topic ? -1 : 1)),
  };
}
