import type { Deadline } from '../../../deadline.ts';
import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { type RetryCourse, startCourse } from '../../../net/retry.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import { codes } from '../wire/error-codes.ts';
import type { Node } from './metadata-cache.ts';
import type { Outcome, Question } from './question.ts';
import { isDisabled } from './redpanda.ts';
import type { Router } from './router.ts';
import { type BrokerError, isPartition, type Target, unlocatedError } from './targets.ts';

/** How long to retry a topic that the cluster does not know, in milliseconds: it may be new, or mistyped. */
const unknownTopicMs = 5_000;
const unknownTopicCodes: ReadonlySet<number> = new Set([codes.UNKNOWN_TOPIC_OR_PARTITION, codes.UNKNOWN_TOPIC_ID]);
/** The code for an item that the answer leaves out: UNKNOWN_SERVER_ERROR. */
const leftOut = codes.UNKNOWN_SERVER_ERROR;
const unsureText = 'may have been carried out';
/** The text of the error for an item that the answer leaves out. */
export const leftOutText = "the broker's answer leaves it out";

interface Asking<Item, Row> {
  readonly router: Router;
  readonly deadline: Deadline;
  readonly question: Question<Item, Row>;
  /** Sends no second request for an item. */
  readonly isOnce: boolean;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
  /** By the index of the item. */
  readonly outcomes: Outcome<Item, Row>[];
  /** Whether the command was stopped while a request was being sent or carried out. */
  isCut: boolean;
}

/** An item that has no outcome yet. */
interface Open<Item, Row> extends Pick<Outcome<Item, Row>, 'item' | 'row' | 'node' | 'ending'> {
  readonly index: number;
  readonly target: Target;
  /** Why the previous attempt failed. */
  readonly error: CliError;
  /** When the cluster first reported the topic as unknown, on the clock of the retries; undefined: it has not. */
  readonly unknownSinceMs?: number;
}

const notAsked = new CliError(exitCodes.unreachable, 'no request was sent');

/** Implements `Client.ask`. The items of each broker proceed independently, so that a slow broker delays no others. */
export async function ask<Item, Row>(
  parts: Pick<Asking<Item, Row>, 'router' | 'deadline' | 'question' | 'isOnce' | 'closed'>,
  items: readonly Item[],
): Promise<readonly Outcome<Item, Row>[]> {
  const asking: Asking<Item, Row> = { ...parts, outcomes: new Array(items.length), isCut: false };
  const open = items.map((item, index) => ({
    index,
    item,
    target: parts.question.target(item),
    row: undefined,
    error: notAsked,
  }));
  const { deadline, closed, question } = parts;
  if (open.length > 0)
    await settle(asking, open, startCourse(deadline, question.api.name, deadline.clock, { signal: closed }));
  if (deadline.signal.aborted && !isWorthReporting(asking)) throw stopReason(asking);
  return asking.outcomes;
}

/** The reason of the deadline's signal; if a change was being made, with the hint that it may have been. */
function stopReason<Item, Row>({ question, deadline, isCut }: Asking<Item, Row>): unknown {
  const reason: unknown = deadline.signal.reason;
  if (!(reason instanceof CliError) || question.api.changes !== true || !isCut) return reason;
  return withHints(reason, [`the ${question.api.name} request ${unsureText}; check before you repeat the command`]);
}

/** Whether the outcomes of a command that was stopped say more than that: what was changed, or what was refused. */
function isWorthReporting<Item, Row>({ question, deadline: { signal }, outcomes }: Asking<Item, Row>): boolean {
  const stopped = outcomes.filter(({ error }) => error !== undefined && error === signal.reason);
  return stopped.length === 0 || (question.api.changes === true && stopped.length < outcomes.length);
}

/** The failure of a request; the reason of the deadline's signal if that ended it. @throws every other error */
function failureOf({ deadline: { signal } }: Pick<Asking<unknown, unknown>, 'deadline'>, error: unknown): CliError {
  const failure: unknown = signal.aborted ? signal.reason : error;
  if (failure instanceof CliError) return failure;
  throw failure;
}

