import { createPartitions } from '../../src/sandbox/broker/apis/create-partitions.ts';
import type { metadata } from '../../src/sandbox/broker/apis/metadata.ts';
import type { produce } from '../../src/sandbox/broker/apis/produce.ts';
import type { RequestOf, ResponseOf } from '../../src/sandbox/broker/wire/layout.ts';
import { rawClient } from '../sandbox/broker/client.ts';
import { partitionsOf, type World } from './world.ts';

/** Something that goes wrong at a time; what has a duration is put right when it is over. Times are milliseconds. */
export type FaultEvent = { readonly at: number } & (
  | { readonly kind: 'kill' | 'stop' | 'black-hole'; readonly broker: number; readonly forMs: number }
  | { readonly kind: 'cut' | 'evict-sessions' | 'move-controller'; readonly broker: number }
  | { readonly kind: 'cut-next'; readonly broker: number | undefined; readonly when: 'before' | 'after' }
  | { readonly kind: 'slow' | 'stale-metadata'; readonly broker: number; readonly forMs: number; readonly byMs: number }
  | { readonly kind: 'move-leader' | 'lose'; readonly partition: number; readonly broker: number }
  | { readonly kind: 'hold-replication'; readonly partition: number; readonly broker: number; readonly forMs: number }
  | { readonly kind: 'refuse' | 'do-and-refuse'; readonly api: string; readonly code: number; readonly times: number }
  | { readonly kind: 'late'; readonly api: string; readonly byMs: number; readonly times: number }
  | { readonly kind: 'throttle'; readonly api: string; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'expire-producers' | 'move-log-start'; readonly partition: number }
  /** A broker says that it has lost track of a producer, or says nothing about producers. */
  | { readonly kind: 'lose-track'; readonly code: number; readonly silence: number | undefined }
  | { readonly kind: 'isolate'; readonly client: number; readonly forMs: number }
  | { readonly kind: 'add-partitions' }
  /** A batch that was appended is answered as one that had been appended before (DUPLICATE_SEQUENCE_NUMBER). */
  | { readonly kind: 'tell-duplicate'; readonly times: number }
  /** A broker does not know topics, or their leaders, for a moment. */
  | { readonly kind: 'vague-metadata'; readonly code: number; readonly times: number }
);

/** The codes that a broker may answer to an API without having done anything, by the protocol guide. */
const refusals: Readonly<Record<string, readonly number[]>> = {
  Produce: [5, 6, 19, 56, 72, 74],
  Fetch: [5, 6, 9, 56, 70, 71, 74, 75, 78],
  Metadata: [5],
  ListOffsets: [5, 6, 56, 74, 75, 78],
  OffsetForLeaderEpoch: [5, 6, 74, 75],
  FindCoordinator: [15],
  InitProducerId: [14, 15, 51],
  JoinGroup: [14, 15, 16],
  SyncGroup: [14, 15, 16, 27],
  Heartbeat: [14, 15, 16],
  OffsetCommit: [7, 14, 15, 16],
  OffsetFetch: [14, 15, 16, 88],
  ConsumerGroupHeartbeat: [14, 15, 16],
};

/** The codes with which a broker may answer although it has appended the batch. */
const afterAppend = [7, 20];

/** What the faults of a run may be. */
export interface FaultRange {
  readonly brokers: number;
  readonly partitions: number;
  /** Faults come until then. */
  readonly untilMs: number;
  /** The longest that a fault lasts. */
  readonly longestMs: number;
  readonly kinds: readonly FaultEvent['kind'][];
}

