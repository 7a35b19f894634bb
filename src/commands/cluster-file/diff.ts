import { flag, many } from '../../cli/command.ts';
import { errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { readClusterFile } from '../../cluster-file/file/document.ts';
import { makePlan, planForOthers, tooManyDeletions } from '../../cluster-file/plan/plan.ts';
import { planText, rowOf } from '../../cluster-file/plan/plan-file.ts';
import { PlanRow } from '../../cluster-file/plan/plan-rows.ts';
import { exitCodeOfItems, exitCodes } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';
import { commandText } from '../../format/shell-word.ts';
import { outputPath } from '../../kinds.ts';
import { itemError } from '../../shape/item-error.ts';
import { type RowOf, row } from '../../shape/shape.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { markdownOf } from './markdown.ts';
import { clusterFile, filesHelp, linesOf, planColumns, planFlags, requestOf } from './plan-flags.ts';
import { readSources } from './sources.ts';

/** A difference, or why nobody knows whether there is one. */
const DiffRow = row({ ...PlanRow.fields, error: itemError });
type DiffRow = RowOf<typeof DiffRow>;

/** `diff` */
export const diff = listCommand({
  summary: 'Compare files that describe a cluster with the cluster',
  description: `Prints what weir apply would change, and changes nothing. The cluster checks the changes as well, where it can
check without changing anything. Only what the files name is compared: configs that are set on a topic and not named are
kept, unless --strict is given.

Exits with 0 if nothing differs, with 10 if something does, with 2 if a file is wrong, with 6 if the files are for
another cluster, and with another code, such as 4, if something could not be read.

--out saves the plan, without secrets, for weir apply plan.json, which refuses it if the cluster has changed since.`,
  examples: [
    ['What a file would change', 'diff cluster.yaml'],
    ['All files of a folder, with deletions', 'diff clusters/prod --prune'],
    ['Save the plan for weir apply', 'diff cluster.yaml --out plan.json'],
    ['A table for a pull request', 'diff cluster.yaml --report diff.md'],
    ['Files of a program', 'diff - < cluster.yaml'],
  ],
  apis: ['kafka', 'admin'],
  args: { files: many(clusterFile, 'FILE', filesHelp) },
  flags: {
    ...planFlags,
    out: flag(outputPath, { short: 'o', help: 'write the plan to this new file' }),
    report: flag(outputPath, { help: 'also write the differences as Markdown to this file, which is replaced' }),
  },
  row: DiffRow,
  async read(context, values): Promise<readonly DiffRow[]> {
    const sources = await readSources(context, values.files);
    const { profile } = await context.config();
    const file = await readClusterFile(sources, profile?.name);
    const request = requestOf(values);
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
    if (values.report !== undefined) await replaceFile(absolutePath(context.host, values.report), markdownOf(plan));
    if (plan.length === 0) context.notice('the cluster is as in the files');
    return plan.map(({ error = null, isUnread = false, ...one }) => ({
      ...rowOf(one),
      // What is blocked is a difference, not a failure.
      error: isUnread ? error : null,
    }));
  },
  text: (rows, view) => (rows.length === 0 ? '' : tableOf(rows.flatMap(linesOf), [...planColumns, errorIfAny()], view)),
  exitCode(rows) {
    const unread = rows.filter(({ error }) => error !== null);
    if (unread.length > 0) return exitCodeOfItems(unread.map(({ error }) => error));
    return rows.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
  },
});
