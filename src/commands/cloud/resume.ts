import type { FlowRecord } from '../../byoc/flow/record.ts';
import { command, optional, toggle, type ValuesOf } from '../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, exitCodeOfItems, exitCodes, itemErrorOf, usageError } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { text } from '../../kinds.ts';
import { described, listOf, maybe, type RowOf, row, string, word } from '../../shape/shape.ts';
import type { Flows } from './byoc/flows.ts';
import { pluginFlags, waitTimeoutFlag } from './change.ts';
import { noticeProfiles } from './cluster/profile-of-cluster.ts';

/** A flow and its outcome. */
const ResumedFlow = row({
  id: string,
  kind: word('create', 'delete'),
  cluster_name: string,
  cluster_id: maybe(string),
  state: word('finished', 'waiting', 'failed', 'unfinished', 'forgotten'),
  step: described(string, 'the next step'),
  command: described(maybe(string), 'the command to run first'),
  hints: described(listOf(string), 'what to do about the error'),
  ...outcomeFields,
});
type ResumedFlow = RowOf<typeof ResumedFlow>;

const flags = {
  destroy: toggle({ help: 'run the plugin to remove the agent, without a prompt' }),
  ...pluginFlags,
  waitTimeout: waitTimeoutFlag('maximum time of each wait'),
  forget: toggle({ help: 'forget it instead of resuming it; completed steps are not undone' }),
};

/** `cloud resume` */
export const resume = command({
  summary: 'Finish an interrupted creation or deletion of a cluster',
  description: `Creations and deletions of clusters are recorded before and after each step, in a journal without secrets in the
state directory. After a crash or Ctrl-C, this command continues at the interrupted step; it checks what was done
before it repeats anything. Without an ID, resumes every unfinished operation; it is no error if there is none.`,
  examples: [
    ['Everything that is unfinished', 'cloud resume'],
    [
      'One cluster, with permission to remove its agent',
      'cloud resume cjb5vehc4vs19qc11pjg --destroy --project-id my-project',
    ],
    ['Show what is unfinished', 'cloud resume --dry-run'],
  ],
  args: { id: optional(text, 'ID', 'cluster (name or id), operation or flow to resume (default: all)') },
  flags,
  changes: 'alters',
  apis: ['cloud'],
  result: listOf(ResumedFlow),
  async run(context, { id, dryRun, forget, waitTimeout, ...given }): Promise<readonly ResumedFlow[]> {
    if (forget && id === undefined) throw usageError('--forget needs an ID', { target: '--forget' });
    const { openFlows } = await import('./byoc/flows.ts');
    const again = id === undefined ? 'weir cloud resume' : undefined;
    const flows = await openFlows(context, 'resuming', durationToMs(waitTimeout), again);
    try {
      const rows: ResumedFlow[] = [];
      for (const record of await unfinished(context, flows, { id, forget })) {
        if (dryRun) rows.push({ ...rowOf(record, forget ? 'forgotten' : 'unfinished'), dry_run: true });
        else rows.push(forget ? await drop(flows, record) : await continueFlow(context, flows, record, given));
      }
      return rows;
    } finally {
      flows.end();
    }
  },
  show: {
    text: (rows) => rows.map(lineOf).join(''),
    exitCode: exitCodeOf,
  },
});

async function unfinished(
  context: Context,
  flows: Flows,
  { id, forget }: { readonly id: string | undefined; readonly forget: boolean },
): Promise<readonly FlowRecord[]> {
  const { isCalled } = await import('../../byoc/flow/record.ts');
  const all = (await flows.journal.list()).filter((record) => id === undefined || isCalled(record, id));
  const here = all.filter((record) => forget || record.api_url === flows.apiUrl);
  for (const record of all) {
    if (here.includes(record)) continue;
    const hint = `use the profile or -X cloud.api_url of ${record.api_url}, where it was started`;
    if (id === undefined) context.warn(`skipping the flow of "${record.cluster_name}": ${hint}`);
    else {
      throw new CliError(
        exitCodes.conflict,
        `unable to resume the flow of "${record.cluster_name}": it belongs to another control plane`,
        {
          code: 'OTHER_CONTROL_PLANE',
          target: id,
          hints: [hint],
        },
      );
    }
  }
  if (here.length === 0) context.notice(`nothing is unfinished${id === undefined ? '' : ` for ${id}`}`);
  return here;
}

async function continueFlow(
  context: Context,
  flows: Flows,
  record: FlowRecord,
  given: Pick<ValuesOf<typeof flags>, 'destroy' | keyof typeof pluginFlags>,
): Promise<ResumedFlow> {
  const { resumeFlow } = await import('../../byoc/flow/flow.ts');
  const { mergeFlags, noticeAgentLeft } = await import('./byoc/flows.ts');
  const change = mergeFlags(record, {
    destroy: given.destroy,
    project_id: given.projectId ?? null,
    subscription_id: given.subscriptionId ?? null,
  });
  try {
    const outcome = await resumeFlow(record, flows, change);
    if (outcome === undefined) return rowOf(record, 'finished'); // by another weir in the meantime
    if (outcome.command === undefined) {
      if (record.kind === 'delete' && record.cluster_id !== null) await noticeProfiles(context, record.cluster_id);
      return rowOf(outcome.record, 'finished');
    }
    noticeAgentLeft(context, outcome.record);
    return rowOf(outcome.record, 'waiting', outcome.command);
  } catch (error) {
    if (!(error instanceof CliError) || error.code === 'INTERRUPTED' || context.signal.aborted) throw error;
    return { ...rowOf(record, 'failed'), hints: error.hints, ...outcomeOf({ error: itemErrorOf(error) }, false) };
  }
}

async function drop(flows: Flows, record: FlowRecord): Promise<ResumedFlow> {
  await flows.journal.hold(record.id, () => flows.journal.remove(record.id));
  return rowOf(record, 'forgotten');
}

function rowOf(record: FlowRecord, state: ResumedFlow['state'], command: string | null = null): ResumedFlow {
  const { id, kind, cluster_name, cluster_id, step } = record;
  return { id, kind, cluster_name, cluster_id, state, step, command, hints: [], ...outcomeOf({}, false) };
}

function lineOf(row: ResumedFlow): string {
  if (row.command !== null) return `${row.command}\n`;
  const what = `${row.kind} cluster "${row.cluster_name}" (${row.cluster_id ?? row.id})`;
  const reason = row.error === null ? '' : `: ${row.error.message}`;
  const at = row.state === 'unfinished' ? `, at step ${row.step}` : '';
  return [`${what}: ${row.state}${at}${reason}`, ...row.hints.map((hint) => `  hint: ${hint}`), ''].join('\n');
}

function exitCodeOf(rows: readonly ResumedFlow[]): ExitCode {
  const failed = exitCodeOfItems(rows.map(({ error }) => error));
  const waits = rows.some(({ state }) => state === 'waiting');
  return failed === exitCodes.ok && waits ? exitCodes.conflict : failed;
}
