import { committedOffsets } from '../../../src/kafka/streams/groups/commits.ts';
import { knownEverywhere } from '../../services/visibility.ts';
import type { Outcome } from '../../world.ts';
import { areInSync, type Brokers, controllerOf, groupAt, startBrokers, until } from './brokers.ts';
import { type PacedClock, startPacedClock } from './paced-clock.ts';
import { createTally } from './tally.ts';
import {
  type Administrator,
  type Producer,
  type Running,
  startAdministrator,
  startProducer,
  startReader,
  type Weir,
  weirAt,
} from './workloads.ts';

/** The topic that is written and read. */
export const topic = 'orders';
const partitions = 6;
const internalTopic = '__consumer_offsets';

/** The protocols that the groups speak. */
export const protocols = ['classic', 'consumer'] as const;

/** A value for the group of each protocol. */
export type PerProtocol<Value> = Readonly<Record<(typeof protocols)[number], Value>>;

/** A consumer group and its members. */
export interface Group extends Pick<Running, 'tally'> {
  readonly name: string;
  readonly members: readonly Running[];
  /** Starts one more member. */
  join(): void;
}

/** Everything that runs while brokers come and go. */
export interface Scene {
  readonly brokers: Brokers;
  /** What recoveries are timed with. */
  readonly clock: PacedClock;
  readonly weir: Weir;
  /** The broker that first coordinates both groups, and is not the controller. */
  readonly coordinator: number;
  readonly producer: Producer;
  readonly reader: Running;
  readonly groups: PerProtocol<Group>;
  readonly administrator: Administrator;
}

/** Starts the brokers, waits until they have elected, and starts every workload, each group with one member. */
export async function startScene(directory: string): Promise<Scene> {
  const brokers = await startBrokers(directory);
  const weir = weirAt(brokers.addresses);
  const words = ['topic', 'create', topic, '-p', `${partitions}`, '-r', '3', '-c', 'min.insync.replicas=2'];
  const created = await weir(words);
  if (created.exitCode !== 0) throw new Error(created.stderr);
  await knownEverywhere(brokers.addresses, topic);
  const controller = await controllerOf(brokers);
  const coordinator = brokers.ids.find((id) => id !== controller) ?? -1;
  const [classic, consumer] = await Promise.all([
    groupOf(weir, await groupAt(brokers, coordinator, 'classic'), 'classic'),
    groupOf(weir, await groupAt(brokers, coordinator, 'consumer'), 'consumer'),
  ]);
  const producer = startProducer(weir, topic, partitions);
  const reader = startReader(weir, createTally(partitions), [topic]);
  const administrator = startAdministrator(weir, topic);
  const groups = { classic, consumer };
  for (const group of Object.values(groups)) group.join();
  await Promise.all([producer, reader, classic, consumer].map(({ tally }) => tally.passed(0)));
  await administrator.succeeds();
  return { brokers, clock: startPacedClock(), weir, coordinator, producer, reader, groups, administrator };
}

function groupOf(weir: Weir, name: string, protocol: string): Group {
  const tally = createTally(partitions);
  const members: Running[] = [];
  return {
    ...{ name, tally, members },
    join() {
      members.push(startReader(weir, tally, [topic, '-g', name, '--group-protocol', protocol]));
    },
  };
}

/** Starts a broker that was taken away, and waits until it is in sync. */
export async function bringBack({ brokers }: Scene, id: number): Promise<void> {
  await brokers.start(id);
  await until(() => areInSync(brokers, [topic, internalTopic]));
}

/** The outcome of every command that ran through all faults. */
export interface Ending {
  readonly producer: Outcome;
  readonly reader: Outcome;
  readonly members: PerProtocol<readonly Outcome[]>;
  /** How many records each group has committed in all partitions together. */
  readonly committed: PerProtocol<number>;
}

/** Ends the input, waits until all records are read everywhere, and sends Ctrl-C. */
export async function endScene(scene: Scene): Promise<Ending> {
  const { producer, reader, groups, administrator, brokers, clock } = scene;
  clock.stop();
  await administrator.end();
  producer.end();
  const produced = await producer.outcome;
  const { classic, consumer } = groups;
  await Promise.all([reader, classic, consumer].map(({ tally }) => tally.reached(producer.fed)));
  const stop = (running: readonly Running[]): Promise<readonly Outcome[]> => {
    for (const { interrupt } of running) interrupt();
    return Promise.all(running.map(({ outcome }) => outcome));
  };
  const members = { classic: await stop(classic.members), consumer: await stop(consumer.members) };
  const committed = { classic: await committedBy(brokers, classic), consumer: await committedBy(brokers, consumer) };
  const [read] = await stop([reader]);
  return { producer: produced, reader: read as Outcome, members, committed };
}

async function committedBy({ client }: Brokers, { name }: Group): Promise<number> {
  const items = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
  const rows = await committedOffsets(client, name, items);
  return rows.reduce((sum, { offset }) => sum + Number(offset), 0);
}
