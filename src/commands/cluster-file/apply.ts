import { many, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { withSelection } from '../../cli/help/selection-flags.ts';
import { readClusterFile } from '../../cluster-file/file/document.ts';
import type { SourceText } from '../../cluster-file/file/yaml.ts';
import type { Change } from '../../cluster-file/kinds/kind.ts';
import { applyPlan, type ChangeOutcome, preparePlan } from '../../cluster-file/plan/application.ts';
import {
  checkedPlan,
  clusterIdOf,
  deletionsIn,
  makePlan,
  type PlannedChange,
  planForOthers,
  tooManyDeletions,
  withDependents,
} from '../../cluster-file/plan/plan.ts';
import { asPlanned, doneRows, type PlanRequest, readPlan, type SavedPlan } from '../../cluster-file/plan/plan-file.ts';
import { planSum } from '../../cluster-file/plan/plan-rows.ts';
import { notSent } from '../../cluster-file/plan/sending.ts';
import type { Context } from '../../context.ts';
import { type CliError, exitCodeOfItems, type ItemError, notChangedCode, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Cluster, ClusterRow, clustersOf, profileFlag, withName } from './clusters.ts';
import { clusterFile, filesHelp, planFlagIn, planFlags, verifiedRequest } from './plan-flags.ts';
import { planText } from './plan-text.ts';
import { readSources } from './sources.ts';

/** `apply` */
export const apply = change({
  summary: 'Make a cluster as files describe it',
  description: `Shows the plan and asks, and then makes the changes in an order in which each finds what it needs: configs of the
cluster (only with --allow cluster), users, topics and their configs, groups, client metrics, schemas with their levels,
quotas, roles, ACLs. Deletions come last. Files that do not keep their rules (require) are refused before weir
connects (exit code 2). Each row is read again just before it is changed, and one that somebody else has changed since is
left as it is (exit code 6). What does not depend on a failure goes on, and nothing is
rolled back: the same command continues.

Deletes only what a file removes by name (absent: true, with a reason) and, with --prune, what the files own and do not
name; at most --max-deletes. A topic is never created again, and its partitions never become fewer. Replicas are not moved:
the plan shows the command for that.

With a plan of weir diff --out, does exactly that, with the flags of that diff, and refuses it if the cluster has changed
since. What is done already is no change: the same plan continues after a failure. A protected profile takes only such a
plan.

With several --profile, goes on to the next cluster only if nothing failed in the one before; needs --yes.`,
  examples: [
    ['Show the plan, and ask', 'apply cluster.yaml'],
    ['In a script', 'apply clusters/prod --yes'],
    ['A saved plan', 'apply plan.json --yes'],
    ['One cluster after the other', 'apply cluster.yaml --profile staging --profile prod --yes'],
    ['Delete what the files do not name any more', 'apply cluster.yaml --prune'],
  ],
  apis: ['kafka', 'admin', 'registry'],
  args: { files: many(clusterFile, 'FILE', `${filesHelp}; or one plan of weir diff --out`) },
  flags: { ...planFlags, ...profileFlag },
  changes: 'destroys',
  noun: 'change',
  item: ClusterRow,
  async plan(context, values): Promise<readonly PlannedRow[]> {
    const sources = await readSources(context, values.files);
    const [first, ...others] = sources;
    const saved = first === undefined ? undefined : await readPlan(first);
    const clusters = await clustersOf(context, values.profile);
    const [cluster, another] = clusters;
    if (saved !== undefined && cluster !== undefined) {
      if (others.length > 0) throw usageError('a saved plan is applied alone', { target: values.files[0] ?? '' });
      if (another !== undefined) throw usageError('a saved plan is for one cluster', { target: '--profile' });
      return await rowsOfSaved(cluster, saved, planFlagIn(values));
    }
    if (another !== undefined && !values.dryRun && !context.flags.yes) throw needsYes();
    const rows: PlannedRow[] = [];
    for (const one of clusters) {
      const found = rowsOfFiles(one, sources, values);
      rows.push(...after(rows, await (another === undefined ? found : withName(one, found))));
    }
    return rows;
  },
  asks(rows) {
    const deleted = rows.filter(({ action }) => action === 'delete').length;
    const counted = rows.reduce((sum, row) => sum + deletionsIn(row), 0);
    const asCounted = counted === deleted ? '' : ` (${counted}, as --max-deletes counts)`;
    const others = rows.length - deleted;
    const parts = [
      ...(others > 0 ? [`make ${count(others, 'change')}`] : []),
      ...(deleted > 0 ? [`delete ${deleted}${asCounted}`] : []),
    ];
    const question = parts.join(' and ');
    return question.charAt(0).toUpperCase() + question.slice(1);
  },
  previews(rows, view, { profile }) {
    const text = planText(rows, view, { profiles: profile });
    return rows.length > 1 ? `${text}${planSum(rows)}\n` : text;
  },
  async validate(_context, rows) {
    const checked: Change[] = [];
    for (const [{ context }, changes] of changesByCluster(rows)) checked.push(...(await checkedPlan(context, changes)));
    return checked;
  },
  // Brokers are slow to delete many ACLs: only a command timeout that somebody has set ends it.
  apply: (context, rows) => context.openEnded(() => applyToClusters(rows)),
  text: (rows, view, { profile }) => planText(rows, view, { profiles: profile, isEnded: true }),
  after(context, rows, { dryRun }) {
    const due = rows.filter(({ status }) => status !== 'NOT_NEEDED');
    if (due.length > 1) context.noticeAfter(dryRun ? planSum(due) : resultSum(due));
    const done = rows.length - due.length;
    if (done > 0) context.noticeAfter(`done already: ${count(done, 'change')}`);
  },
});

/** How many changes a result has: `61 changes: 55 OK, 4 failed, 2 not changed; 1 blocked`. */
function resultSum(rows: readonly (Pick<ClusterRow, 'action'> & { readonly error: ItemError | null })[]): string {
  const changes = rows.filter(({ action }) => action !== 'blocked');
  const failures = changes.flatMap(({ error }) => error ?? []);
  const left = failures.filter(({ code }) => code === notChangedCode).length;
  const counts = { OK: changes.length - failures.length, failed: failures.length - left, 'not changed': left };
  const parts = Object.entries(counts).flatMap(([what, number]) => (number > 0 ? [`${number} ${what}`] : []));
  const blocked = rows.length - changes.length;
  return [
    ...(parts.length === 0 ? [] : [`${count(changes.length, 'change')}: ${parts.join(', ')}`]),
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
  ].join('; ');
}

/** A row, and the change behind it; none for what a saved plan has and is done already. */
interface PlannedRow extends Change {
  readonly profile: string | null;
  readonly cluster: Cluster;
  readonly status?: 'NOT_NEEDED';
  readonly planned?: PlannedChange;
}

/** One cluster after the other: dev before prod, and prod only if dev succeeded. Ctrl-C stays Ctrl-C. */
function earlierFailure(errors: readonly (ItemError | null)[]): ItemError {
  return notSent({ text: 'the cluster before it has failures', exitCode: exitCodeOfItems(errors) });
}

/** The rows of the next cluster, after those of others. */
function after(others: readonly PlannedRow[], rows: readonly PlannedRow[]): readonly PlannedRow[] {
  const errors = others.map(({ error = null }) => error);
  const isFailed = errors.some((error) => error !== null);
  return isFailed ? rows.map((row) => ({ ...row, error: row.error ?? earlierFailure(errors) })) : rows;
}

async function applyToClusters(rows: readonly PlannedRow[]): Promise<readonly ChangeOutcome[]> {
  const plans = changesByCluster(rows);
  for (const [{ context }, changes] of plans) await preparePlan(context, changes);
  const outcomes: ChangeOutcome[] = [];
  for (const [{ context }, changes] of plans) {
    const errors = outcomes.map(({ error }) => error);
    const isFailed = errors.some((error) => error !== null);
    const made = isFailed ? changes.map(() => ({ error: earlierFailure(errors) })) : await applyPlan(context, changes);
    outcomes.push(...made);
  }
  return outcomes;
}

function needsYes(): CliError {
  return usageError('refused: apply needs --yes with several profiles', {
    code: 'CONFIRMATION_NEEDED',
    target: '--yes',
    hints: ['--dry-run shows what it would change'],
  });
}

async function rowsOfFiles(cluster: Cluster, sources: readonly SourceText[], values: ApplyValues) {
  const { context, profile: name } = cluster;
  const { profile } = await context.config();
  if (profile?.protected && !values.dryRun) throw needsPlan(context, profile.name, values.files);
  const file = await readClusterFile(sources, name ?? undefined);
  const request = await verifiedRequest(context, file, values);
  return rowsOf(cluster, await makePlan(context, file, request), request);
}

type ApplyValues = ValuesOf<typeof planFlags> & { readonly files: readonly string[]; readonly dryRun: boolean };

/** On a protected profile, what is applied is what somebody has seen. */
function needsPlan(context: Context, profile: string, files: readonly string[]): CliError {
  const names = files.map((file) => commandText`${file}`).join(' ');
  return usageError(`refused: profile "${profile}" is protected, and apply needs a saved plan there`, {
    code: 'PLAN_NEEDED',
    target: files[0] ?? '',
    hints: [
      `save and check the plan with: ${withSelection(context, `weir diff ${names} --out plan.json`)}`,
      `then carry it out with: ${withSelection(context, 'weir apply plan.json')}`,
    ],
  });
}

/** The rows of a plan that was saved: those that are still to be made, after those that are done. */
async function rowsOfSaved(cluster: Cluster, saved: SavedPlan, flag: string | undefined) {
  const { context, profile } = cluster;
  if (flag !== undefined)
    throw usageError(`${flag} belongs to the weir diff that makes a plan, not to the plan`, { target: flag });
  const { file, request } = saved;
  if (request.rotate.length > 0)
    context.notice(`each time the plan is applied, it sets the password of ${shortList(request.rotate)}`);
  const plan = await makePlan(context, file, request);
  const clusterId = await clusterIdOf(context);
  const again = withSelection(context, 'weir diff FILES --out plan.json');
  const done = doneRows(saved, plan, { clusterId, again });
  const checked = asPlanned(saved, await planForOthers(context, plan));
  return [
    ...done.map((row): PlannedRow => ({ ...row, profile, cluster, status: 'NOT_NEEDED' })),
    ...rowsOf(cluster, checked, request),
  ];
}

function rowsOf(cluster: Cluster, plan: readonly PlannedChange[], request: PlanRequest): readonly PlannedRow[] {
  const { context, profile } = cluster;
  const fault = tooManyDeletions(plan, request.maxDeletes);
  if (fault !== undefined) throw fault;
  const rows = plan.filter(({ action }) => action !== 'keep');
  if (rows.length < plan.length)
    context.noticeAfter(`kept what the files own and do not name (${plan.length - rows.length}); --prune deletes it`);
  if (plan.length === 0) context.notice('the cluster is as in the files');
  return withDependents(rows).map((planned) => ({ ...planned, profile, cluster, planned }));
}

/** The changes of each cluster, in their order. */
function changesByCluster(rows: readonly PlannedRow[]): readonly (readonly [Cluster, readonly PlannedChange[]])[] {
  return [...Map.groupBy(rows, ({ cluster }) => cluster)].map(([cluster, of]) => [
    cluster,
    of.flatMap(({ planned = [] }) => planned),
  ]);
}