/** Rolls one fault. */
export function rollFault(random: () => number, range: FaultRange): FaultEvent {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const at = Math.floor(random() * range.untilMs);
  const broker = 1 + Math.floor(random() * range.brokers);
  const partition = Math.floor(random() * range.partitions);
  const forMs = Math.floor(random() ** 2 * range.longestMs);
  const times = 1 + Math.floor(random() * 4);
  const kind = pick(range.kinds);
  const api = pick(Object.keys(refusals));
  switch (kind) {
    case 'kill':
    case 'stop':
    case 'black-hole':
      return { at, kind, broker, forMs };
    case 'cut':
    case 'evict-sessions':
    case 'move-controller':
      return { at, kind, broker };
    case 'cut-next':
      return { at, kind, broker: random() < 0.5 ? undefined : broker, when: random() < 0.5 ? 'before' : 'after' };
    case 'slow':
    case 'stale-metadata':
      return { at, kind, broker, forMs, byMs: Math.floor(random() * 800) };
    case 'move-leader':
    case 'lose':
      return { at, kind, partition, broker };
    case 'hold-replication':
      return { at, kind, partition, broker, forMs };
    case 'refuse':
      return { at, kind, api, code: pick(refusals[api] ?? [6]), times };
    case 'do-and-refuse':
      return { at, kind, api: 'Produce', code: pick(afterAppend), times };
    case 'late':
      return { at, kind, api, byMs: Math.floor(random() * 3_000), times };
    case 'throttle':
      return { at, kind, api: pick(['Produce', 'Fetch']), byMs: Math.floor(random() * 500), forMs };
    case 'expire-producers':
    case 'move-log-start':
      return { at, kind, partition };
    case 'lose-track':
      return { at, kind, code: pick([45, 45, 47, 59]), silence: pick([undefined, undefined, 29, 6]) };
    case 'isolate':
      return { at, kind, client: Math.floor(random() * 3), forMs };
    case 'vague-metadata':
      return { at, kind, code: pick([3, 5]), times: 1 + Math.floor(random() * 2) };
    case 'tell-duplicate':
      return { at, kind, times };
    case 'add-partitions':
      return { at, kind };
  }
}

