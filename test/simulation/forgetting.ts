import { CliError, exitCodes } from '../../src/errors.ts';
import type { ReadRequestOf } from '../../src/kafka/protocol/wire/api.ts';
import { produce as produceApi } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { compileFormat } from '../../src/kafka/records/language/format.ts';
import { compileParser } from '../../src/kafka/records/language/parse.ts';
import { produce } from '../../src/kafka/streams/produce/produce.ts';
import { countOf } from '../../src/kafka/streams/produce/record-numbers.ts';
import type { Production } from '../../src/kafka/streams/produce/request.ts';
import { batchLayout } from '../../src/sandbox/broker/log/batch.ts';
import type { Settings } from '../../src/sandbox/broker/settings.ts';
import { seededRandom } from '../../src/serde/random.ts';
import type { FaultAction } from '../sandbox/broker/faults.ts';
import { logsOf, textOf } from './invariants/logs.ts';
import { mayBeTwice } from './invariants/produced.ts';
import { names } from './scenario.ts';
import { createWorld, type SimulatedClient, type World } from './world.ts';

const { topic } = names;
/** Everything is over by then, in simulated milliseconds. */
const patienceMs = 120_000;
/** A record fills a batch. */
const batchBytes = 80;

interface Run {
  readonly world: World;
  readonly simulated: SimulatedClient;
  readonly random: () => number;
  upTo(most: number): number;
  pick<T>(items: readonly T[]): T;
  readonly failures: string[];
}

function start(seed: number, retryMs: number, settings: Partial<Settings> = {}): Run {
  const random = seededRandom(seed ^ 0xf0e);
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;
  const world = createWorld({
    ...{ seed, brokerCount: 1, latencyMs: pick([1, 5, 20]) },
    settings: { coordinatorPartitions: 5, replicationDelayMs: 0, ...settings },
  });
  world.cluster.control.createTopic({ name: topic, partitions: 1, replicas: 1 });
  world.topics.add(topic);
  const limits = { dial: 1_000, overhead: 2_000, retry: retryMs, command: 3_600_000 };
  return { world, simulated: world.openClient('p', limits), random, upTo, pick, failures: [] };
}

/** A production whose input comes in rounds; `onRound` is called as soon as everything before is acknowledged. */
async function open(run: Run, rounds: readonly number[], onRound: (round: number) => Promise<void> | void) {
  const { world, simulated } = run;
  const state = { given: 0, delivered: 0, report: '', warnings: [] as string[] };
  async function* input(): AsyncGenerator<Buffer> {
    for (const [round, count] of rounds.entries()) {
      while (state.delivered < state.given) await world.clock.sleep(1);
      if (round > 0) await onRound(round);
      const lines = Array.from({ length: count }, (_, index) => `${textAt(state.given + index)}\n`);
      state.given += count;
      yield Buffer.from(lines.join(''));
    }
  }
  const production = await produce(simulated.client, {
    ...{ topic, tombstones: false, key: undefined, headers: [], partition: undefined, acks: -1, compression: 'none' },
    ...{ deliveryTimeoutMs: undefined, maxMessageBytes: batchBytes, createMissing: false },
    ...{ report: compileFormat('%v\\n'), parser: compileParser('%v\\n'), input: input() },
    onDelivered(records) {
      state.delivered += records;
    },
    warn(line) {
      state.warnings.push(line);
      world.tell(`warns: ${line}`);
    },
  });
  const sink = {
    write(chunk: Uint8Array): undefined {
      state.report += Buffer.from(chunk).toString();
    },
  };
  return { production, pumped: production.pump(sink), state };
}

function textAt(index: number): string {
  return `v-${String(index).padStart(5, '0')}`;
}

/** What happens to the first batches after a broker has forgotten the producer. */
const firstFaults: readonly (readonly FaultAction[])[] = [
  ...[[], [{ kind: 'refuse', code: 19 }], [{ kind: 'refuse', code: 6 }], [{ kind: 'do-and-refuse', code: 7 }]],
  ...[[{ kind: 'cut' }], [{ kind: 'do-and-cut' }], [{ kind: 'refuse', code: 19 }, { kind: 'cut' }]],
] as const;

/**
 * Between bursts, when nothing is in flight, the broker goes away for a moment and forgets the producer: it then takes
 * any first sequence number. The first batches that follow may fail.
 * @returns the violated invariants, one sentence each
 */
