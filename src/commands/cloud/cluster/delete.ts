import type { FlowOutcome } from '../../../byoc/flow/flow.ts';
import { command, one, toggle } from '../../../cli/command.ts';
import { outcomeFields } from '../../../cli/forms/outcome.ts';
import { cluster, pathOfOne } from '../../../cloud/cloud-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { either, looseRow, string } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { changed, changedText, done, gone, plannedRequest, pluginFlags, waitFlags } from '../change.ts';
import { clusters, readOne } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { noticeProfiles } from './profile-of-cluster.ts';

/** `cloud cluster delete` */
export const deleteCommand = command({
  summary: 'Delete a cluster',
  description: `Deletes a cluster and waits until it is deleted. For a BYOC cluster, also removes the agent from your own cloud
account, with --destroy or after confirmation on a terminal. Otherwise, prints the command that removes the agent; run
it, then weir cloud resume. --with-network and --with-resource-group also delete the network and the resource group of
the cluster.`,
  examples: [
    ['By its id', 'cloud cluster delete cjb5vehc4vs19qc11pjg'],
    [
      'A BYOC cluster on GCP with everything that belongs to it',
      'cloud cluster delete cjb5vehc4vs19qc11pjg --destroy --project-id my-project --with-network --with-resource-group --yes',
    ],
  ],
  apis: ['cloud'],
  args: { id: one(clusterWord, 'ID', 'id or name of the cluster') },
  flags: {
    destroy: toggle({ help: 'for BYOC: remove the agent from your own cloud account' }),
    ...pluginFlags,
    withNetwork: toggle({ help: 'then delete its network' }),
    withResourceGroup: toggle({ help: 'then delete its resource group' }),
    ...waitFlags,
  },
  changes: 'destroys',
  result: either(
    changed(cluster),
    looseRow({ id: string, name: string, state: string, command: string, ...outcomeFields }),
  ),
  async plan(context, { id: word, dryRun, wait, destroy, withNetwork, withResourceGroup }) {
    if (!wait && (destroy || withNetwork || withResourceGroup))
      throw usageError('--no-wait deletes only the cluster', { target: '--no-wait' });
    try {
      const target = await readOne(context, clusters, word);
      return { id: target.id, cluster: target };
    } catch (error) {
      // After an interrupted deletion, the cluster may be gone, but the rest still needs confirmation.
      const id = dryRun || !isNotFound(error) ? undefined : await unfinishedDeletion(context, word);
      if (id === undefined) throw error;
      return { id, cluster: undefined };
    }
  },
  confirm(_context, values, { id, cluster }) {
    const rest = restOf(values);
    const name = cluster?.name ?? id;
    return { question: `Delete the cluster "${name}" (${id}) and all its data${rest && `, then ${rest}`}`, name };
  },
  dryRun(context, values, { id, cluster: target }) {
    const rest = restOf(values);
    if (rest !== '') context.noticeAfter(`then ${rest} would be deleted`);
    const request = { method: 'DELETE', path: pathOfOne(cluster, id), target: target?.name ?? id } as const;
    return plannedRequest(context, request);
  },
  async run(context, { wait, ...values }, { id, cluster }) {
    const scope = {
      destroy: values.destroy,
      withNetwork: values.withNetwork,
      withResourceGroup: values.withResourceGroup,
    };
    if (!wait) {
      sending(context, `deleting the cluster ${id}`, commandText`weir cloud cluster get ${id}`);
      return done(await (await context.cloud()).deleteCluster(id));
    }
    const { deleteWithPlugin, noticeAgentLeft } = await import('../byoc/flows.ts');
    const outcome = await deleteWithPlugin(context, { id, cluster }, scope, values);
    if (outcome.command === undefined) await noticeProfiles(context, id);
    else noticeAgentLeft(context, outcome.record);
    return done(outcomeRow(id, outcome));
  },
  show: {
    text: (row, view) => (typeof row.command === 'string' ? `${row.command}\n` : changedText(row, view)),
    // The cluster is deleted only after the user has run that command.
    exitCode: (row) => (typeof row.command === 'string' ? exitCodes.conflict : exitCodes.ok),
  },
});

/** The id of the cluster of an unfinished deletion that is called `word`. */
async function unfinishedDeletion(context: Context, word: string): Promise<string | undefined> {
  const { journalOf } = await import('../byoc/flow-lock.ts');
  const { isCalled } = await import('../../../byoc/flow/record.ts');
  const { apiUrl } = (await context.cloud()).addresses;
  const flows = (await journalOf(context)?.list()) ?? [];
  const flow = flows.find((one) => one.kind === 'delete' && one.api_url === apiUrl && isCalled(one, word));
  return flow?.cluster_id ?? undefined;
}

/** What is deleted after the cluster, for people. */
function restOf(values: { readonly withNetwork: boolean; readonly withResourceGroup: boolean }): string {
  const parts = [values.withNetwork && 'its network', values.withResourceGroup && 'its resource group'];
  return parts.filter(Boolean).join(' and ');
}

function isNotFound(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.notFound;
}

function outcomeRow(id: string, { record, command: line }: FlowOutcome) {
  const name = record.cluster_name;
  if (line === undefined) return gone(id, name);
  return { id, name, state: 'STATE_DELETING_AGENT', command: line };
}