/** Lets the fault happen now. */
export function applyFault(world: World, topic: string, fault: FaultEvent): void {
  const {
    cluster: { control },
    network,
    clock,
    tell,
  } = world;
  tell(`fault ${JSON.stringify(fault)}`);
  const later = (milliseconds: number, call: () => void): void => void clock.after(milliseconds, call);
  switch (fault.kind) {
    case 'kill':
    case 'stop':
      if (!control.isUp(fault.broker)) return;
      if (fault.kind === 'kill') control.kill(fault.broker);
      else control.stop(fault.broker);
      later(fault.forMs, () => {
        if (!control.isUp(fault.broker)) control.start(fault.broker);
      });
      return;
    case 'black-hole':
      network.blackHole(fault.broker, true);
      later(fault.forMs, () => network.blackHole(fault.broker, false));
      return;
    case 'cut':
      network.cut(fault.broker);
      return;
    case 'evict-sessions':
      control.evictFetchSessions(fault.broker);
      return;
    case 'move-controller':
      if (control.isUp(fault.broker)) control.moveController(fault.broker);
      return;
    case 'cut-next':
      network.cutNext(fault.broker, fault.when);
      return;
    case 'slow':
      network.slow(fault.broker, fault.byMs);
      later(fault.forMs, () => network.slow(fault.broker, 0));
      return;
    case 'stale-metadata':
      control.setMetadataDelay(fault.broker, fault.byMs);
      later(fault.forMs, () => control.setMetadataDelay(fault.broker, 1));
      return;
    case 'move-leader': {
      const { isr } = control.partition(topic, fault.partition);
      if (isr.includes(fault.broker) && control.isUp(fault.broker))
        control.moveLeader(topic, fault.partition, fault.broker);
      return;
    }
    case 'lose':
      // The replica stays behind for a moment, and leads then: what the others have beyond it is gone.
      control.holdReplication(topic, fault.partition, fault.broker);
      later(300, () => {
        if (control.isUp(fault.broker)) control.moveLeader(topic, fault.partition, fault.broker);
        control.releaseReplication(topic, fault.partition, fault.broker);
      });
      return;
    case 'hold-replication':
      control.holdReplication(topic, fault.partition, fault.broker);
      later(fault.forMs, () => control.releaseReplication(topic, fault.partition, fault.broker));
      return;
    case 'refuse':
      control.fault({ api: fault.api, times: fault.times, action: { kind: fault.kind, code: fault.code } });
      return;
    case 'do-and-refuse':
      control.fault({
        ...{ api: fault.api, times: fault.times, where: waitsForReplicas },
        action: { kind: fault.kind, code: fault.code },
      });
      return;
    case 'late':
      control.fault({ api: fault.api, times: fault.times, action: { kind: 'late', milliseconds: fault.byMs } });
      return;
    case 'throttle':
      control.throttle([{ api: fault.api, milliseconds: fault.byMs }]);
      later(fault.forMs, () => control.throttle([]));
      return;
    case 'expire-producers':
      control.expireProducers(topic, fault.partition);
      return;
    case 'lose-track':
      control.fault({ api: 'Produce', where: waitsForReplicas, action: { kind: 'refuse', code: fault.code } });
      if (fault.silence !== undefined)
        control.fault({ api: 'DescribeProducers', times: 2, action: { kind: 'refuse', code: fault.silence } });
      return;
    case 'vague-metadata':
      control.fault({
        ...{ api: 'Metadata', times: fault.times },
        action: { kind: 'change', change: (answer: MetadataAnswer) => withoutTopics(answer, fault.code) },
      });
      return;
    case 'tell-duplicate':
      control.fault({
        ...{ api: 'Produce', times: fault.times, where: waitsForReplicas },
        action: { kind: 'change', change: asDuplicates },
      });
      return;
    case 'isolate':
      network.isolate(`c${fault.client}`, true);
      later(fault.forMs, () => network.isolate(`c${fault.client}`, false));
      return;
    case 'add-partitions':
      void addPartitions(world, topic);
      return;
    case 'move-log-start': {
      const { startOffset, highWatermark } = control.partition(topic, fault.partition);
      const offset = startOffset + Math.floor((highWatermark - startOffset) / 2);
      control.moveLogStart(topic, fault.partition, offset);
      return;
    }
  }
}

/** Producers with acks 0 or 1 have no sequence numbers, and a leader that does not wait for replicas cannot time out. */
function waitsForReplicas({ acks }: RequestOf<typeof produce>): boolean {
  return acks === -1;
}

type MetadataAnswer = ResponseOf<typeof metadata>;

function withoutTopics(answer: MetadataAnswer, errorCode: number): MetadataAnswer {
  return { ...answer, topics: answer.topics.map((topic) => ({ ...topic, errorCode, partitions: [] })) };
}

function asDuplicates(answer: ResponseOf<typeof produce>): ResponseOf<typeof produce> {
  const responses = answer.responses.map((topic) => ({
    ...topic,
    partitionResponses: topic.partitionResponses.map((one) =>
      one.errorCode === 0 ? { ...one, errorCode: 46, baseOffset: -1 } : one,
    ),
  }));
  return { ...answer, responses };
}

async function addPartitions({ cluster }: World, topic: string): Promise<void> {
  const { control } = cluster;
  if (!control.isUp(control.controller)) return;
  const client = rawClient(cluster, control.controller);
  const count = partitionsOf(cluster, topic) + 1;
  await client
    .ask(createPartitions, {
      topics: [{ name: topic, count, assignments: undefined }],
      timeoutMs: 1_000,
      validateOnly: false,
    })
    .catch(() => undefined); // the broker may be gone before it answers
  client.close();
}

/** Puts everything right, so that what is left to do can be done. */
export function healAll({ cluster: { control }, network, brokers, tell }: World): void {
  tell('everything is healed');
  control.clearFaults();
  control.throttle([]);
  network.heal();
  for (const { id } of brokers) {
    control.setMetadataDelay(id, 1);
    if (!control.isUp(id)) control.start(id);
  }
}
