import { type End, watchEnd } from '../../command-end.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf } from '../../errors.ts';
import { keyOf } from '../kinds/kind.ts';
import type { KindPlan, PlannedChange } from './plan.ts';
import { changeText, isLeft } from './plan-rows.ts';
import { needsFailure, notSent, sendingUntil } from './sending.ts';

/** What became of a change: it may have been made by somebody else since. */
export interface ChangeOutcome {
  readonly error: ItemError | null;
  readonly status?: 'NOT_NEEDED' | undefined;
}

interface Application {
  readonly context: Context;
  readonly outcomes: Map<PlannedChange, ChangeOutcome>;
  /** The keys of the rows that failed or were left out. */
  readonly failed: Set<string>;
  readonly end: End;
}

/** Reads what the changes of a plan need of this machine. @throws CliError (exit 2) for what is not there */
export async function preparePlan(context: Context, plan: readonly PlannedChange[]): Promise<void> {
  for (const [{ kind, scope, existing }, changes] of Map.groupBy(plan, (change) => change.by))
    await kind.prepare?.(context, { changes, scope, existing });
}

/**
 * Makes the changes of a plan, round by round. Each is read again just before: what others have changed since is left
 * alone. What does not depend on a failure goes on. A signal ends it after the request that is on
 * its way.
 */
export async function applyPlan(context: Context, plan: readonly PlannedChange[]): Promise<readonly ChangeOutcome[]> {
  const end = watchEnd(context);
  const application: Application = { context, outcomes: new Map(), failed: new Set(), end };
  try {
    for (const [, round] of Map.groupBy(plan, (change) => change.by.kind.order(change)))
      for (const [by, changes] of Map.groupBy(round, (change) => change.by)) await applyRound(application, by, changes);
  } finally {
    end.forget();
  }
  return plan.map((change) => application.outcomes.get(change) ?? { error: null });
}

async function applyRound(application: Application, by: KindPlan, changes: readonly PlannedChange[]): Promise<void> {
  const { context, failed, end } = application;
  const skipped = changes.filter(({ needs = [] }) => needs.some((key) => failed.has(key)));
  settle(application, skipped, () => needsFailure);
  const due = changes.filter((change) => !skipped.includes(change));
  const why = end.why();
  if (why !== undefined) return settle(application, due, () => notSent(why));
  try {
    const fresh = await end.answer(current(application, by, due));
    if (fresh.changes.length === 0) return;
    const sending = sendingUntil(end);
    await by.kind.apply(context, { changes: fresh.changes, scope: by.scope, existing: fresh.existing }, sending);
    const lost = fresh.changes.filter(({ name }) => isOfOther(sending.errors.get(name)));
    // If they cannot be read again, what they ended with is what is known of them.
    if (lost.length > 0) await end.answer(settleLost(application, by, lost)).catch(unlessReported);
    const open = fresh.changes.filter((change) => !application.outcomes.has(change));
    settle(application, open, ({ name }) => sending.errors.get(name) ?? null);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const left = due.filter((change) => !application.outcomes.has(change));
    settle(application, left, () => itemErrorOf(error));
  }
}

function unlessReported(error: unknown): void {
  if (!(error instanceof CliError)) throw error;
}

/** Whether somebody else may have made, grown or deleted the same between the reading and the request. */
function isOfOther(error: ItemError | undefined): boolean {
  const { exit_code: exitCode, code } = error ?? {};
  return exitCode === exitCodes.conflict || exitCode === exitCodes.notFound || code === 'INVALID_PARTITIONS';
}

/** The first pause before the cluster is read again, and the longest one, in milliseconds. */
const firstPauseMs = 50;
const longestPauseMs = 800;

/**
 * Settles what others have changed. The controller refuses a change before the brokers show why, so they are read again
 * for a while.
 */
async function settleLost(application: Application, by: KindPlan, lost: readonly PlannedChange[]): Promise<void> {
  const { clock, signal } = application.context;
  let { changes } = await current(application, by, lost);
  for (let pauseMs = firstPauseMs; changes.length > 0 && pauseMs <= longestPauseMs; pauseMs *= 2) {
    await clock.sleep(pauseMs, signal);
    changes = (await current(application, by, changes)).changes;
  }
}

/** Reads what a round changes again, and settles what is not as it was planned. */
async function current(application: Application, by: KindPlan, changes: readonly PlannedChange[]) {
  const { context } = application;
  const wanted = new Map(
    changes.flatMap(({ name }) => {
      const one = by.scope.wanted.get(name);
      return one === undefined ? [] : [[name, one] as const];
    }),
  );
  const scope = { wanted, owns: by.scope.owns };
  const existing = await by.kind.read(context, scope);
  const rows = new Map(
    by.kind
      .compare(scope, existing, by.options)
      .filter((row) => !isLeft(row))
      .map((row) => [row.name, row]),
  );
  const due: PlannedChange[] = [];
  for (const change of changes) {
    const now = rows.get(change.name);
    if (now === undefined) application.outcomes.set(change, { error: null, status: 'NOT_NEEDED' });
    else if (changeText(now) === changeText(change)) due.push(change);
    else settle(application, [change], () => changedSince);
  }
  return { changes: due, existing };
}

const changedSince: ItemError = {
  code: 'CHANGED_SINCE_PLAN',
  number: null,
  message: 'somebody else has changed it since the plan was made',
  retryable: true,
  exit_code: exitCodes.conflict,
};

function settle(
  { outcomes, failed }: Pick<Application, 'outcomes' | 'failed'>,
  changes: readonly PlannedChange[],
  errorOf: (change: PlannedChange) => ItemError | null,
): void {
  for (const change of changes) {
    const error = errorOf(change);
    outcomes.set(change, { error });
    if (error !== null) failed.add(keyOf(change));
  }
}