/** Finds the brokers of the items and sends each of them a request. */
async function settle<Item, Row>(
  asking: Asking<Item, Row>,
  open: readonly Open<Item, Row>[],
  course: RetryCourse,
): Promise<void> {
  const { router, deadline } = asking;
  const targets = open.map(({ target }) => target);
  const locationOf = await router.cache.locate(targets).catch((error: unknown) => failureOf(asking, error));
  if (locationOf instanceof CliError) {
    const failed = open.map((one) => ({ ...one, row: undefined, error: locationOf }));
    if (locationOf.retryable && !deadline.signal.aborted) return askAgain(asking, failed, course);
    return end(asking, failed);
  }
  const unlocated: Open<Item, Row>[] = [];
  const byNode = new Map<Node, Group<Item, Row>>();
  for (const one of open) {
    const location = locationOf(one.target);
    if ('code' in location) {
      unlocated.push(...judgeUnlocated(asking, one, { reason: location, course }));
      continue;
    }
    const { node, leaderEpoch } = location;
    const group: Group<Item, Row> = byNode.get(node) ?? { node, open: [], epochs: new Map() };
    group.open.push(one);
    group.epochs.set(one.item, leaderEpoch);
    byNode.set(node, group);
  }
  await Promise.all([
    askAgain(asking, unlocated, course.fork()),
    ...[...byNode.values()].map(async (group) => {
      const left = await askBroker(asking, group, course);
      await askAgain(asking, left, course.fork());
    }),
  ]);
}

/** Judges an item whose broker is not known: returns it if it is to be asked about again, otherwise ends it. */
function judgeUnlocated<Item, Row>(
  asking: Asking<Item, Row>,
  one: Open<Item, Row>,
  { reason, course }: { readonly reason: BrokerError; readonly course: RetryCourse },
): readonly Open<Item, Row>[] {
  const { question, router } = asking;
  const { code } = reason;
  const error = unlocatedError(one.target, reason, router.cache.source);
  const judged = noted<Item, Row>({ ...one, row: undefined, error }, code, course);
  const isLeaderless = question.reportsLeaderless === true && code === codes.LEADER_NOT_AVAILABLE;
  const isFinal = isLeaderless || isDisabled(code);
  if (!isFinal && mayAskAgain(asking, code, { open: judged, course })) return [judged];
  end(asking, [judged]);
  return [];
}

/** The items of one broker. */
interface Group<Item, Row> {
  readonly node: Node;
  readonly open: Open<Item, Row>[];
  /** The leader epoch of each partition, as the metadata has it; -1 when unknown. */
  readonly epochs: Map<Item, number>;
}

/** Sends one request; returns the items to ask about again. */
async function askBroker<Item, Row>(
  asking: Asking<Item, Row>,
  { node, open, epochs }: Group<Item, Row>,
  course: RetryCourse,
): Promise<readonly Open<Item, Row>[]> {
  const { question, router } = asking;
  const items = open.map(({ item }) => item);
  let response: unknown;
  let rows: ReturnType<typeof question.rows>;
  try {
    const request = question.request(items, (item) => epochs.get(item) ?? -1);
    response = await router.send(question.api, request, node);
    rows = question.rows(response, items);
  } catch (error) {
    return judgeFailure(asking, open, failureOf(asking, error));
  }
  const whole = { code: question.api.errorCode(response), text: question.api.errorMessage(response) };
  const asked = node === 'any' ? {} : { node };
  return open.flatMap((one, index) => judgeRow(asking, { ...one, row: rows[index], ...asked }, { whole, course }));
}

/** Judges the items of a request without an answer: returns those to ask about again, and ends the others. */
function judgeFailure<Item, Row>(
  asking: Asking<Item, Row>,
  open: readonly Open<Item, Row>[],
  error: CliError,
): readonly Open<Item, Row>[] {
  const { router, deadline, question } = asking;
  const isStopped = deadline.signal.aborted;
  asking.isCut ||= isStopped;
  for (const { target } of open) router.cache.forget(target);
  const failed = open.map((one) => ({ ...one, row: undefined, error }));
  if (error.retryable && !isStopped) return failed;
  const ending = isStopped && question.api.changes ? { ending: `the request ${unsureText}` } : {};
  end(
    asking,
    failed.map((one) => ({ ...one, ...ending })),
  );
  return [];
}