export async function runForgetting(seed: number): Promise<readonly string[]> {
  const run = start(seed, 60_000);
  const { world, simulated, upTo, pick, failures } = run;
  const { clock, network, cluster } = world;
  const rounds = Array.from({ length: 3 + upTo(4) }, () => 1 + upTo(12));
  const work = async (): Promise<void> => {
    const { pumped, state } = await open(run, rounds, async () => {
      await clock.sleep(upTo(900));
      world.tell('the broker forgets the producer');
      cluster.control.expireProducers(topic, 0);
      network.cut(undefined);
      for (const action of pick(firstFaults)) cluster.control.fault({ api: 'Produce', action });
      await clock.sleep(pick([0, 1, 100]));
    });
    await pumped;
    const values = Array.from({ length: state.given }, (_, index) => textAt(index));
    const [logged, reported] = [(logsOf(world)[0] ?? []).map(textOf), state.report.split('\n').slice(0, -1)];
    if (logged.join() !== values.join()) failures.push(`the log has ${logged.length} of ${values.length}: ${logged}`);
    if (reported.join() !== values.join()) failures.push(`${reported.length} of ${values.length} are reported`);
  };
  await clock.runUntil(work(), patienceMs).catch((error: unknown) => void failures.push(String(error)));
  simulated.close();
  return failures;
}

/**
 * The answer to a batch is lost, and the broker is away for about as long as brokers remember a producer: what is in
 * the log twice is announced, and nothing is announced that cannot be.
 * @returns the violated invariants, one sentence each
 */
export async function runExpiry(seed: number): Promise<readonly string[]> {
  const expirationMs = 8_000 + 500 * (seed % 8);
  const run = start(seed, 60_000, { producerExpirationMs: expirationMs, producerExpirationCheckMs: 0 });
  const { world, simulated, upTo, failures } = run;
  const { clock, cluster, brokers } = world;
  const awayMs = 4_000 + upTo(10_000);
  const isAsleep = seed % 3 === 0;
  let away = false;
  world.onExchange(({ request }) => {
    if (!away || request.readInt16BE(0) !== produceApi.key) return;
    away = false;
    for (const { id } of brokers) cluster.control.kill(id);
    // The machine may sleep for most of that time.
    if (isAsleep) world.standStill('p', 'suspended', awayMs - 100);
    clock.after(awayMs, () => brokers.forEach(({ id }) => void cluster.control.start(id)));
  });
  const work = async (): Promise<void> => {
    const { pumped, state } = await open(run, [1 + upTo(4), 1 + upTo(4)], () => {
      away = true;
    });
    await pumped;
    const logged = (logsOf(world)[0] ?? []).map(textOf);
    const twice = logged.length - new Set(logged).size;
    const told = mayBeTwice(state.warnings);
    if (new Set(logged).size !== state.given) failures.push(`the log has ${logged} of ${state.given}`);
    if (twice > told) failures.push(`${twice} records are in the log twice, and ${told} are announced`);
    if (told > 0 && awayMs + slowMs < expirationMs) failures.push(`${told} are announced after ${awayMs} ms`);
  };
  await clock.runUntil(work(), patienceMs).catch((error: unknown) => void failures.push(String(error)));
  simulated.close();
  return failures;
}

/** How long the next attempt may take after the broker is back, and the broker to notice it, in milliseconds. */
const slowMs = 4_500;

/**
 * Batches are lost on their way, the log with everything of the producer is lost as well, and of the batches under the
 * new epoch none is answered: only those that were sent again are uncertain.
 * @returns the violated invariants, one sentence each
 */
export async function runNewEpoch(seed: number): Promise<readonly string[]> {
  const run = start(seed, 60_000);
  const { world, simulated, upTo, failures } = run;
  const { clock, cluster } = world;
  const { control } = cluster;
  const sent = new Set<number>();
  let isNew = false;
  const resent = ({ topicData }: ReadRequestOf<typeof produceApi>): boolean => {
    for (const { records } of topicData.flatMap(({ partitionData }) => partitionData)) {
      if (records !== undefined && isNew) sent.add(records.readInt32BE(batchLayout.baseSequence));
    }
    return isNew;
  };
  const rounds = [1 + upTo(6), 4 + upTo(8)];
  const { production, pumped, state } = await clock.runUntil(
    open(run, rounds, () => {
      control.fault({ api: 'Produce', action: { kind: 'cut' } });
      control.fault({ api: 'Produce', action: { kind: 'refuse', code: 45 } });
      control.fault({ api: 'Produce', times: 1_000, where: resent, action: { kind: 'swallow' } });
      control.expireProducers(topic, 0);
      isNew = true;
    }),
  );
  const ended = pumped.catch(() => undefined);
  while (sent.size === 0 && clock.now() < patienceMs) await clock.runFor(10);
  await clock.runFor(upTo(4_000));
  checkAccount(production, state.given, sent.size, failures);
  simulated.close();
  await clock.runUntil(ended, patienceMs);
  return failures;
}

function checkAccount(production: Production, given: number, sent: number, failures: string[]): void {
  production.giveUp(new CliError(exitCodes.failure, 'stopped'));
  const { read, acknowledged, uncertain, unsent } = production.account();
  const [mayBe, not] = [countOf(uncertain), countOf(unsent)];
  if (read !== given || acknowledged + mayBe + not !== read) {
    failures.push(`of ${given} records ${read} are counted: ${acknowledged}, ${mayBe} and ${not}`);
  }
  if (mayBe > sent) failures.push(`${mayBe} records count as uncertain, and ${sent} were sent under the new epoch`);
}
