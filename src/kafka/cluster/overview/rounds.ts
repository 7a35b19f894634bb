import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { isRedpandaId } from '../../protocol/client/redpanda.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import type { GroupDescription } from '../groups/group-rows.ts';
import { totalLag } from '../groups/lag.ts';
import {
  type LagMarks,
  type LagRates,
  type LagSample,
  marksOf,
  partitionRatesBetween,
  ratesBetween,
} from '../groups/lag-trend.ts';
import {
  type BrokerLoad,
  type GroupLoad,
  type Overview,
  type PartitionLag,
  type PartitionLoad,
  sumOfRates,
  sumOfSizes,
  type TopicLoad,
} from './overview-rows.ts';
import { readSnapshot, type SeenPartition, type SeenTopic, type Snapshot } from './snapshot.ts';

/** How many rounds the rates of groups are measured over. */
const window = 6;

/** Reads a cluster again and again. */
export interface Rounds {
  /**
   * Reads everything once and compares it with the rounds before. The retry rule applies to the first round only: a later one that fails is
   * repeated by whoever asks for the next.
   * @throws CliError if no broker answers
   */
  next(): Promise<Overview>;
}

/** Creates the rounds of one watch. */
export function createRounds(client: Client): Rounds {
  const earlier: GroupMarks[] = [];
  let last: Snapshot | undefined;
  return {
    async next() {
      const now = await readSnapshot(client, last);
      const shown = overviewOf(now, { last, oldest: earlier.at(0) });
      last = now;
      earlier.push(groupMarks(now));
      if (earlier.length > window) earlier.shift();
      return shown;
    },
  };
}

/** How many of the slowest partitions an overview has. */
const mostSlowest = 100;

/** What is kept of the groups of a snapshot, by name. */
type GroupMarks = ReadonlyMap<string, LagMarks>;

/** Keeps of the groups of a snapshot what a later one is compared with. */
export function groupMarks(snapshot: Snapshot): GroupMarks {
  return new Map(snapshot.groups.map((group) => [group.group, marksOf(sampleOf(snapshot, group))]));
}

/** The earlier snapshots that one is compared with; undefined for the first one. */
interface Earlier {
  /** The one before: what is written per second. */
  readonly last: Snapshot | undefined;
  /** An older one: groups commit only every few seconds. */
  readonly oldest: GroupMarks | undefined;
}

/** Compares a snapshot with earlier ones. */
export function overviewOf(now: Snapshot, { last, oldest }: Earlier): Overview {
  const topics = topicLoads(now, last);
  const groups = groupLoads(now, oldest);
  const partitions = topics.flatMap(({ partition_list: list }) => list);
  return {
    time: new Date(now.wallTime).toISOString(),
    interval_seconds: last === undefined ? null : Math.round(now.endsAtMs - last.endsAtMs) / 1000,
    cluster_id: now.cluster.clusterId ?? null,
    health_source: 'kafka',
    health: now.health,
    record_rate: sumOfRates(topics.map((topic) => topic.record_rate)),
    byte_rate: sumOfRates(topics.map((topic) => topic.byte_rate)),
    size: sumOfSizes(partitions.map(({ size }) => size)),
    // Without the groups of a broker that does not answer, the sum would say that they have caught up.
    lag: now.errors.some(({ part }) => part === 'groups') ? null : totalLag(groups),
    brokers: brokerLoads(now, topics),
    topics,
    groups,
    slowest_partitions: slowest(groups),
    errors: now.errors,
  };
}

/** How long it took from one snapshot to the next, in seconds. */
interface Elapsed {
  readonly ends: number;
  readonly sizes: number;
}

function topicLoads(now: Snapshot, last: Snapshot | undefined): readonly TopicLoad[] {
  const earlier = new Map(last?.topics.map((topic) => [topic.metadata.name, topic]));
  const elapsed: Elapsed = {
    ends: (now.endsAtMs - (last?.endsAtMs ?? now.endsAtMs)) / 1000,
    sizes: (now.sizesAtMs - (last?.sizesAtMs ?? now.sizesAtMs)) / 1000,
  };
  const loads = now.topics.map((topic) => {
    const then = earlier.get(topic.metadata.name);
    // Of a topic that was created again, the older one says nothing.
    return topicLoad(topic, then?.metadata.id === topic.metadata.id ? then : undefined, elapsed);
  });
  return isRedpandaId(now.cluster.clusterId) === true ? loads.map(withoutIsr) : loads;
}

/** Redpanda reports every replica as in sync (`kafka/server/handlers/metadata.cc`). */
function withoutIsr(topic: TopicLoad): TopicLoad {
  return { ...topic, partition_list: topic.partition_list.map((one) => ({ ...one, isr: null })) };
}

function topicLoad({ metadata, partitions }: SeenTopic, then: SeenTopic | undefined, elapsed: Elapsed): TopicLoad {
  const earlier = new Map(then?.partitions.map((one) => [one.metadata.partition, one]));
  const list = partitions.map((one) => partitionLoad(one, earlier.get(one.metadata.partition), elapsed));
  const records = sumOfRates(list.map((one) => one.record_rate));
  return {
    topic: metadata.name,
    internal: metadata.internal,
    partitions: partitions.length,
    replicas: partitions[0]?.metadata.replicas.length ?? 0,
    size: sumOfSizes(list.map(({ size }) => size)),
    record_rate: records,
    byte_rate: byteRate(list, records),
    error: kafkaItemError(metadata.errorCode) ?? firstError(partitions),
    partition_list: list,
  };
}