/** Judges the row of an item: returns the item if it is to be asked about again, otherwise ends it. */
function judgeRow<Item, Row>(
  asking: Asking<Item, Row>,
  open: Open<Item, Row>,
  { whole, course }: { readonly whole: BrokerError; readonly course: RetryCourse },
): readonly Open<Item, Row>[] {
  const { question, router, outcomes } = asking;
  const { index, item, row, node } = open;
  const code = whole.code || (row?.errorCode ?? leftOut);
  if (code === 0) {
    outcomes[index] = { item, row, error: undefined, ...(node !== undefined && { node }) };
    return [];
  }
  const text = whole.code !== 0 ? whole.text : row === undefined ? leftOutText : row.errorMessage;
  const error = kafkaError(code, `unable to ${question.what(item)}: ${kafkaErrorText(code, text)}`);
  const judged = noted({ ...open, error }, code, course);
  const { remedy } = kafkaErrorKind(code);
  if (remedy !== undefined && remedy !== 'retry') router.cache.forget(open.target);
  if (mayAskAgain(asking, code, { open: judged, course })) return [judged];
  end(asking, [judged]);
  return [];
}

/** Adds the time of the first of several consecutive answers that report the topic as unknown. */
function noted<Item, Row>(open: Open<Item, Row>, code: number, course: RetryCourse): Open<Item, Row> {
  const { unknownSinceMs, ...item } = open;
  return unknownTopicCodes.has(code) ? { ...item, unknownSinceMs: unknownSinceMs ?? course.elapsedMs() } : item;
}

/**
 * Whether the retry rule applies to an error code. A code that calls for another leader is final when the target is not
 * a partition leader: the controller knows which topics exist.
 */
function mayAskAgain<Item, Row>(
  { question }: Asking<Item, Row>,
  code: number,
  { open, course }: { readonly open: Open<Item, Row>; readonly course: RetryCourse },
): boolean {
  const { remedy, notDone } = kafkaErrorKind(code);
  if (remedy === undefined || (remedy === 'find leader' && !isPartition(open.target))) return false;
  // Counted from the first such answer: earlier failures for other reasons say nothing about the topic.
  const unknownMs = course.elapsedMs() - (open.unknownSinceMs ?? course.elapsedMs());
  if (unknownTopicCodes.has(code) && unknownMs >= unknownTopicMs) return false;
  return question.api.repeatable || notDone;
}

async function askAgain<Item, Row>(
  asking: Asking<Item, Row>,
  open: readonly Open<Item, Row>[],
  course: RetryCourse,
): Promise<void> {
  const [first] = open;
  if (first === undefined) return;
  if (asking.isOnce) return end(asking, open);
  let goesOn: boolean;
  try {
    goesOn = await course.again(first.error);
  } catch (thrown) {
    if (!asking.deadline.signal.aborted) throw thrown;
    const error = failureOf(asking, thrown);
    return end(
      asking,
      open.map((one) => ({ ...one, row: undefined, error })),
    );
  }
  if (goesOn) return settle(asking, open, course);
  const ending = course.ending();
  end(
    asking,
    open.map((one) => {
      // Without a row, the error itself is shown, which says it.
      const isSaid = ending === undefined || (one.row?.errorCode ?? 0) === 0;
      return { ...one, error: course.last(one.error), ...(!isSaid && { ending }) };
    }),
  );
}

function end<Item, Row>({ outcomes }: Asking<Item, Row>, open: readonly Open<Item, Row>[]): void {
  for (const { index, item, row, error, node, ending } of open)
    outcomes[index] = {
      item,
      row,
      error,
      ...(node !== undefined && { node }),
      ...(ending !== undefined && { ending }),
    };
}
