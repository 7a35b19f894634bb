import type { CliError } from '../../../errors.ts';
import { maxTimerMs } from '../../../format/duration.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { Lines } from '../../records/batches/batch-records.ts';
import type { ParsedRecord } from '../../records/language/parse.ts';
import { type Account, accountOf } from './account.ts';
import { openExpiry } from './expiry.ts';
import { noIdentity, requestIdentity } from './identity.ts';
import type { Lane, ProducerIdentity } from './lane.ts';
import {
  flushIdle,
  isCrowded,
  type OpenBatches,
  release,
  sealAll,
  sealLargest,
  sealOld,
  take,
  takeLines,
} from './open-batches.ts';
import { createReporter, type Reporter } from './report.ts';
import type { ProduceRequest, ReportSink } from './request.ts';
import type { TopicsListener } from './seeker.ts';
import { openSender } from './sender.ts';
import type { ProduceTopic } from './topics.ts';

/** The timeout inside a Produce request, in milliseconds, to which a delivery timeout is added. */
const produceTimeoutMs = 5_000;
/** Takes records from the input, collects them in batches and sends those to the brokers. */
export interface Pipeline {
  /** Adds a record to its lane's batch and sends the batch when it is full. */
  take(record: ParsedRecord, topic: ProduceTopic): void;
  /** Does the same for all whole lines, each of which is a value without a key or headers. */
  takeLines(lines: Lines, topic: ProduceTopic, timestamp: number): void;
  /** Returns a promise if more input has to wait. @throws (it rejects with) the first failure */
  makeRoom(): Promise<void> | undefined;
  /** Sends open batches while the input pauses, and keeps doing so until more is taken. */
  flush(): void;
  /**
   * Resolves when everything taken is delivered and printed. After a failure, first prints what brokers still
   * acknowledge of the requests in flight.
   * @throws the first failure
   */
  drain(): Promise<void>;
  /** Makes pending waits check their condition again. */
  wake(): void;
  /** Stops sending with an error. */
  fail(error: unknown): void;
  /** What has become of the records; `read` counts those that the input had, of which the last may not be taken. */
  account(read: number, areLines: boolean): Account;
  close(): void;
}

/** The parts of a pipeline. */
export interface PipelineOptions {
  readonly client: Client;
  readonly request: ProduceRequest;
  readonly sink: ReportSink;
  /** Called when no more input can be delivered. */
  stopReading(): void;
  readonly onTopics: TopicsListener;
}

interface State extends OpenBatches {
  readonly client: Client;
  readonly reporter: Reporter;
  /** Whether the delivery timeout has passed, so that no answer is waited for any more. */
  isExpired: boolean;
  /** The first failure to write a report. */
  sinkFailure: unknown;
  /** Records that were delivered. */
  acknowledged: number;
  /** Callbacks for the next change of state; each is called once. */
  readonly waiters: Set<() => void>;
}

/** Opens a pipeline and, for an idempotent producer, gets its producer id. */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { client, request } = options;
  // acks 0 and 1 cannot be idempotent.
  const identity = request.acks === -1 ? await requestIdentity(client) : noIdentity;
  const state = createState(options, identity);
  const { sender } = state;
  return {
    take: (record, topic) => take(state, record, topic),
    takeLines: (lines, topic, timestamp) => takeLines(state, lines, topic, timestamp),
    makeRoom() {
      sealOld(state);
      return isFull(state) ? settleUntil(state, () => !isFull(state), sealLargest) : undefined;
    },
    flush() {
      state.isIdle = true;
      flushIdle(state);
    },
    drain: () => drain(state),
    wake: () => notify(state),
    fail: sender.fail,
    account: (read, areLines) => accountOf({ ...state, read, areLines }),
    close() {
      state.expiry?.close();
      sender.close();
    },
  };
}