/**
 * The bytes of the partitions whose logs have not been shortened, and for the other ones as many per record: retention
 * removes whole segments of a log.
 */
function byteRate(list: readonly PartitionLoad[], records: number | null): number | null {
  const measured = list.filter((one) => one.byte_rate !== null);
  const bytes = sumOfRates(measured.map((one) => one.byte_rate));
  const counted = sumOfRates(measured.map((one) => one.record_rate));
  if (bytes === null || !counted || records === null) return bytes;
  return (bytes * records) / counted;
}

function firstError(partitions: readonly SeenPartition[]): ItemError | null {
  return partitions.find(({ error }) => error !== null)?.error ?? null;
}

function partitionLoad(now: SeenPartition, then: SeenPartition | undefined, elapsed: Elapsed): PartitionLoad {
  const { partition, leader, replicas, isr } = now.metadata;
  const size = now.sizes?.bytes ?? null;
  return {
    partition,
    leader,
    replicas,
    isr,
    end: now.end,
    size,
    record_rate: growth(then?.end, now.end, elapsed.ends),
    byte_rate: growth(then?.sizes?.bytes, size, elapsed.sizes),
  };
}

/** How much a number has grown per second; null if that is not known, or if it has shrunk. */
function growth(then: bigint | null | undefined, now: bigint | null, seconds: number): number | null {
  if (then === null || then === undefined || now === null || now < then || seconds <= 0) return null;
  return Number(now - then) / seconds;
}

function groupLoads(now: Snapshot, oldest: GroupMarks | undefined): readonly GroupLoad[] {
  const leaders = new Map(now.topics.map((topic) => [topic.metadata.name, topic]));
  const shown = now.groups.filter(({ type }) => type !== 'copy');
  return shown.map((group) => {
    const then = oldest?.get(group.group);
    const sample = sampleOf(now, group);
    const rates = partitionRatesBetween(then, sample);
    return {
      group: group.group,
      type: group.type,
      coordinator: group.coordinator,
      state: group.state,
      members: group.members,
      lag: group.total_lag,
      ...ratesBetween(then, sample),
      error: group.error ?? group.partitions.find(({ lag, error }) => lag === null && error !== null)?.error ?? null,
      partition_list: group.partitions.map((row) => ({
        group: group.group,
        topic: row.topic,
        partition: row.partition,
        leader: leaderOf(leaders.get(row.topic), row.partition),
        committed_offset: row.current_offset,
        log_end_offset: row.log_end_offset,
        lag: row.lag,
        ...(rates.get(row) ?? unknownRates),
        client_id: row.client_id,
        host: row.host,
      })),
    };
  });
}

const unknownRates: LagRates = { read_rate: null, write_rate: null, trend: null, seconds_to_zero: null };

function sampleOf({ groupsAtMs: atMs, topicIds }: Snapshot, group: GroupDescription): LagSample {
  return { atMs, group, topicIds };
}

function leaderOf(topic: SeenTopic | undefined, partition: number): number | null {
  const leader = topic?.partitions[partition]?.metadata.leader ?? -1;
  return leader < 0 ? null : leader;
}

/** The partitions with the most lag. */
function slowest(groups: readonly GroupLoad[]): readonly PartitionLag[] {
  const behind = groups.flatMap(({ partition_list: list }) => list.filter(({ lag }) => lag !== null && lag > 0n));
  return behind.sort((a, b) => Number((b.lag ?? 0n) - (a.lag ?? 0n))).slice(0, mostSlowest);
}

/** What is counted of one broker. */
interface Tally {
  leaders: number;
  replicas: number;
  size: bigint | null;
  record_rate: number | null;
  byte_rate: number | null;
}

function brokerLoads(now: Snapshot, topics: readonly TopicLoad[]): readonly BrokerLoad[] {
  const tallies = new Map<number, Tally>();
  const of = (broker: number): Tally => {
    const tally = tallies.get(broker) ?? { leaders: 0, replicas: 0, size: null, record_rate: null, byte_rate: null };
    tallies.set(broker, tally);
    return tally;
  };
  for (const { partition_list: list } of topics) for (const partition of list) tallyPartition(partition, of);
  for (const { broker, bytes } of replicasOf(now)) of(broker).size = (of(broker).size ?? 0n) + bytes;
  const serving = new Map(now.cluster.brokers.map((broker) => [broker.id, broker]));
  const down = new Set(now.health.nodes_down);
  return now.health.all_nodes.map((id) => {
    const node = serving.get(id);
    return {
      broker: id,
      host: node?.host ?? null,
      port: node?.port ?? null,
      rack: node?.rack ?? null,
      status: down.has(id) ? 'down' : 'up',
      controller: id === now.health.controller_id,
      ...of(id),
    };
  });
}

function tallyPartition(partition: PartitionLoad, of: (broker: number) => Tally): void {
  for (const id of partition.replicas) of(id).replicas += 1;
  if (partition.leader < 0) return;
  const leader = of(partition.leader);
  leader.leaders += 1;
  leader.record_rate = sumOfRates([leader.record_rate, partition.record_rate]);
  leader.byte_rate = sumOfRates([leader.byte_rate, partition.byte_rate]);
}

function* replicasOf({ topics }: Snapshot): Iterable<{ readonly broker: number; readonly bytes: bigint }> {
  for (const { partitions } of topics) {
    for (const { sizes } of partitions) {
      for (const { broker, bytes } of sizes?.replicas ?? []) if (bytes !== null) yield { broker, bytes };
    }
  }
}
