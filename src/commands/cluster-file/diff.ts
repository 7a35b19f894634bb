import { readFile } from 'node:fs/promises';
import { flag, many, type ValuesOf } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { withSelection } from '../../cli/help/selection-flags.ts';
import { type ClusterFile, readClusterFile } from '../../cluster-file/file/document.ts';
import type { Change } from '../../cluster-file/kinds/kind.ts';
import { clusterIdOf, makePlan, planForOthers, tooManyDeletions } from '../../cluster-file/plan/plan.ts';
import { isPlan, rowOf, savedPlanText } from '../../cluster-file/plan/plan-file.ts';
import { isLeft, planSum } from '../../cluster-file/plan/plan-rows.ts';
import type { Context } from '../../context.ts';
import { CliError, CliErrors, exitCodeOfItems, exitCodes, itemErrorOf, usageError } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Kind, outputPath } from '../../kinds.ts';
import { itemError } from '../../shape/item-error.ts';
import { type RowOf, row } from '../../shape/shape.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { type Cluster, ClusterRow, clustersOf, profileFlag } from './clusters.ts';
import { type ClusterReport, markdownOf } from './markdown.ts';
import { clusterFile, filesHelp, planFlags, requestOf, verifiedRequest } from './plan-flags.ts';
import { planText } from './plan-text.ts';
import { readSources } from './sources.ts';

/** A difference, or why nobody knows whether there is one. */
const DiffRow = row({ ...ClusterRow.fields, error: itemError });
type DiffRow = RowOf<typeof DiffRow>;

/** The file of a report, which is replaced: never the file of a cluster. */
const reportPath: Kind<string> = {
  ...outputPath,
  parse(value) {
    if (/\.ya?ml$/i.test(value)) throw new Error('a report is Markdown: give it a name such as diff.md');
    return outputPath.parse(value);
  },
};

/** `diff` */
export const diff = listCommand({
  summary: 'Compare files that describe a cluster with the cluster',
  description: `Prints what weir apply would change, and changes nothing. The cluster checks the changes as well, where it can
check without changing anything. Only what the files name is compared: configs that are set on a topic and not named are
kept, unless --strict is given.

Exits with 0 if nothing differs, with 10 if something does, with 6 if something of the files cannot be applied (blocked), if
more would be deleted than --max-deletes, or if the files are for another cluster, with 2 if a file is wrong or does not
keep a rule (require), and with another code, such as 4, if something could not be read. What the files own and do not name is a difference (keep). With several
--profile, each cluster is compared with what the files have for its profile; the address comes from the profile then, not
from flags and variables.

--out saves the plan, without secrets, for weir apply plan.json, which refuses it if the cluster has changed since.`,
  examples: [
    ['What a file would change', 'diff cluster.yaml'],
    ['All files of a folder, with deletions', 'diff clusters/prod --prune'],
    ['Save the plan for weir apply', 'diff cluster.yaml --out plan.json'],
    ['A table for a pull request', 'diff cluster.yaml --report diff.md'],
    ['Files of a program', 'diff - < cluster.yaml'],
    ['Two clusters', 'diff cluster.yaml --profile staging --profile prod'],
  ],
  apis: ['kafka', 'admin', 'registry'],
  args: { files: many(clusterFile, 'FILE', filesHelp) },
  flags: {
    ...planFlags,
    ...profileFlag,
    out: flag(outputPath, { short: 'o', help: 'write the plan to this file; only another plan is replaced' }),
    report: flag(reportPath, { help: 'also write the differences as Markdown to this file, which is replaced' }),
  },
  row: DiffRow,
  async read(context, values): Promise<readonly DiffRow[]> {
    const reports = await comparisons(context, values);
    // What is blocked is a row of the plan, and the exit code tells it.
    return reports.flatMap(({ profile, rows }) =>
      rows.map(({ error = null, isUnread = false, ...one }) => {
        return { ...rowOf(one), profile, error: isUnread ? error : null };
      }),
    );
  },
  text(rows, view, values) {
    return planText(rows, view, { profiles: values.profile });
  },
  exitCode(rows, values) {
    const unread = rows.filter(({ error }) => error !== null);
    if (unread.length > 0) return exitCodeOfItems(unread.map(({ error }) => error));
    const { maxDeletes } = requestOf(values);
    const plans = [...Map.groupBy(rows, ({ profile }) => profile).values()];
    const isTooMuch = plans.some((plan) => tooManyDeletions(plan, maxDeletes) !== undefined);
    if (isTooMuch || rows.some(({ action }) => action === 'blocked')) return exitCodes.conflict;
    return rows.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
  },
});

type DiffValues = ValuesOf<typeof planFlags & typeof profileFlag> & {
  readonly files: readonly string[];
  readonly out: string | undefined;
  readonly report: string | undefined;
};