function createState(options: PipelineOptions, identity: ProducerIdentity): State {
  const { client, request, sink, stopReading, onTopics } = options;
  const { acks, deliveryTimeoutMs, report, warn } = request;
  const { clock } = client.options.deadline;
  const lanes = new Set<Lane>();
  const watched: ReportSink = { write: (chunk) => writeReport(state, sink, chunk) };
  const reporter = createReporter({ format: report, sink: watched, release: (batch) => release(state, batch) });
  const sender = openSender(
    client,
    {
      acks,
      identity,
      warn,
      onTopics,
      hasDeliveryTimeout: deliveryTimeoutMs !== undefined,
      // In the request it is an int32.
      timeoutMs: Math.min((deliveryTimeoutMs ?? 0) + produceTimeoutMs, maxTimerMs),
      onDelivered(batch, baseOffset, logAppendTimeMs) {
        state.acknowledged += batch.records;
        request.onDelivered(batch.records);
        reporter.report(batch, baseOffset, logAppendTimeMs);
      },
      onProgress() {
        // After a failure more input cannot be delivered.
        if (sender.failure !== undefined) stopReading();
        if (state.isIdle) flushIdle(state);
        notify(state);
      },
    },
    lanes,
  );
  const onExpired = (error: CliError): void => {
    state.isExpired = true;
    sender.fail(error);
  };
  const state: State = {
    client,
    request,
    clock,
    identity,
    lanes,
    open: new Set(),
    openBytes: 0,
    writers: [],
    freeBytes: 0,
    sender,
    reporter,
    expiry:
      deliveryTimeoutMs === undefined
        ? undefined
        : openExpiry({ clock, lanes, timeoutMs: deliveryTimeoutMs, onExpired }),
    isExpired: false,
    sinkFailure: undefined,
    acknowledged: 0,
    bufferedBytes: 0,
    taken: 0,
    isIdle: false,
    waiters: new Set(),
    onRoom: () => notify(state),
  };
  return state;
}

/** Writes a report; a failure wakes everything that waits for it to be printed. */
function writeReport(state: State, sink: ReportSink, chunk: Uint8Array): Promise<void> | undefined {
  const failed = (error: unknown): never => {
    state.sinkFailure ??= error;
    notify(state);
    throw error;
  };
  try {
    return sink.write(chunk)?.catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function notify({ waiters }: State): void {
  const waiting = [...waiters];
  waiters.clear();
  for (const wake of waiting) wake();
}

function isFull(state: State): boolean {
  if (failureOf(state) !== undefined || state.client.options.deadline.signal.aborted) return true;
  return isCrowded(state);
}

function failureOf({ sender, reporter, sinkFailure }: State): unknown {
  return sender.failure ?? sinkFailure ?? reporter.failure;
}

/** Waits until `isDone`; `sealSome` closes batches so that this can happen. @throws the first failure */
async function settleUntil(state: State, isDone: () => boolean, sealSome: (state: State) => void): Promise<void> {
  const { signal } = state.client.options.deadline;
  for (;;) {
    signal.throwIfAborted();
    const failure = failureOf(state);
    if (failure !== undefined) throw failure;
    sealSome(state);
    state.sender.pump();
    if (isDone()) return;
    await changed(state);
  }
}

/** Resolves at the next change of state; test the condition in the same tick as this is called. */
function changed({ waiters }: State): Promise<void> {
  return new Promise((resolve) => {
    waiters.add(resolve);
  });
}

async function drain(state: State): Promise<void> {
  try {
    await settleUntil(state, () => state.bufferedBytes === 0, sealAll);
    await state.sender.settled();
    await state.reporter.flush();
  } catch (error) {
    await reportRest(state);
    throw error;
  }
}

/** Waits for the answers to the requests in flight, unless time is up, and for acknowledged records to be printed. */
async function reportRest(state: State): Promise<void> {
  const { sender, reporter, client } = state;
  const { signal } = client.options.deadline;
  // This stops sending.
  sender.fail(failureOf(state) ?? signal.reason);
  while (sender.isBusy && !state.isExpired && !signal.aborted) await changed(state);
  const isPrintable = state.sinkFailure === undefined && reporter.failure === undefined && !signal.aborted;
  if (isPrintable) await reporter.flush().catch(() => undefined);
}
