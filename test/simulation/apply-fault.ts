import type { ReadRequestOf, WrittenResponseOf } from '../../src/kafka/protocol/wire/api.ts';
import { createPartitions } from '../../src/kafka/protocol/wire/apis/create-partitions.ts';
import type { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import type { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { rawClient } from '../sandbox/broker/client.ts';
import type { FaultAction } from '../sandbox/broker/faults.ts';
import type { LoggedRecord } from '../sandbox/broker/logged-records.ts';
import type { FaultEvent, FaultStep } from './faults.ts';
import { partitionsOf, type RemovedRecord, type World } from './world.ts';

/** Applies a fault now. */
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
      // Until the controller notices a death, the dead broker is in the ISR and could become its only member.
      if (!control.isUp(fault.broker) || clock.now() < world.death.noticedBy) return;
      if (fault.kind === 'kill') control.kill(fault.broker);
      else control.stop(fault.broker);
      later(fault.forMs, () => {
        if (!control.isUp(fault.broker) && !world.gone.has(fault.broker)) control.start(fault.broker);
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
    case 'move-leader':
      if (isReplacement(world, { topic, partition: fault.partition, broker: fault.broker }))
        control.moveLeader(topic, fault.partition, fault.broker);
      return;
    case 'lose':
      // The replica stops copying for a moment and then becomes leader: what it lacks is lost.
      control.holdReplication(topic, fault.partition, fault.broker);
      later(300, () => {
        lead(world, topic, fault);
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
    case 'stand-still':
      world.standStill(fault.client, fault.how, fault.forMs);
      return;
    case 'add-partitions':
      void addPartitions(world, topic);
      return;
    case 'die':
      dieWhenSpared(world, fault, clock.now() + longestWaitMs);
      return;
    case 'elect-unclean':
      fallBack(world, topic, fault);
      later(fault.forMs, () => {
        lead(world, topic, fault);
        control.releaseReplication(topic, fault.partition, fault.broker);
      });
      return;
    case 'move-coordinator':
      for (const name of coordinatorTopics) {
        for (let partition = 0; partition < partitionsOf(world.cluster, name); partition += 1) {
          if (isReplacement(world, { topic: name, partition, broker: fault.broker }))
            control.moveLeader(name, partition, fault.broker);
        }
      }
      return;
    case 'in-a-row':
      for (const step of fault.steps) control.fault({ api: fault.api, broker: fault.broker, action: actionOf(step) });
      return;
    case 'move-log-start':
      removeRecords(world, topic, { kind: 'delete-records', partition: fault.partition, part: 0.5 });
      return;
    case 'delete-records':
    case 'compact':
      removeRecords(world, topic, fault);
      return;
    case 'fail-disk':
      if (!control.canServe(topic, fault.partition, fault.broker)) return;
      control.failDisk(topic, fault.partition, fault.broker);
      later(fault.forMs, () => repairDisks(world, fault.broker));
      return;
    case 'power-cut':
      cutPower(world, topic, fault);
      return;
  }
}

const coordinatorTopics = ['__consumer_offsets', '__transaction_state'];
/** The longest time in which the controller notices that a broker is gone, in milliseconds. */
const longestFailoverMs = 2_500;
/** How long a death may be delayed before it is dropped, in milliseconds. */
const longestWaitMs = 3_000;

/** Kills a broker for good once all others are up and can take over its partitions. */
function dieWhenSpared(world: World, { broker, isSilent }: Extract<FaultEvent, { kind: 'die' }>, until: number): void {
  const { cluster, network, clock, gone, brokers, tell } = world;
  if (gone.size > 0 || clock.now() > until) return;
  const areOthersUp = brokers.every(({ id }) => cluster.control.isUp(id));
  const topics = [...coordinatorTopics, ...world.topics];
  const isSpared = topics.every((topic) =>
    Array.from({ length: partitionsOf(cluster, topic) }).every((_, partition) =>
      cluster.control.partition(topic, partition).isr.some((id) => id !== broker),
    ),
  );
  if (!(areOthersUp && isSpared)) {
    clock.after(100, () => dieWhenSpared(world, { kind: 'die', at: 0, broker, isSilent }, until));
    return;
  }
  tell(`broker ${broker} dies for good`);
  gone.add(broker);
  world.death.noticedBy = clock.now() + longestFailoverMs;
  if (isSilent) network.lose(broker);
  cluster.control.kill(broker);
}

/** Stops a replica from copying and removes it from the ISR; if it was the leader, another replica becomes leader. */
function fallBack(
  { cluster: { control } }: World,
  topic: string,
  { partition, broker }: Extract<FaultEvent, { kind: 'elect-unclean' }>,
): void {
  const { leader, isr } = control.partition(topic, partition);
  const other = isr.find((id) => id !== broker && control.canServe(topic, partition, id));
  if (leader === broker && other !== undefined) control.moveLeader(topic, partition, other);
  control.holdReplication(topic, partition, broker);
  control.dropFromIsr(topic, partition, broker);
}

/** Checks whether a broker could replace the leader of a partition. */
function isReplacement(
  { cluster: { control } }: World,
  { topic, partition, broker }: { readonly topic: string; readonly partition: number; readonly broker: number },
): boolean {
  return control.canServe(topic, partition, broker) && control.partition(topic, partition).isr.includes(broker);
}

/** Makes a broker the leader if it can be. */
function lead(
  { cluster: { control } }: World,
  topic: string,
  { partition, broker }: { readonly partition: number; readonly broker: number },
): void {
  if (control.canServe(topic, partition, broker)) control.moveLeader(topic, partition, broker);
}

/** Starts a broker again whose disk has failed. */
function repairDisks({ cluster: { control }, gone }: World, broker: number): void {
  if (!control.hasFailedDisk(broker) || gone.has(broker)) return;
  if (control.isUp(broker)) control.kill(broker);
  control.start(broker);
}

/** Kills a broker, which has lost the end of its logs when it starts again. */
function cutPower(world: World, topic: string, fault: Omit<Extract<FaultEvent, { kind: 'power-cut' }>, 'at'>): void {
  const { cluster, clock, gone, death, tell } = world;
  const { control } = cluster;
  const broker = fault.broker === 'leader' ? control.partition(topic, 0).leader : fault.broker;
  if (!control.isUp(broker) || clock.now() < death.noticedBy) return;
  control.kill(broker);
  clock.after(fault.forMs, () => {
    if (control.isUp(broker) || gone.has(broker)) return;
    for (let partition = 0; partition < partitionsOf(cluster, topic); partition += 1) {
      const { isr } = control.partition(topic, partition);
      if (!fault.isSafe || isr.some((id) => id !== broker)) control.cutTail(topic, partition, broker, fault.batches);
    }
    tell(`broker ${broker} has lost the last batches of its logs`);
    control.start(broker);
  });
}

/** Deletes or compacts records, and notes those that are gone. */
function removeRecords(
  { cluster, clock, removed, tell }: World,
  topic: string,
  { kind, partition, part, broker }: Omit<Extract<FaultEvent, { kind: 'delete-records' | 'compact' }>, 'at'>,
): void {
  const { control } = cluster;
  const { startOffset, highWatermark, replicas, leader } = control.partition(topic, partition);
  if (leader < 0) return;
  const offset = startOffset + Math.floor((highWatermark - startOffset) * part);
  const logs = (): readonly (readonly LoggedRecord[])[] => replicas.map((id) => control.log(topic, partition, id));
  const before = logs();
  if (kind === 'compact') control.compact(topic, partition, offset, broker);
  else control.moveLogStart(topic, partition, offset, broker);
  tell(`the records before ${offset} of partition ${partition} are ${kind === 'compact' ? 'compacted' : 'deleted'}`);
  const name = `${topic}/${partition}`;
  const known = removed.get(name) ?? new Map<number, RemovedRecord>();
  removed.set(name, known);
  const after = logs();
  for (const [index, log] of before.entries()) {
    const left = new Set(after[index]?.map((record) => record.offset));
    for (const record of log) {
      if (left.has(record.offset)) continue;
      const { isCompacted = false, by = [], at = clock.now() } = known.get(record.offset) ?? {};
      // What the leader has deleted, its followers delete when they copy next.
      const all = kind === 'compact' || replicas[index] !== leader ? [replicas[index] ?? -1] : replicas;
      const lost = new Set([...by, ...all]);
      known.set(record.offset, { record, isCompacted: isCompacted || kind === 'compact', by: lost, at });
    }
  }
}

function actionOf(step: FaultStep): FaultAction {
  if (typeof step === 'number') return { kind: 'refuse', code: step };
  return step === 'late' ? { kind: 'late', milliseconds: 1_500 } : { kind: step };
}

/** Producers with acks 0 or 1 have no sequence numbers, and a leader that does not wait for replicas cannot time out. */
function waitsForReplicas({ acks }: ReadRequestOf<typeof produce>): boolean {
  return acks === -1;
}

type MetadataAnswer = WrittenResponseOf<typeof metadata>;

function withoutTopics(answer: MetadataAnswer, errorCode: number): MetadataAnswer {
  return { ...answer, topics: answer.topics.map((topic) => ({ ...topic, errorCode, partitions: [] })) };
}

function asDuplicates(answer: WrittenResponseOf<typeof produce>): WrittenResponseOf<typeof produce> {
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

/** Repairs everything, so that the remaining work can finish. */
export function healAll({ cluster: { control }, network, brokers, gone, tell }: World): void {
  tell('everything is repaired');
  control.clearFaults();
  control.throttle([]);
  network.heal();
  for (const { id } of brokers) {
    control.setMetadataDelay(id, 1);
    if (control.hasFailedDisk(id) && !gone.has(id) && control.isUp(id)) control.kill(id);
    if (!control.isUp(id) && !gone.has(id)) control.start(id);
  }
}
