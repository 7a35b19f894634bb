import type { Context } from '../../context.ts';
import { CliError, exitCodes, itemErrorOf, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import type { ClusterFile } from '../file/document.ts';
import { type Change, type Kind, keyOf, type PlanOptions, type Scope, type Wanted } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { refused } from '../kinds/refusal.ts';
import { matcherOf } from './ownership.ts';
import { checkingWith, needsFailure } from './sending.ts';

/** What a kind has to change, with what it needs for that. */
export interface KindPlan {
  readonly kind: Kind;
  readonly scope: Scope<Wanted>;
  readonly existing: unknown;
  readonly options: PlanOptions;
}

/** A change, and the kind that makes it. */
export interface PlannedChange extends Change {
  readonly by: KindPlan;
}

/** The id of the cluster; null for one without. */
export async function clusterIdOf(context: Context): Promise<string | null> {
  return (await (await context.kafka()).clusterInfo('none')).cluster_id;
}

/** Refuses another cluster than that of the files. @throws CliError (exit 6) */
export async function checkCluster(context: Context, { clusterId }: ClusterFile): Promise<void> {
  if (clusterId === undefined) return;
  const id = await clusterIdOf(context);
  if (id === clusterId) return;
  throw new CliError(
    exitCodes.conflict,
    `the files are for the cluster ${clusterId}, and this is ${id ?? 'one without an id'}`,
    {
      code: 'OTHER_CLUSTER',
      target: clusterId,
    },
  );
}

/** Reads the cluster and compares it with the files: the changes, in the order in which they are made. */
export async function makePlan(
  context: Context,
  file: ClusterFile,
  options: PlanOptions,
): Promise<readonly PlannedChange[]> {
  const stranger = options.rotate.find((name) => !Object.hasOwn((file.sections.users ?? {}) as object, name));
  if (stranger !== undefined) throw usageError(`the files have no user "${stranger}"`, { target: '--rotate' });
  for (const warning of file.warnings) context.warn(warning);
  if (options.prune && Object.values(file.owns).every((patterns) => patterns.length === 0))
    context.warn('--prune deletes nothing: the files own nothing (owns)');
  await checkCluster(context, file);
  const plans = await Promise.all(kinds.map((kind) => planOf(context, { kind, file, options })));
  const changes = await Promise.all(plans.map((plan) => changesOf(context, plan)));
  return changes
    .flat()
    .map((change) => ({ change, order: change.action === 'keep' ? Infinity : change.by.kind.order(change) }))
    .sort((a, b) => a.order - b.order)
    .map(({ change }) => change);
}

/** What the files have of a kind. */
export function scopeOf(kind: Kind, file: ClusterFile): Scope<Wanted> {
  const wanted = new Map(kind.wanted(file.sections, file.defaults).map((one) => [one.name, one]));
  const [first = ''] = kind.ownedBy;
  const matchers = new Map(
    kind.ownedBy.flatMap((field) => {
      const matcher = matcherOf(file.owns[field] ?? []);
      return matcher === undefined ? [] : [[field, matcher] as const];
    }),
  );
  if (matchers.size === 0) return { wanted, owns: undefined };
  return { wanted, owns: (name, field = first) => matchers.get(field)?.(name) === true };
}

async function planOf(
  context: Context,
  { kind, file, options }: { readonly kind: Kind; readonly file: ClusterFile; readonly options: PlanOptions },
): Promise<KindPlan | PlannedChange> {
  const scope = scopeOf(kind, file);
  const plan: KindPlan = { kind, scope, existing: undefined, options };
  if (scope.wanted.size === 0 && scope.owns === undefined) return plan;
  try {
    return { ...plan, existing: await kind.read(context, scope) };
  } catch (error) {
    if (!(error instanceof CliError) || isFatal(error)) throw error;
    context.signal.throwIfAborted();
    if (scope.wanted.size === 0 && isWithout(error)) return plan;
    const row = {
      kind: kind.noun,
      name: kind.title ?? `${kind.noun}s`,
      action: 'blocked',
      changes: [],
      risk: 'none',
    } as const;
    return { ...row, why: error.message, error: itemErrorOf(error), isUnread: true, by: plan };
  }
}

/** What concerns the whole command: no connection, or a wrong configuration. */
function isFatal({ exitCode }: CliError): boolean {
  return exitCode === exitCodes.unreachable || exitCode === exitCodes.usage;
}

/** Whether an error means that a cluster has nothing of a kind: it does not know the API. */
export function isWithout(error: unknown): boolean {
  return error instanceof CliError && error.code === 'UNSUPPORTED_VERSION';
}

async function changesOf(context: Context, plan: KindPlan | PlannedChange): Promise<readonly PlannedChange[]> {
  if ('by' in plan) return [plan];
  const { kind, scope, existing, options } = plan;
  if (existing === undefined) return [];
  for (const notice of kind.notices?.(scope, existing) ?? []) context.noticeAfter(notice);
  const compared = kind.compare(scope, existing, options);
  const round = { changes: compared, scope, existing };
  const judged = compared.length === 0 ? [] : ((await kind.judge?.(context, round, options)) ?? compared);
  return judged.map((change) => ({ ...change, by: plan }));
}

/** What of a change says how much it deletes. */
type Deletable = Pick<Change, 'kind' | 'name' | 'action' | 'changes'>;

/** The error (exit 6) for more deletions than a slip of the hand should be able to make; undefined for fewer. */
export function tooManyDeletions(changes: readonly Deletable[], most: number): CliError | undefined {
  const deleted = changes.filter((change) => deletionsIn(change) > 0);
  const total = deleted.reduce((sum, change) => sum + deletionsIn(change), 0);
  if (total <= most) return undefined;
  const names = deleted.slice(0, 5).map(({ kind, name }) => `${kind} ${name}`);
  const more = deleted.length > names.length ? ' …' : '';
  return new CliError(
    exitCodes.conflict,
    `the plan would delete ${total} (${names.join(', ')}${more}), and at most ${most} are allowed`,
    {
      code: 'TOO_MANY_DELETIONS',
      hints: [`if that is meant, add --max-deletes ${total}`],
    },
  );
}

/** How much a change deletes, as --max-deletes counts: each ACL counts, and what goes from something that stays, but not a config that is unset or a field of a schema. */
export function deletionsIn({ kind, action, changes }: Deletable): number {
  if (action === 'blocked' || action === 'keep') return 0;
  if (action === 'delete' && kind !== 'acl') return 1;
  if (kind === 'schema') return 0;
  return changes.filter(({ path, to }) => to === null && !path.startsWith('configs.')).length;
}

/** The plan in which what needs a row that apply refuses has an error as well. */
export function withDependents(plan: readonly PlannedChange[]): readonly PlannedChange[] {
  const failed = new Set<string>();
  return plan.map((change) => {
    const isLeft = change.needs?.some((key) => failed.has(key)) === true;
    const error = change.error ?? (isLeft ? needsFailure : null);
    if (error !== null) failed.add(keyOf(change));
    return error === null ? change : { ...change, error };
  });
}

/** Asks the cluster whether it would make the changes; one that it would refuse is blocked. */
export async function checkedPlan(context: Context, plan: readonly PlannedChange[]): Promise<readonly PlannedChange[]> {
  const checked = new Map<PlannedChange, PlannedChange>();
  for (const [by, changes] of Map.groupBy(plan, (change) => change.by)) {
    const pending = changes.filter(({ action, error }) => action !== 'keep' && error == null);
    if (by.kind.check === undefined || pending.length === 0) continue;
    const checking = checkingWith(context);
    await by.kind.check(context, { changes: pending, scope: by.scope, existing: by.existing }, checking);
    for (const change of pending) {
      const error = checking.errors.get(change.name);
      if (error !== undefined)
        checked.set(change, { ...change, action: 'blocked', risk: 'none', why: error.message, error });
    }
  }
  return plan.map((change) => checked.get(change) ?? change);
}

/**
 * As `checkedPlan`, for a plan that somebody else may carry out, such as the job that runs after the merge: what this user
 * may not do is neither checked nor blocked. Rows say so only where the cluster checked others of their kind.
 */
export async function planForOthers(
  context: Context,
  plan: readonly PlannedChange[],
): Promise<readonly PlannedChange[]> {
  const checked = (await checkedPlan(context, plan)).map(doubted);
  const unchecked = checked.filter(isForbidden).length;
  if (unchecked === 0) return checked;
  const user = (await context.config()).get('user') || 'this user';
  const what = count(unchecked, 'change');
  context.warn(`the cluster did not check ${what} that ${user} may not make: only apply finds values out of range`);
  const isChecked = ({ action, by }: PlannedChange, at: number) =>
    by.kind.check !== undefined && (action === 'create' || action === 'update') && plan[at]?.error == null;
  const kindsChecked = new Set(
    checked.filter((change, at) => isChecked(change, at) && !isForbidden(change)).map(({ by }) => by.kind),
  );
  return checked.map((change, at) => {
    if (!isForbidden(change)) return change;
    const { why = null, ...planned } = plan[at] ?? change;
    const note = kindsChecked.has(change.by.kind) ? [`not checked: ${user} may not make it`] : [];
    const whys = [...(why === null ? [] : [why]), ...note];
    return { ...planned, why: whys.length === 0 ? null : whys.join('; '), isUnchecked: true };
  });
}

function isForbidden({ error, isUnread = false }: PlannedChange): boolean {
  return !isUnread && error?.exit_code === exitCodes.auth;
}

/** What this user may not do is blocked if what was read shows that the cluster would refuse it. */
function doubted(change: PlannedChange): PlannedChange {
  const why = isForbidden(change) ? change.by.kind.doubt?.(change, change.by.existing) : undefined;
  return why === undefined ? change : { ...change, ...refused({ ...change, action: 'blocked', why }) };
}
