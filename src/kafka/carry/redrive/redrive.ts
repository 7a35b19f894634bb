import { CliError, exitCodes, withHintsFirst } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { exactOffset, type RecordCursor } from '../../records/batches/cursor.ts';
import { printedEpoch } from '../../streams/consume/epochs.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import { requestIdentity } from '../../streams/produce/identity.ts';
import type { Refusal } from '../../streams/produce/lane.ts';
import { interrupted, noProgress, type RunProgress, repeatHint } from '../failures.ts';
import { openTransfer, type RunningTransfer } from '../loop.ts';
import type { Portion } from '../portions.ts';
import { groupInUse, type StoredOffset } from '../stored-offsets.ts';
import { openTransactions, type Transactions } from '../transactions.ts';
import type { SourcePart, Transfer, TransferProgress, TransferRecords, TransferSource } from '../transfer.ts';
import type { BatchOrigin, Destination } from '../writing.ts';
import {
  createJudge,
  type Judge,
  laneOf,
  learnDestination,
  maxBytesOf,
  resolveObstacle,
  reviseHeaders,
  takeDecisions,
  wants,
} from './judge.ts';
import { planRedrive, type RedrivePlan, readBeginnings } from './plan.ts';
import { type Progress, progressBy, storedOf, tooManyGaps } from './progress.ts';
import { reasons } from './reasons.ts';
import type { RedrivenTopic } from './redrive-rows.ts';
import type { RedriveRequest, Redriving } from './request.ts';
import { createTally, type Tally, tallyRows } from './tally.ts';

/** Checks the topics and finds out where to begin; reads no records before `run`. */
export async function redrive(client: Client, request: RedriveRequest): Promise<Redriving> {
  const plan = await planRedrive(client, request);
  // A run looks again, and warns then. Before that, one in transactions ends the one that a killed process has left open,
  // which may last a minute.
  const beginnings = await readBeginnings(client, plan, { isStable: !request.isExactlyOnce, warn: () => undefined });
  const offsets = beginnings.reduce((sum, { start: { offset, end = offset } }) => sum + (end - offset), 0n);
  let result = noResult();
  let transfer: RunningTransfer | undefined;
  let isStopped = false;
  const stop = (): void => transfer?.stop();
  const run = async (isDry: boolean, onSent: (records: number) => void): Promise<readonly RedrivenTopic[]> => {
    result = noResult();
    transfer = openTransfer(client, () => prepare(client, { plan, isDry, result, onSent, stop }));
    if (isStopped) stop();
    await transfer.run();
    return tallyRows(request.topic, result.tally);
  };
  const { deadline } = client.options;
  return {
    offsets: Number(offsets),
    get again() {
      return repeatHint(wording, transfer?.reached ?? noProgress);
    },
    run: (onSent) => deadline.openEnded(() => run(false, onSent)),
    dryRun: () => deadline.openEnded(() => run(true, () => undefined)),
    stop() {
      isStopped = true;
      stop();
    },
    get pending() {
      return transfer?.pending ?? 0;
    },
    get unwanted() {
      return result.unwanted;
    },
  };
}

/** What became of the dead letters. */
interface Result {
  readonly tally: Tally;
  sent: number;
  /** The records that the conditions left out. */
  unwanted: number;
}

function noResult(): Result {
  return { tally: createTally(), sent: 0, unwanted: 0 };
}

interface RunOptions {
  readonly plan: RedrivePlan;
  readonly isDry: boolean;
  readonly result: Result;
  /** Called with the number of records acknowledged so far. */
  onSent(records: number): void;
  stop(): void;
}

