import type { Deadline } from '../../../deadline.ts';
import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { type RetryCourse, startCourse } from '../../../net/retry.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { codes } from '../wire/error-codes.ts';
import type { Answered, Located, Outcome, Question } from './question.ts';
import { isNotDone, remedyOf } from './remedy.ts';
import type { Router } from './router.ts';
import { isPartition, nameOfTarget, nowhereError, type Target } from './targets.ts';

/** How long to retry a topic that the cluster does not know, in milliseconds: it may be new, or mistyped. */
const unknownTopicMs = 5_000;
const unknownTopicCodes: ReadonlySet<number> = new Set([codes.UNKNOWN_TOPIC_OR_PARTITION, codes.UNKNOWN_TOPIC_ID]);
/** The code for an item that the answer leaves out: UNKNOWN_SERVER_ERROR. */
const leftOut = codes.UNKNOWN_SERVER_ERROR;
const unsureText = 'may have been carried out';
const leftOutText = "the broker's answer leaves it out";

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
  const located = await router.places.locate(targets).catch((error: unknown) => failureOf(asking, error));
  if (located instanceof CliError) {
    const failed = open.map((one) => ({ ...one, row: undefined, error: located }));
    if (located.retryable && !deadline.signal.aborted) return askAgain(asking, failed, course);
    return end(asking, failed);
  }
  const nowhere: Open<Item, Row>[] = [];
  const groups = new Map<Target, { readonly open: Open<Item, Row>; readonly leaderEpoch: number }[]>();
  const nodes = new Map<number, Target>();
  for (const one of open) {
    const place = located.get(nameOfTarget(one.target));
    if (place !== undefined && 'code' in place) {
      const error = nowhereError(one.target, place, router.places.source);
      const judged = noted<Item, Row>({ ...one, row: undefined, error }, place.code, course);
      const isFinal = asking.question.reportsLeaderless === true && place.code === codes.LEADER_NOT_AVAILABLE;
      if (!isFinal && mayAskAgain(asking, place.code, { open: judged, course })) nowhere.push(judged);
      else end(asking, [judged]);
      continue;
    }
    const target = place === undefined ? one.target : (nodes.get(place.node) ?? { node: place.node });
    if (place !== undefined) nodes.set(place.node, target);
    const group = groups.get(target);
    const entry = { open: one, leaderEpoch: place?.leaderEpoch ?? -1 };
    if (group === undefined) groups.set(target, [entry]);
    else group.push(entry);
  }
  await Promise.all([
    askAgain(asking, nowhere, course.fork()),
    ...[...groups].map(async ([target, entries]) => {
      const left = await askBroker(asking, { target, entries }, course);
      await askAgain(asking, left, course.fork());
    }),
  ]);
}

/** The items of one broker. */
interface Group<Item, Row> {
  readonly target: Target;
  readonly entries: readonly { readonly open: Open<Item, Row>; readonly leaderEpoch: number }[];
}

/** Sends one request; returns the items to ask about again. */
async function askBroker<Item, Row>(
  asking: Asking<Item, Row>,
  { target, entries }: Group<Item, Row>,
  course: RetryCourse,
): Promise<readonly Open<Item, Row>[]> {
  const { router, deadline, question } = asking;
  const items = entries.map(({ open: { item }, leaderEpoch }): Located<Item> => ({ item, leaderEpoch }));
  const asked = typeof target === 'object' && 'node' in target ? { node: target.node } : {};
  let answer: Answered<Item, Row>;
  try {
    answer = await question.send((api, request) => router.send(api, request, target), items);
  } catch (thrown) {
    const error = failureOf(asking, thrown);
    const failed = entries.map(({ open }) => ({ ...open, row: undefined, error }));
    const isFinal = !error.retryable || deadline.signal.aborted;
    asking.isCut ||= deadline.signal.aborted;
    const ending = deadline.signal.aborted && question.api.changes ? { ending: `the request ${unsureText}` } : {};
    if (isFinal) {
      end(
        asking,
        failed.map((one) => ({ ...one, ...ending })),
      );
    }
    for (const { target: own } of failed) router.places.forget(own);
    return isFinal ? [] : failed;
  }
  return entries.flatMap(({ open }) => {
    const row = answer.rowOf(open.item);
    const code = answer.errorCode || (row?.errorCode ?? leftOut);
    if (code === 0) {
      asking.outcomes[open.index] = { item: open.item, row, error: undefined, ...asked };
      return [];
    }
    const text = answer.errorCode !== 0 ? answer.errorMessage : row === undefined ? leftOutText : row.errorMessage;
    const error = kafkaError(code, `unable to ${question.what(open.item)}: ${kafkaErrorText(code, text)}`);
    const judged = noted({ ...open, row, error, ...asked }, code, course);
    const remedy = remedyOf(code);
    if (remedy !== undefined && remedy !== 'again') router.places.forget(open.target);
    if (mayAskAgain(asking, code, { open: judged, course })) return [judged];
    end(asking, [judged]);
    return [];
  });
}

/** Adds the time of the first of several consecutive answers that report the topic as unknown. */
function noted<Item, Row>(open: Open<Item, Row>, code: number, course: RetryCourse): Open<Item, Row> {
  const { unknownSinceMs, ...known } = open;
  return unknownTopicCodes.has(code) ? { ...known, unknownSinceMs: unknownSinceMs ?? course.elapsedMs() } : known;
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
  const remedy = remedyOf(code);
  if (remedy === undefined || (remedy === 'leader' && !isPartition(open.target))) return false;
  // Counted from the first such answer: earlier failures for other reasons say nothing about the topic.
  const unknownMs = course.elapsedMs() - (open.unknownSinceMs ?? course.elapsedMs());
  if (unknownTopicCodes.has(code) && unknownMs >= unknownTopicMs) return false;
  return question.api.repeatable || isNotDone(code);
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