/** What differs in a cluster. */
interface Comparison extends ClusterReport {
  readonly rows: readonly Change[];
}

/** A context that also keeps what it warns of. */
function reporting(context: Context, warnings: string[]): Context {
  const warn = (line: string) => {
    warnings.push(line);
    context.warn(line);
  };
  return { ...context, warn };
}

/** What differs in each cluster. If that cannot be found out, the report says why. */
async function comparisons(context: Context, values: DiffValues): Promise<readonly Comparison[]> {
  const reports: Comparison[] = [];
  let report: Comparison = { profile: null, rows: [], warnings: [], faults: [] };
  try {
    const { sources, clusters } = await inputOf(context, values);
    const compare = clusters.length === 1 ? planOf : planOrError;
    for (const { profile, context: of } of clusters) {
      const warnings: string[] = [];
      report = { ...report, profile, warnings };
      const cluster = { profile, context: reporting(of, warnings) };
      const rows = await compare(cluster, await readClusterFile(sources, profile ?? undefined), values);
      if (rows.length === 0) of.notice('the cluster is as in the files');
      reports.push({ ...report, rows, refusal: tooManyDeletions(rows, requestOf(values).maxDeletes) });
    }
  } catch (error) {
    // That the report cannot be written either is of no interest.
    await writeReport(context, values, [...reports, { ...report, faults: faultsIn(error) }]).catch(() => undefined);
    throw error;
  }
  await writeReport(context, values, reports);
  return reports;
}

async function inputOf(context: Context, { files, profile, out }: DiffValues) {
  const sources = await readSources(context, files);
  const plan = sources.find(({ text }) => isPlan(text));
  if (plan !== undefined) throw planGiven(context, plan.name);
  const clusters = await clustersOf(context, profile);
  if (clusters.length > 1 && out !== undefined)
    throw usageError('a plan is for one cluster: use --out with one --profile', { target: '--out' });
  return { sources, clusters };
}

/** Why nothing was compared. */
function faultsIn(error: unknown): readonly string[] {
  if (error instanceof CliErrors) return error.errors.map(({ message }) => message);
  return [error instanceof CliError ? error.message : 'weir was stopped'];
}

async function writeReport({ host }: Context, { report, files }: DiffValues, reports: readonly ClusterReport[]) {
  if (report !== undefined) await replaceFile(absolutePath(host, report), markdownOf(reports, files));
}

/** The differences of one cluster; with --out, they are saved. */
async function planOf({ context }: Cluster, file: ClusterFile, values: DiffValues): Promise<readonly Change[]> {
  const request = await verifiedRequest(context, file, values);
  const made = await makePlan(context, file, request);
  const plan = await planForOthers(context, made);
  if (plan.length > 1) context.noticeAfter(planSum(plan));
  const fault = tooManyDeletions(made, request.maxDeletes);
  if (fault !== undefined) {
    const notSaved = values.out === undefined ? '' : `, and ${values.out} was not written`;
    context.noticeAfter(`weir apply would refuse this${notSaved}: ${[fault.message, ...fault.hints].join('; ')}`);
  } else if (values.out !== undefined) {
    const clusterId = await clusterIdOf(context);
    await writePlan(context, values.out, savedPlanText({ clusterId, request, file, rows: plan }));
    const what = plan.some(({ action }) => action === 'blocked') ? 'the rest' : 'it';
    const how = withSelection(context, commandText`weir apply ${values.out}`);
    if (plan.some((row) => !isLeft(row))) context.noticeAfter(`carry ${what} out with: ${how}`);
  }
  return plan;
}

/** The differences of one of several clusters, or a row that says why it could not be read: the others are compared. */
async function planOrError(cluster: Cluster, file: ClusterFile, values: DiffValues): Promise<readonly Change[]> {
  try {
    return await planOf(cluster, file, values);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === exitCodes.usage) throw error;
    cluster.context.signal.throwIfAborted();
    const row = { kind: 'cluster', name: cluster.profile ?? '', action: 'blocked', changes: [], risk: 'none' } as const;
    return [{ ...row, why: error.message, error: itemErrorOf(error), isUnread: true }];
  }
}

/** Writes a plan to a new file, or in the place of an earlier plan. */
async function writePlan(context: Context, name: string, text: string): Promise<void> {
  const path = absolutePath(context.host, name);
  const before = await readFile(path, 'utf8').catch(() => '');
  await (isPlan(before) ? replaceFile(path, text) : writeNewFile(context, name, text));
}

/** A saved plan is not compared: its application shows what is left of it. */
function planGiven(context: Context, name: string): CliError {
  return usageError(`${name} is a saved plan, and diff compares files that describe a cluster`, {
    target: name,
    hints: [`see what it would change with: ${withSelection(context, commandText`weir apply ${name} --dry-run`)}`],
  });
}
