import { CliError, exitCodes } from '../../../errors.ts';
import { backoffMs, gaveUp, longFailureMs } from '../../../net/retry.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { isDisabled } from '../../protocol/client/redpanda.ts';
import { isRetriable, kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import { describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { type Batch, type Lane, laneName } from './lane.ts';
import { hasNewTopic, needsLeader, resume } from './lane-flow.ts';
import { isInDoubt } from './lane-recovery.ts';
import { forgottenWarning } from './loss.ts';
import { clearDoubt, moveLane, type RecoveryOptions, recoverLane } from './recovery.ts';

/** Receives the topics of a metadata answer. */
export type TopicsListener = (topics: readonly TopicMetadata[]) => void;

/** The options of a seeker. */
export interface SeekerOptions extends RecoveryOptions {
  /** Whether a delivery timeout bounds every record; otherwise the retry rule ends the search. */
  readonly hasDeliveryTimeout: boolean;
  readonly onTopics: TopicsListener;
  /** Called for a lane where it is known again what is in the log. */
  onCertain(lane: Lane): void;
  /** Called when lanes have a leader again. */
  onResumed(): void;
  fail(error: unknown): void;
}

/** Clears up the trouble of lanes: waits as the retry rule says, finds the leader and, if needed, what it has. */
export interface Seeker {
  /** Adds a lane that is in trouble and has nothing in flight. */
  add(lane: Lane): void;
  /** Schedules a search if a lane in trouble has something to send. */
  look(): void;
  close(): void;
}

/** Lanes whose pause ends within this time, in milliseconds, are searched for together. */
const togetherMs = 100;

interface Seeking {
  readonly options: SeekerOptions;
  readonly lanes: Set<Lane>;
  /** The batches that the user was warned of, because their leader may have forgotten the producer. */
  readonly warned: WeakSet<Batch>;
  /** How long brokers remember an idle producer, in milliseconds. */
  expiration: Promise<number> | undefined;
  cancel: (() => void) | undefined;
  isRunning: boolean;
  isClosed: boolean;
  /** The failure that was reported last. */
  told: unknown;
}

/** Opens a seeker that runs one search at a time, for all lanes that wait for one. */
export function openSeeker(options: SeekerOptions): Seeker {
  const seeking: Seeking = {
    options,
    lanes: new Set(),
    warned: new WeakSet(),
    expiration: undefined,
    cancel: undefined,
    isRunning: false,
    isClosed: false,
    told: undefined,
  };
  return {
    add(lane) {
      if (seeking.lanes.has(lane)) return;
      seeking.lanes.add(lane);
      pause(seeking, lane, lane.trouble?.error);
    },
    look: () => look(seeking),
    close() {
      seeking.isClosed = true;
      seeking.cancel?.();
      seeking.cancel = undefined;
    },
  };
}

/** Applies the retry rule: the limit is checked only before a pause. */
function pause(seeking: Seeking, lane: Lane, error: unknown): void {
  // The production has ended: nothing is retried any more.
  if (seeking.isClosed) return;
  const { options } = seeking;
  const { deadline } = options.client.options;
  const { clock, limits } = deadline;
  const now = clock.now();
  const [first] = lane.queue;
  if (first !== undefined) {
    first.firstSentAt ??= now;
    const elapsedMs = now - first.firstSentAt;
    const isOverdue = !options.hasDeliveryTimeout && elapsedMs >= limits.retryMs;
    if (!isRetriable(error) || isOverdue) {
      const attempts = { what: 'Produce', failures: lane.failures, elapsedMs };
      options.fail(isRetriable(error) ? gaveUp(error, deadline, attempts) : error);
      return;
    }
  }
  const afterMs = backoffMs(Math.max(1, lane.failures), clock.random);
  lane.seekAt = now + afterMs;
  // A lost connection is one failure, however many lanes used it.
  if (!(error instanceof CliError) || error === seeking.told) return;
  seeking.told = error;
  const isLong = now - (first?.firstSentAt ?? now) >= longFailureMs;
  deadline.failed(error, { what: `attempt ${lane.failures + 1} of Produce`, afterMs, isLong });
}

function look(seeking: Seeking): void {
  if (seeking.isClosed || seeking.isRunning || seeking.cancel !== undefined) return;
  // A background metadata refresh may already have cleared up a lane.
  for (const lane of seeking.lanes) if (lane.trouble === undefined) seeking.lanes.delete(lane);
  const waiting = [...seeking.lanes].filter(needsLeader);
  if (waiting.length === 0) return;
  const { clock } = seeking.options.client.options.deadline;
  const at = waiting.reduce((least, { seekAt }) => Math.min(least, seekAt), Number.POSITIVE_INFINITY);
  seeking.cancel = clock.after(Math.max(0, at - clock.now()), () => {
    seeking.cancel = undefined;
    void seek(seeking);
  });
}

/** Runs one search; never rejects. */
async function seek(seeking: Seeking): Promise<void> {
  const { client, onTopics, onResumed } = seeking.options;
  const until = client.options.deadline.clock.now() + togetherMs;
  const lanes = [...seeking.lanes].filter((lane) => needsLeader(lane) && lane.seekAt <= until);
  if (lanes.length === 0) return;
  seeking.isRunning = true;
  try {
    const { topics } = await client.metadata([...new Set(lanes.map((lane) => lane.topic))]);
    onTopics(topics);
    await Promise.all(lanes.map((lane) => clearUp(seeking, lane, topics)));
  } catch (error) {
    for (const lane of lanes) failed(seeking, lane, error);
  }
  seeking.isRunning = false;
  onResumed();
}

/** Continues with a lane once its leader is known and the state of the producer is recovered; never rejects. */
async function clearUp(seeking: Seeking, lane: Lane, topics: readonly TopicMetadata[]): Promise<void> {
  const topic = topics.find(({ name }) => name === lane.topic);
  const { leader = -1, errorCode = 0 } = topic?.partitions.find(({ partition }) => partition === lane.partition) ?? {};
  try {
    if (leader < 0) throw noLeader(lane, topic?.errorCode || (isDisabled(errorCode) ? errorCode : 0));
    const { id = noUuid } = topic ?? {};
    // Another broker has already reported a newer topic of this name.
    if (id !== noUuid && lane.current.former.has(id)) throw noLeader(lane, codes.UNKNOWN_TOPIC_ID);
    const isRenumbered = hasNewTopic(lane) && (await moveLane(lane, seeking.options));
    if (lane.trouble?.lostTrack && !isRenumbered) await recoverLane(lane, leader, seeking.options);
    if (isInDoubt(lane)) {
      await clearDoubt(lane, leader, seeking.options);
      seeking.options.onCertain(lane);
    }
    if ((lane.identity ?? seeking.options.identity).producerId >= 0n) await warnOfForgotten(seeking, lane, leader);
    seeking.lanes.delete(lane);
    resume(lane, leader);
  } catch (error) {
    failed(seeking, lane, error);
  }
}

function failed(seeking: Seeking, lane: Lane, error: unknown): void {
  lane.failures += 1;
  pause(seeking, lane, error);
}

/** The error for a partition without a leader; `code` is the error code of its topic, or of a disabled partition. */
export function noLeader(lane: Lane, code = 0): CliError {
  const what = `unable to produce to ${laneName(lane)}`;
  const { topic: target } = lane;
  if (code !== 0) {
    const retryable = kafkaErrorKind(code).retriable && !isDisabled(code);
    return kafkaError(code, `${what}: ${kafkaErrorText(code)}`, { target, retryable });
  }
  const details = { code: 'LEADER_NOT_AVAILABLE', target, retryable: true };
  return new CliError(exitCodes.unreachable, `${what}: the partition has no leader`, details);
}

/** Younger batches are never asked about, in milliseconds. */
const leastAgeMs = 5_000;
/** The default of `producer.id.expiration.ms`, for brokers that do not show theirs. */
const defaultExpirationMs = 86_400_000;
const expirationKey = 'producer.id.expiration.ms';

/**
 * Warns of the lane's uncertain batches that are so old, before they are sent again, that their leader may have forgotten
 * the producer and cannot recognize a repetition. Kafka counts from the timestamp of the producer's last record in the
 * partition, which is when that was read. The brokers are asked at most once; never rejects.
 */
async function warnOfForgotten(seeking: Seeking, lane: Lane, leader: number): Promise<void> {
  const { client, warn } = seeking.options;
  const { clock } = client.options.deadline;
  const batches = lane.queue.filter((batch) => batch.isUncertain && !seeking.warned.has(batch));
  const ages = batches.map((one) => Math.max(clock.now() - one.createdAt, clock.wallTime() - one.createdWallMs));
  const ageMs = Math.max(0, ...ages);
  if (ageMs < leastAgeMs) return;
  seeking.expiration ??= readExpiration(client, leader).catch(() => defaultExpirationMs);
  const expirationMs = await seeking.expiration;
  if (ageMs < expirationMs) return;
  for (const batch of batches) seeking.warned.add(batch);
  warn(forgottenWarning(lane, batches, { ageMs, expirationMs }));
}

async function readExpiration(client: Client, node: number): Promise<number> {
  const resource = {
    resourceType: resourceTypes.broker,
    resourceName: String(node),
    configurationKeys: [expirationKey],
  };
  const { results } = await client.requestOnce(describeConfigs, { resources: [resource] }, { node });
  const value = Number(results[0]?.configs.find(({ name }) => name === expirationKey)?.value ?? Number.NaN);
  return value > 0 ? value : defaultExpirationMs;
}
