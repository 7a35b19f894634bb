import { CliError, exitCodes, rephrased, usageError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import { existingTopics, planStarts } from '../consume/plan.ts';
import type { PartitionStart } from '../consume/position.ts';
import { type Carrying, openCarrying, type Part, type Route } from '../copy/carrying.ts';
import { createPorter } from '../copy/portions.ts';
import { groupInUse, readStored, type StoredOffset } from '../copy/stored-progress.ts';
import { openTransactions } from '../copy/transactions.ts';
import { requestIdentity } from '../produce/identity.ts';
import { noUuid } from '../wire/primitives.ts';
import { createJudge, type Judge } from './judge.ts';
import { settledBy, storedOf, tooManyGaps } from './progress.ts';
import { reasons } from './reasons.ts';
import type { RedrivenTopic } from './redrive-rows.ts';
import type { RedriveRequest, Redriving } from './request.ts';
import type { Settled } from './settled.ts';
import { createTally, type Outcome, type Place, tallyRows } from './tally.ts';

/** Where to begin in a partition, and what of it is settled. */
interface Beginning {
  readonly start: PartitionStart;
  readonly settled: Settled;
}

/** What stays the same during a redrive. */
interface Plan {
  readonly request: RedriveRequest;
  readonly topic: TopicMetadata;
  /** '' where brokers report none. */
  readonly topicId: string;
  readonly group: string;
  /** The range of each partition. */
  readonly starts: readonly PartitionStart[];
  readonly logStarts: ReadonlyMap<number, bigint>;
}

/** Checks the topics and finds out where to begin; reads no records before `run`. */
export async function redrive(client: Client, request: RedriveRequest): Promise<Redriving> {
  const plan = await planOf(client, request);
  const beginnings = await begin(client, plan);
  const offsets = beginnings.reduce((sum, { start: { offset, end = offset } }) => sum + (end - offset), 0n);
  const state: { carrying: Carrying | undefined; isStopped: boolean; unwanted: number } = {
    carrying: undefined,
    isStopped: false,
    unwanted: 0,
  };
  const run = async (isDry: boolean, onSent: (records: number) => void): Promise<readonly RedrivenTopic[]> => {
    const tally = createTally();
    let sent = 0;
    let full: CliError | undefined;
    const route = await openRoute(client, {
      plan,
      isDry,
      onSent(records) {
        sent += records;
        onSent(sent);
      },
      onEnough: () => state.carrying?.stop(),
      onFull(error) {
        full = error;
        state.carrying?.stop();
      },
      onOutcome: tally.add,
      onDecided(decisions) {
        tally.merge(decisions.tally);
        state.unwanted += decisions.unwanted;
      },
    });
    state.carrying = openCarrying(client, route);
    if (state.isStopped) state.carrying.stop();
    await state.carrying.run();
    if (full !== undefined) throw route.failure(full, state.carrying);
    return tallyRows(request.topic, tally);
  };
  const { deadline } = client.options;
  return {
    offsets: Number(offsets),
    run: (onSent) => deadline.openEnded(() => run(false, onSent)),
    dryRun: () => deadline.openEnded(() => run(true, () => undefined)),
    stop() {
      state.isStopped = true;
      state.carrying?.stop();
    },
    get pending() {
      return state.carrying?.pending ?? 0;
    },
    get unwanted() {
      return state.unwanted;
    },
  };
}

async function planOf(client: Client, request: RedriveRequest): Promise<Plan> {
  const { topic: name, to, partitions, range, warn } = request;
  if (typeof to === 'object' && 'topic' in to) {
    if (to.topic === name) {
      throw usageError(`unable to redrive topic "${name}" into itself`, { target: name });
    }
    await existingTopics(client, [to.topic], []);
  }
  const topics = await existingTopics(client, [name], partitions);
  const [topic] = topics;
  if (topic === undefined) throw new Error(`no topic ${name}`);
  const [starts, whole] = await Promise.all([
    planStarts(client, { topics, range, readCommitted: true, warn }),
    planStarts(client, { topics, range: { start: { at: 'start' }, end: undefined }, readCommitted: true, warn }),
  ]);
  return {
    request,
    topic,
    topicId: topic.id === undefined || topic.id === noUuid ? '' : topic.id,
    group: request.group ?? `weir-redrive-${name}`,
    starts,
    logStarts: new Map(whole.map(({ partition, offset }) => [partition, offset])),
  };
}

/** Reads what earlier runs have settled. */
async function begin(client: Client, { request, group, topicId, starts, logStarts }: Plan): Promise<Beginning[]> {
  const stored = await readStored(client, group, starts);
  return starts.map((start) => {
    const { partition, end = start.offset } = start;
    const logStart = logStarts.get(partition) ?? 0n;
    const found = stored.find((one) => one.partition === partition);
    // Also with --restart: nobody else's offsets are replaced.
    const known = settledBy(found, { group, topicId, logStart });
    const settled = request.restarts ? settledBy(undefined, { group, topicId, logStart }) : known;
    const offset = settled.floor > start.offset ? settled.floor : start.offset;
    return { settled, start: { ...start, offset: offset > end ? end : offset } };
  });
}

interface RouteOptions {
  readonly plan: Plan;
  readonly isDry: boolean;
  onSent(records: number): void;
  onEnough(): void;
  /** Called when no more can be remembered. */
  onFull(error: CliError): void;
  /** Called for records that were sent or refused. */
  onOutcome(outcome: Outcome, place: Place): void;
  onDecided(decisions: ReturnType<Judge['take']>): void;
}

/** A partition that is read, and what was decided about it. */
interface Reading {
  readonly settled: Settled;
  /** The offset up to which records are judged. */
  at: bigint;
  /** What to store now. */
  stored: StoredOffset;
  /** Records that are acknowledged, but not in `stored` yet. */
  placed: bigint[];
  /** Records that their destination refused. */
  readonly refused: bigint[];
}

async function openRoute(client: Client, options: RouteOptions): Promise<Route> {
  const { plan, isDry } = options;
  const { request, group, topicId, topic } = plan;
  const { to } = request;
  // Before the progress is read: from then on no other process moves it.
  const transactions = request.isExactlyOnce && !isDry ? await openTransactions(client, group, 'alone') : undefined;
  const readings = new Map<number, Reading>();
  const judge = createJudge(client, {
    request,
    isDry,
    isSettled: (partition, offset) => readings.get(partition)?.settled.has(offset) ?? false,
    onEnough: options.onEnough,
  });
  if (typeof to === 'object' && 'topic' in to) await judge.learn(to.topic);
  const encode = (partition: number, settled: Settled, before: bigint): StoredOffset =>
    storedOf({ topic: topic.name, partition }, { topicId, settled, before });
  /** What to store of a partition, with the records that were acknowledged besides. */
  const storedNow = ({ stored, refused }: Reading, placed: readonly bigint[]): StoredOffset => {
    if (placed.length === 0 && refused.length === 0) return stored;
    const settled = settledBy(stored, { group, topicId, logStart: 0n });
    for (const offset of placed) settled.add(offset, offset + 1n);
    for (const offset of refused) settled.remove(offset);
    return encode(stored.partition, settled, stored.offset);
  };
  return {
    target: client,
    topics: judge.topics,
    atOnce: 1,
    fetchMaxWaitMs: request.fetchMaxWaitMs,
    isEndless: false,
    maxBatchBytes: Number.POSITIVE_INFINITY,
    identity: transactions?.identity ?? (isDry ? noIdentity : await requestIdentity(client)),
    transactions,
    isDry,
    group,
    openMembership: () => undefined,
    openPorter: (pool) =>
      createPorter({
        pool,
        maxBatchBytes: Number.POSITIVE_INFINITY,
        maxBytesOf: judge.maxBytesOf,
        isTransactional: transactions !== undefined,
        wants: judge.wants,
        partitionOf: judge.slot,
        revise: judge.revise,
        notesOffsets: true,
      }),
    laneOf: judge.laneOf,
    async starts() {
      readings.clear();
      const beginnings = await begin(client, plan);
      for (const { settled, start } of beginnings) {
        const stored = encode(start.partition, settled, start.offset);
        readings.set(start.partition, { settled, at: start.offset, stored, placed: [], refused: [] });
      }
      return beginnings.map(({ start }) => start);
    },
    onJump(part, offset) {
      const reading = readingOf(readings, part);
      if (offset < reading.at) reading.settled.cut(offset);
      reading.at = offset;
    },
    onPortion(part, { upTo, parcels }) {
      const reading = readingOf(readings, part);
      const decisions = judge.take();
      const before = reading.at > reading.settled.ceiling ? reading.at : reading.settled.ceiling;
      settle(reading, upTo, decisions.left);
      // Before anything is sent: what cannot be remembered would be sent again.
      const stored = encode(part.position.partition, reading.settled, before);
      return part.trail.add(upTo, parcels.length, () => {
        reading.stored = stored;
        reading.placed = reading.placed.filter((offset) => offset >= upTo);
        options.onDecided(decisions);
      });
    },
    async resolves(error) {
      if (!(error instanceof CliError) || error.code !== tooManyGaps) return await judge.resolves(error);
      // What was sent before is stored first.
      options.onFull(error);
      return true;
    },
    onPlaced({ position, offsets, topic: destination }) {
      readingOf(readings, { position }).placed.push(...offsets);
      const { partition } = position;
      for (const offset of offsets) options.onOutcome({ destination, reason: undefined }, { partition, offset });
    },
    onLeft({ position, offsets, topic: destination }, refusal) {
      const { settled, refused } = readingOf(readings, { position });
      const { partition } = position;
      const reason = reasons.refused(destination, refusal);
      for (const offset of offsets) {
        settled.remove(offset);
        refused.push(offset);
        options.onOutcome({ destination, reason }, { partition, offset });
      }
    },
    progressOf: (parts) => parts.map((part) => storedNow(readingOf(readings, part), [])),
    lastProgress: () =>
      [...readings.values()].map((reading) => orElse(() => storedNow(reading, reading.placed), reading.stored)),
    isOver: async () => true,
    recreatedSource: () => recreated(topic.name, `topic "${topic.name}" was deleted and created again`),
    recreatedTarget: () => recreated(topic.name, 'a topic that they go to was deleted and created again'),
    failure: redriveFailure,
    warn: request.warn,
    onCarried: options.onSent,
  };
}

/** Of a run that sends nothing. */
const noIdentity = { producerId: -1n, producerEpoch: -1 };

/** What cannot be stored as a whole is stored without what came last. */
function orElse(store: () => StoredOffset, otherwise: StoredOffset): StoredOffset {
  try {
    return store();
  } catch {
    return otherwise;
  }
}

function readingOf(
  readings: ReadonlyMap<number, Reading>,
  { position: { partition } }: Pick<Part, 'position'>,
): Reading {
  const reading = readings.get(partition);
  if (reading === undefined) throw new Error(`partition ${partition} is not read`);
  return reading;
}

/** Everything up to an offset is settled but what was left. */
function settle(reading: Reading, upTo: bigint, left: readonly bigint[]): void {
  for (const offset of left) {
    reading.settled.add(reading.at, offset);
    reading.at = offset + 1n;
  }
  reading.settled.add(reading.at, upTo);
  reading.at = upTo;
}

function recreated(topic: string, why: string): CliError {
  return new CliError(exitCodes.conflict, `unable to go on with the dead letters of topic "${topic}": ${why}`, {
    code: 'TOPIC_RECREATED',
    target: topic,
  });
}

/** Says what was done before the failure, and how to go on. */
function redriveFailure(error: unknown, { written, pending }: Pick<Carrying, 'written' | 'pending'>): unknown {
  if (!(error instanceof CliError)) return error;
  const were = `${grouped(written.records, 'record')} ${written.records === 1 ? 'was' : 'were'} put back before that`;
  const hints = error.code === groupInUse ? ['use another group: -g NAME'] : error.hints;
  return rephrased(error, `${error.message} (${were})`, {
    hints: error.exitCode === exitCodes.conflict ? hints : [...hints, again],
    records: { sent: written.records, uncertain: pending },
  });
}

/** The hint for a redrive that ended early. */
export const again = 'repeat the command: it puts back what is left';
