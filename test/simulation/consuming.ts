import { compileFormat } from '../../src/kafka/records/language/format.ts';
import { parseOffsetRange } from '../../src/kafka/streams/consume/offset-words.ts';
import { consume } from '../../src/kafka/streams/consume/open.ts';
import type { ConsumeRequest, Consumption } from '../../src/kafka/streams/consume/request.ts';
import { endsOf } from './invariants/logs.ts';
import { names } from './scenario.ts';
import type { SimulatedClient, World } from './world.ts';

/** The plan of a simulated consumer. */
export interface ConsumePlan
  extends Pick<
    ConsumeRequest,
    'readCommitted' | 'fetchMaxBytes' | 'fetchMaxPartitionBytes' | 'fetchMaxWaitMs' | 'rack'
  > {
  readonly topic: string;
  /** Whether the topic is read by a pattern, which also matches topics created later. */
  readonly isRegex: boolean;
  /** In the form of `--offset`. */
  readonly range: string;
  readonly group?: ConsumeRequest['group'];
  /** The maximum number of records to print. */
  readonly limit?: number;
  /** The longest time that the reader of the output takes for a chunk, in milliseconds. */
  readonly readerMs: number;
  /** The start of the read, in milliseconds. */
  readonly startsAt: number;
  /** A period in which the reader accepts nothing, in milliseconds from the start of the read. */
  readonly stall: { readonly at: number; readonly forMs: number } | undefined;
  /** A second topic to read, whose records are not recorded. */
  readonly sideTopic: string | undefined;
}

/** A printed record. */
export interface Printed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** The leader epoch in which it was written. */
  readonly leaderEpoch: number;
  readonly value: string;
  /** When it was written to the output, on the clock. */
  readonly writtenAt: number;
  /** When the reader received it, on the clock. */
  readonly at: number;
}

/** A running consumption. */
export interface Consuming {
  readonly name: string;
  readonly plan: ConsumePlan;
  readonly printed: readonly Printed[];
  readonly warnings: readonly string[];
  /** Stops the consumption like Ctrl-C. */
  stop(): void;
  /** Ends the consumption like a killed process, without notifying anyone or printing anything. */
  kill(): void;
  /** Resolves when the consumption has ended; never rejects. */
  readonly ended: Promise<void>;
  readonly isEnded: boolean;
  /** The time of the end, on the clock. */
  readonly endedAt: number;
  /** The time of the first stop, on the clock; undefined without one. */
  readonly stoppedAt: number | undefined;
  /** The readable end of each partition at the start of the read. */
  readonly endsBefore: readonly number[];
  /** The error of a failed consumption; undefined otherwise. */
  readonly error: unknown;
}

interface Progress {
  readonly printed: Printed[];
  readonly warnings: string[];
  text: string;
  error: unknown;
  isEnded: boolean;
  endedAt: number;
  endsBefore: readonly number[];
  stoppedAt: number | undefined;
  consumption: Consumption | undefined;
}

/** Starts a consumption. */
export function startConsume(world: World, simulated: SimulatedClient, plan: ConsumePlan): Consuming {
  const { client, name } = simulated;
  const state: Progress = {
    ...{
      printed: [],
      warnings: [],
      text: '',
      error: undefined,
      isEnded: false,
      endedAt: 0,
      endsBefore: [],
      stoppedAt: undefined,
    },
    consumption: undefined,
  };
  const run = async (): Promise<void> => {
    try {
      if (plan.startsAt > 0) await world.clock.sleep(plan.startsAt);
      await simulated.clock.running();
      state.endsBefore = endsOf(world, plan.readCommitted);
      state.consumption = await consume(client, requestOf(world, name, { plan, state }));
      if (state.stoppedAt !== undefined) state.consumption.stop();
      await state.consumption.pump({ write: (chunk) => take(world, chunk, { plan, state, startedAt, simulated }) });
    } catch (thrown) {
      state.error = thrown;
      world.tell(`${name} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
    state.isEnded = true;
    state.endedAt = world.clock.now();
    // A command closes its client when it ends.
    simulated.close();
  };
  const startedAt = world.clock.now();
  return {
    ...{ name, plan },
    printed: state.printed,
    warnings: state.warnings,
    ended: run(),
    stop() {
      const stop = (): void => {
        state.stoppedAt ??= world.clock.now();
        state.consumption?.stop();
      };
      // A process that stands still gets its signals afterwards.
      const running = simulated.clock.running();
      if (running === undefined) stop();
      else void running.then(stop);
    },
    kill: () => simulated.close(),
    get isEnded() {
      return state.isEnded;
    },
    get endsBefore() {
      return state.endsBefore;
    },
    get endedAt() {
      return state.endedAt;
    },
    get stoppedAt() {
      return state.stoppedAt;
    },
    get error() {
      return state.error;
    },
  };
}

interface Run {
  readonly plan: ConsumePlan;
  readonly state: Progress;
}

interface Reading extends Run {
  readonly simulated: SimulatedClient;
  readonly startedAt: number;
}

function requestOf(world: World, name: string, { plan, state }: Run): ConsumeRequest {
  return {
    ...{
      topics: [plan.isRegex ? names.pattern : plan.topic, ...(plan.sideTopic === undefined ? [] : [plan.sideTopic])],
      regex: plan.isRegex,
      partitions: [],
      range: parseOffsetRange(plan.range, 0),
    },
    ...{ limit: plan.limit ?? Number.POSITIVE_INFINITY, group: plan.group, format: compileFormat('%t %p %o %e %v\\n') },
    ...{ readCommitted: plan.readCommitted, printControl: false, rack: plan.rack },
    ...{ fetchMaxBytes: plan.fetchMaxBytes, fetchMaxPartitionBytes: plan.fetchMaxPartitionBytes },
    ...{ fetchMaxWaitMs: plan.fetchMaxWaitMs, onPrinted: () => undefined },
    warn: (line) => {
      state.warnings.push(line);
      world.tell(`${name} warns: ${line}`);
    },
  };
}

/** Counts records as printed when the reader has received them; after the end of the read, it receives nothing. */
function take(
  world: World,
  chunk: Uint8Array,
  { plan, state, startedAt, simulated }: Reading,
): Promise<void> | undefined {
  const { clock, undecided, breaches } = world;
  const lines = `${state.text}${Buffer.from(chunk).toString()}`.split('\n');
  state.text = lines.pop() ?? '';
  const had = lines
    .map((line) => line.split(' '))
    .filter(([topic]) => topic !== plan.sideTopic)
    .map(([topic = '', partition, offset, leaderEpoch, value = '']) => ({
      ...{ topic, partition: Number(partition), offset: Number(offset), leaderEpoch: Number(leaderEpoch), value },
    }));
  const early = plan.readCommitted && !world.losesMarkers ? had.find(({ value }) => undecided.has(value)) : undefined;
  if (early !== undefined) breaches.push(`${early.value} is printed before its transaction was committed`);
  const { at, forMs } = plan.stall ?? { at: 0, forMs: 0 };
  const sinceMs = clock.now() - startedAt;
  const stalledMs = sinceMs >= at ? at + forMs - sinceMs : 0;
  const writtenAt = clock.now();
  const accept = (): void => {
    state.printed.push(...had.map((record) => ({ ...record, writtenAt, at: clock.now() })));
  };
  if (plan.readerMs === 0 && stalledMs <= 0) {
    accept();
    return undefined;
  }
  return clock.sleep(Math.max(stalledMs, clock.random() * plan.readerMs)).then(() => {
    if (!state.isEnded) accept();
    return simulated.clock.running();
  });
}