/** A redrive under way. */
interface Run extends RunOptions {
  readonly client: Client;
  readonly transactions: Transactions | undefined;
  readonly judge: Judge;
  readonly readings: Map<number, Reading>;
  /** Why no more can be remembered. */
  full: CliError | undefined;
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

async function prepare(client: Client, options: RunOptions): Promise<Transfer> {
  const { plan, isDry, stop } = options;
  const { request, group, topic } = plan;
  const run: Run = {
    ...options,
    client,
    // Before the progress is read: from then on no other process moves it. A group may remember several topics.
    transactions:
      request.isExactlyOnce && !isDry ? await openTransactions(client, `${group}-${topic.name}`, 'alone') : undefined,
    judge: createJudge(client, { request, isDry, onEnough: stop }),
    readings: new Map(),
    full: undefined,
  };
  if (typeof request.to === 'object' && 'topic' in request.to) await learnDestination(run.judge, request.to.topic);
  return {
    source: sourceOf(run),
    records: recordsOf(run),
    destination: await destinationOf(run),
    progress: progressOf(run),
    warn: request.warn,
    failure: redriveFailure,
    onEnd(done) {
      if (run.full !== undefined) throw redriveFailure(run.full, done);
    },
  };
}

function sourceOf(run: Run): TransferSource {
  const { topic, request } = run.plan;
  return {
    topic: topic.name,
    atOnce: 1,
    fetchMaxWaitMs: request.fetchMaxWaitMs,
    isEndless: false,
    starts: () => begin(run),
    onJump(part, offset) {
      const reading = readingOf(run, part.position.partition);
      if (offset < reading.at) reading.settled.cut(offset);
      reading.at = offset;
    },
    recreated: () => recreatedError(topic.name, `topic "${topic.name}" was deleted and created again`),
  };
}

async function begin({ client, plan, readings, transactions }: Run): Promise<readonly PartitionStart[]> {
  const { request } = plan;
  readings.clear();
  const isStable = transactions !== undefined || !request.isExactlyOnce;
  const beginnings = await readBeginnings(client, plan, { isStable, warn: request.warn });
  for (const { start, ...progress } of beginnings) {
    const stored = encode(plan, start.partition, { ...progress, before: start.offset });
    readings.set(start.partition, { ...progress, at: start.offset, stored, placed: [], refused: [] });
  }
  return beginnings.map(({ start }) => start);
}

function recordsOf(run: Run): TransferRecords {
  const { judge } = run;
  return {
    wants: (cursor) => !isSettled(run, cursor) && wants(judge, cursor),
    partitionOf: () => judge.slot,
    maxBytesOf: (slot) => maxBytesOf(judge, slot),
    revise: (record) => reviseHeaders(judge, record),
    notesOffsets: true,
    async resolves(error) {
      if (!(error instanceof CliError) || error.code !== tooManyGaps) return await resolveObstacle(judge, error);
      // What was sent before is stored first.
      run.full = error;
      run.stop();
      return true;
    },
    onPortion: (part, portion) => settlePortion(run, part, portion),
  };
}

/** Whether an earlier run has sent the record under the cursor. */
function isSettled(run: Run, cursor: RecordCursor): boolean {
  const offset = exactOffset(cursor);
  const { settled, epoch } = readingOf(run, cursor.origin.partition);
  // Here an election has cut the log, and what earlier runs have sent of the rest is not in it any more.
  if (epoch >= 0 && cursor.leaderEpoch > epoch && offset < settled.ceiling) settled.cut(offset);
  return settled.has(offset);
}

/** Remembers what was decided about a portion; stored once all of it is acknowledged. */
function settlePortion(run: Run, part: SourcePart, { upTo }: Portion): () => void {
  const { judge, plan, result } = run;
  const { partition } = part.position;
  const reading = readingOf(run, partition);
  const { tally, left, unwanted } = takeDecisions(judge);
  const before = reading.at > reading.settled.ceiling ? reading.at : reading.settled.ceiling;
  settle(reading, upTo, left);
  const { ceiling: printed } = reading.settled;
  // What is settled beyond this place is of an earlier run, and its epoch is known.
  const epoch = printed > upTo ? -1 : printedEpoch({ ...part.position, printed });
  if (epoch >= 0) reading.epoch = epoch;
  // Before anything is sent: what cannot be remembered would be sent again.
  const stored = encode(plan, partition, { ...reading, before });
  return () => {
    reading.stored = stored;
    reading.placed = reading.placed.filter((offset) => offset >= upTo);
    result.tally.merge(tally);
    result.unwanted += unwanted;
  };
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

async function destinationOf(run: Run): Promise<Destination> {
  const { client, plan, judge, transactions, isDry, result } = run;
  const { name } = plan.topic;
  return {
    client,
    topics: judge.topics,
    maxBatchBytes: Number.POSITIVE_INFINITY,
    identity: transactions?.identity ?? (isDry ? noIdentity : await requestIdentity(client)),
    transactions,
    isDry,
    laneOf: (slot) => laneOf(judge, slot),
    onWritten(records) {
      result.sent += records;
      run.onSent(result.sent);
    },
    onPlaced({ position: { partition }, offsets, topic: destination }) {
      readingOf(run, partition).placed.push(...offsets);
      for (const offset of offsets) result.tally.add({ destination, reason: undefined }, { partition, offset });
    },
    onLeft: (origin, refusal) => leaveRefused(run, origin, refusal),
    recreated: () =>
      recreatedError(name, 'a topic that they go to was deleted and created again', [
        'what was put back there before is gone: --restart puts everything back again',
      ]),
  };
}

/** Of a run that sends nothing. */
const noIdentity = { producerId: -1n, producerEpoch: -1 };

function leaveRefused(run: Run, { position, offsets, topic: destination }: BatchOrigin, refusal: Refusal): void {
  const { partition } = position;
  const { settled, refused } = readingOf(run, partition);
  const reason = reasons.refused(destination, refusal);
  for (const offset of offsets) {
    settled.remove(offset);
    refused.push(offset);
    run.result.tally.add({ destination, reason }, { partition, offset });
  }
}

function progressOf(run: Run): TransferProgress {
  const { plan, readings } = run;
  return {
    group: plan.group,
    offsets: (parts) => parts.map(({ position }) => storedNow(plan, readingOf(run, position.partition), [])),
    lastOffsets: () => [...readings.values()].map((reading) => storedLast(plan, reading)),
  };
}

/** What to store of a partition, with the records that were acknowledged besides. */
function storedNow(plan: RedrivePlan, { stored, refused }: Reading, placed: readonly bigint[]): StoredOffset {
  if (placed.length === 0 && refused.length === 0) return stored;
  const { group, topicId } = plan;
  const progress = progressBy(stored, { group, topicId, logStart: 0n });
  for (const offset of placed) progress.settled.add(offset, offset + 1n);
  for (const offset of refused) progress.settled.remove(offset);
  return encode(plan, stored.partition, { ...progress, before: stored.offset });
}

/** What cannot be stored as a whole is stored without what came last. */
function storedLast(plan: RedrivePlan, reading: Reading): StoredOffset {
  try {
    return storedNow(plan, reading, reading.placed);
  } catch {
    return reading.stored;
  }
}

function encode(
  { topic, topicId }: RedrivePlan,
  partition: number,
  { settled, epoch, before }: Progress & { readonly before: bigint },
): StoredOffset {
  return storedOf({ topic: topic.name, partition }, { topicId, settled, epoch, before });
}

function readingOf({ readings }: Run, partition: number): Reading {
  const reading = readings.get(partition);
  if (reading === undefined) throw new Error(`partition ${partition} is not read`);
  return reading;
}

function recreatedError(topic: string, why: string, hints: readonly string[] = []): CliError {
  return new CliError(exitCodes.conflict, `unable to go on with the dead letters of topic "${topic}": ${why}`, {
    code: 'TOPIC_RECREATED',
    target: topic,
    hints,
  });
}

/** Says what was done before the failure, and how to go on. */
function redriveFailure(error: unknown, done: RunProgress): unknown {
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
