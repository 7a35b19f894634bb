import { CliError, exitCodes, usageError, withHintsFirst } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { printedEpoch } from '../../streams/consume/epochs.ts';
import { existingTopics, planStarts } from '../../streams/consume/plan.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { rewindPlaces } from '../../streams/consume/truncation.ts';
import { requestIdentity } from '../../streams/produce/identity.ts';
import { interrupted, type Reached, reachedNothing, repeatHint } from '../copy/failures.ts';
import { groupInUse, readStored, type StoredOffset } from '../copy/stored-progress.ts';
import { createPorter } from '../portions.ts';
import { openTransactions } from '../transactions.ts';
import { type Carrying, openCarrying, type Route } from '../transfer.ts';
import { createJudge, type Judge } from './judge.ts';
import { type Progress, progressBy, storedOf, tooManyGaps } from './progress.ts';
import { reasons } from './reasons.ts';
import type { RedrivenTopic } from './redrive-rows.ts';
import type { RedriveRequest, Redriving } from './request.ts';
import { createTally, type Outcome, type Place, tallyRows } from './tally.ts';

/** Where to begin in a partition, and what was done in it. */
interface Beginning extends Progress {
  readonly start: PartitionStart;
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
  // A run looks again, and warns then. Before that, one in transactions ends the one that a killed process has left open,
  // which may last a minute.
  const isStable = !request.isExactlyOnce;
  const beginnings = await begin(client, plan, { isStable, warn: () => undefined });
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
    if (full !== undefined) throw route.failure(full, state.carrying.reached);
    return tallyRows(request.topic, tally);
  };
  const { deadline } = client.options;
  return {
    offsets: Number(offsets),
    get again() {
      return repeatHint(wording, state.carrying?.reached ?? reachedNothing);
    },
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

/** Reads what earlier runs have settled, of what is still in the log. */
async function begin(
  client: Client,
  plan: Plan,
  { isStable, warn }: { readonly isStable: boolean; readonly warn: (line: string) => void },
): Promise<readonly Beginning[]> {
  const { request, group, topic, topicId, starts, logStarts } = plan;
  const stored = await readStored(client, group, starts, isStable);
  const found = starts.map((start) => {
    const logStart = logStarts.get(start.partition) ?? 0n;
    const own = stored.find(({ partition }) => partition === start.partition);
    // Also with --restart: nobody else's offsets are replaced.
    const known = progressBy(own, { group, topicId, logStart });
    return { start, ...(request.restarts ? progressBy(undefined, { group, topicId, logStart }) : known) };
  });
  const places = found.map(({ start: { partition }, settled: { ceiling: offset }, epoch }) => ({
    partition,
    offset,
    epoch,
  }));
  const rewound = await rewindPlaces(client, topic.name, places, warn);
  return found.map(({ start, settled }, at) => {
    const { offset: kept = settled.ceiling, epoch = -1 } = rewound[at] ?? {};
    // Where the log was cut, other dead letters have the offsets of those that were sent.
    if (kept < settled.ceiling) settled.cut(kept);
    const { end = start.offset } = start;
    const offset = settled.floor > start.offset ? settled.floor : start.offset;
    const isAfterSettled = offset === settled.ceiling;
    return {
      settled,
      epoch,
      start: { ...start, offset: offset > end ? end : offset, epoch: isAfterSettled ? epoch : -1 },
    };
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
interface Reading extends Progress {
  epoch: number;
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
  // Before the progress is read: from then on no other process moves it. A group may remember several topics.
  const transactions =
    request.isExactlyOnce && !isDry ? await openTransactions(client, `${group}-${topic.name}`, 'alone') : undefined;
  const readings = new Map<number, Reading>();
  const judge = createJudge(client, {
    request,
    isDry,
    isSettled({ leaderEpoch, origin: { partition } }, offset) {
      const reading = readingOf(readings, partition);
      const { settled, epoch } = reading;
      // Here an election has cut the log, and what earlier runs have sent of the rest is not in it any more.
      if (epoch >= 0 && leaderEpoch > epoch && offset < settled.ceiling) settled.cut(offset);
      return settled.has(offset);
    },
    onEnough: options.onEnough,
  });
  if (typeof to === 'object' && 'topic' in to) await judge.learn(to.topic);
  const encode = (partition: number, { settled, epoch }: Progress, before: bigint): StoredOffset =>
    storedOf({ topic: topic.name, partition }, { topicId, settled, epoch, before });
  /** What to store of a partition, with the records that were acknowledged besides. */
  const storedNow = ({ stored, refused }: Reading, placed: readonly bigint[]): StoredOffset => {
    if (placed.length === 0 && refused.length === 0) return stored;
    const progress = progressBy(stored, { group, topicId, logStart: 0n });
    for (const offset of placed) progress.settled.add(offset, offset + 1n);
    for (const offset of refused) progress.settled.remove(offset);
    return encode(stored.partition, progress, stored.offset);
  };
  return {
    source: topic.name,
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
      const isStable = transactions !== undefined || !request.isExactlyOnce;
      const beginnings = await begin(client, plan, { isStable, warn: request.warn });
      for (const { start, ...progress } of beginnings) {
        const stored = encode(start.partition, progress, start.offset);
        readings.set(start.partition, { ...progress, at: start.offset, stored, placed: [], refused: [] });
      }
      return beginnings.map(({ start }) => start);
    },
    onJump(part, offset) {
      const reading = readingOf(readings, part.position.partition);
      if (offset < reading.at) reading.settled.cut(offset);
      reading.at = offset;
    },
    onPortion(part, { upTo, parcels }) {
      const reading = readingOf(readings, part.position.partition);
      const decisions = judge.take();
      const before = reading.at > reading.settled.ceiling ? reading.at : reading.settled.ceiling;
      settle(reading, upTo, decisions.left);
      const { ceiling: printed } = reading.settled;
      // What is settled beyond this place is of an earlier run, and its epoch is known.
      const epoch = printed > upTo ? -1 : printedEpoch({ ...part.position, printed });
      if (epoch >= 0) reading.epoch = epoch;
      // Before anything is sent: what cannot be remembered would be sent again.
      const stored = encode(part.position.partition, reading, before);
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
      readingOf(readings, position.partition).placed.push(...offsets);
      const { partition } = position;
      for (const offset of offsets) options.onOutcome({ destination, reason: undefined }, { partition, offset });
    },
    onLeft({ position, offsets, topic: destination }, refusal) {
      const { settled, refused } = readingOf(readings, position.partition);
      const { partition } = position;
      const reason = reasons.refused(destination, refusal);
      for (const offset of offsets) {
        settled.remove(offset);
        refused.push(offset);
        options.onOutcome({ destination, reason }, { partition, offset });
      }
    },
    progressOf: (parts) => parts.map((part) => storedNow(readingOf(readings, part.position.partition), [])),
    lastProgress: () =>
      [...readings.values()].map((reading) => orElse(() => storedNow(reading, reading.placed), reading.stored)),
    isOver: async () => true,
    recreatedSource: () => recreated(topic.name, `topic "${topic.name}" was deleted and created again`),
    recreatedTarget: () =>
      recreated(topic.name, 'a topic that they go to was deleted and created again', [
        'what was put back there before is gone: --restart puts everything back again',
      ]),
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

function readingOf(readings: ReadonlyMap<number, Reading>, partition: number): Reading {
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

function recreated(topic: string, why: string, hints: readonly string[] = []): CliError {
  return new CliError(exitCodes.conflict, `unable to go on with the dead letters of topic "${topic}": ${why}`, {
    code: 'TOPIC_RECREATED',
    target: topic,
    hints,
  });
}

/** Says what was done before the failure, and how to go on. */
function redriveFailure(error: unknown, done: Reached): unknown {
  if (!(error instanceof CliError)) return error;
  const hints = error.code === groupInUse ? ['use another group: -g NAME'] : undefined;
  const failure = interrupted(error, done, { ...wording, countedAs: 'sent', hints });
  const [gone] = done.missing ?? [];
  if (gone === undefined) return failure;
  return withHintsFirst(failure, [
    `topic "${gone}" was deleted, with what was put back there: once it exists again, --restart puts everything back again`,
  ]);
}

/** How to speak of a redrive that ended early. */
const wording = { did: 'put back', again: 'repeat the command: it puts back what is left' };
