import { flag, many, type ValuesOf } from '../../cli/command.ts';
import { errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { type ClusterFile, readClusterFile } from '../../cluster-file/file/document.ts';
import type { Change } from '../../cluster-file/kinds/kind.ts';
import { makePlan, planForOthers, tooManyDeletions } from '../../cluster-file/plan/plan.ts';
import { planText, rowOf } from '../../cluster-file/plan/plan-file.ts';
import { CliError, exitCodeOfItems, exitCodes, itemErrorOf, usageError } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';
import { commandText } from '../../format/shell-word.ts';
import { outputPath } from '../../kinds.ts';
import { itemError } from '../../shape/item-error.ts';
import { type RowOf, row } from '../../shape/shape.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { type Cluster, ClusterRow, clustersOf, columnsOf, profileFlag } from './clusters.ts';
import { type ClusterReport, markdownOf } from './markdown.ts';
import { clusterFile, filesHelp, linesOf, planColumns, planFlags, verifiedRequest } from './plan-flags.ts';
import { readSources } from './sources.ts';

/** A difference, or why nobody knows whether there is one. */
const DiffRow = row({ ...ClusterRow.fields, error: itemError });
type DiffRow = RowOf<typeof DiffRow>;

/** `diff` */
export const diff = listCommand({
  summary: 'Compare files that describe a cluster with the cluster',
  description: `Prints what weir apply would change, and changes nothing. The cluster checks the changes as well, where it can
check without changing anything. Only what the files name is compared: configs that are set on a topic and not named are
kept, unless --strict is given.

Exits with 0 if nothing differs, with 10 if something does, with 2 if a file is wrong or does not keep a rule (require), with
6 if the files are for another cluster, and with another code, such as 4, if something could not be read. With several
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
    out: flag(outputPath, { short: 'o', help: 'write the plan to this new file' }),
    report: flag(outputPath, { help: 'also write the differences as Markdown to this file, which is replaced' }),
  },
  row: DiffRow,
  async read(context, values): Promise<readonly DiffRow[]> {
    const sources = await readSources(context, values.files);
    const clusters = await clustersOf(context, values.profile);
    if (clusters.length > 1 && values.out !== undefined)
      throw usageError('a plan is for one cluster: use --out with one --profile', { target: '--out' });
    const rows: DiffRow[] = [];
    const reports: ClusterReport[] = [];
    for (const cluster of clusters) {
      const file = await readClusterFile(sources, cluster.profile ?? undefined);
      const plan =
        clusters.length === 1 ? await planOf(cluster, file, values) : await planOrError(cluster, file, values);
      if (plan.length === 0) cluster.context.notice('the cluster is as in the files');
      reports.push({ profile: cluster.profile, rows: plan });
      // What is blocked is a difference, not a failure.
      for (const { error = null, isUnread = false, ...one } of plan)
        rows.push({ ...rowOf(one), profile: cluster.profile, error: isUnread ? error : null });
    }
    if (values.report !== undefined) await replaceFile(absolutePath(context.host, values.report), markdownOf(reports));
    return rows;
  },
  text(rows, view, values) {
    const columns = columnsOf<DiffRow>(values.profile, [...planColumns, errorIfAny()]);
    return rows.length === 0 ? '' : tableOf(rows.flatMap(linesOf), columns, view);
  },
  exitCode(rows) {
    const unread = rows.filter(({ error }) => error !== null);
    if (unread.length > 0) return exitCodeOfItems(unread.map(({ error }) => error));
    return rows.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
  },
});

type DiffValues = ValuesOf<typeof planFlags> & { readonly out: string | undefined };

/** The differences of one cluster; with --out, they are saved. */
async function planOf({ context }: Cluster, file: ClusterFile, values: DiffValues): Promise<readonly Change[]> {
  const request = await verifiedRequest(context, file, values);
  const made = await makePlan(context, file, request);
  const plan = await planForOthers(context, made);
  const fault = tooManyDeletions(made, request.maxDeletes);
  if (fault !== undefined) {
    const notSaved = values.out === undefined ? '' : `, and ${values.out} was not written`;
    context.noticeAfter(`weir apply would refuse this${notSaved}: ${[fault.message, ...fault.hints].join('; ')}`);
  } else if (values.out !== undefined) {
    const { cluster_id: clusterId } = await (await context.kafka()).clusterInfo('none');
    await writeNewFile(context, values.out, planText({ clusterId, request, file, rows: plan }));
    context.noticeAfter(commandText`carry it out with: weir apply ${values.out}`);
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
