import { command, flag, one, toggle } from '../../../cli/command.ts';
import { object, string } from '../../../cli/output/schema.ts';
import { isMissing } from '../../../cloud/api/api-error.ts';
import type { FlowOutcome } from '../../../cloud/flow/flow.ts';
import type { Fields } from '../../../cloud/rows.ts';
import type { Context } from '../../../context.ts';
import { exitCodes, usageError } from '../../../errors.ts';
import { text } from '../../../kinds.ts';
import { changeOutput, type Gone, plan, waitFlags } from '../change.ts';
import { idOf } from '../find-id.ts';
import { identifier } from '../identifier.ts';
import { clusterView } from '../views.ts';

/** `cloud cluster delete` */
export const deleteCommand = command({
  summary: 'Delete a cluster',
  description: `A Dedicated cluster is deleted and waited for. For a BYOC cluster the agent in one's own cloud account is
removed too: with --destroy, or when asked on a terminal; else the exact line to run is printed, and weir cloud
resume goes on after it. --with-network and --with-resource-group delete what the cluster was in.`,
  examples: [
    ['By its id', 'cloud cluster delete cjb5vehc4vs19qc11pjg'],
    [
      'A BYOC cluster on GCP with all that belongs to it',
      'cloud cluster delete cjb5vehc4vs19qc11pjg --destroy --project-id my-project --with-network --with-resource-group --yes',
    ],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the cluster') },
  flags: {
    destroy: toggle({ help: 'for BYOC: remove the agent from your own cloud account' }),
    projectId: flag(text, { help: 'for the plugin on gcp: the project it works in' }),
    subscriptionId: flag(text, { help: 'for the plugin on azure: the subscription it works in' }),
    withNetwork: toggle({ help: 'delete its network afterwards' }),
    withResourceGroup: toggle({ help: 'delete its resource group at the end' }),
    ...waitFlags,
  },
  changes: 'destroys',
  async confirm(context, { id: word }) {
    const id = await idOf(context, 'cluster', word);
    const cloud = await context.cloud();
    // Gone already, of a deletion that was interrupted: what is left to delete may still be asked about.
    const name = await cloud.getCluster(id).then((cluster) => cluster.name, ifMissing(id));
    return { question: `Delete the cluster "${name}" (${id}) and all its data`, name };
  },
  async run(context, { id: word, dryRun, wait, ...values }) {
    const id = await idOf(context, 'cluster', word);
    const scope = {
      destroy: values.destroy,
      withNetwork: values.withNetwork,
      withResourceGroup: values.withResourceGroup,
    };
    const cloud = await context.cloud();
    if (dryRun) {
      const { name } = await cloud.getCluster(id);
      return await plan(context, 'DELETE', `/v1/clusters/${encodeURIComponent(id)}`, { target: name });
    }
    if (!wait) {
      if (Object.values(scope).some(Boolean))
        throw usageError('--no-wait deletes the cluster alone', { target: '--no-wait' });
      return await cloud.deleteCluster(id);
    }
    const { deleteWithPlugin } = await import('../byoc/flows.ts');
    return outcomeRow(context, id, await deleteWithPlugin(context, id, scope, values));
  },
  output: {
    ...changeOutput(clusterView),
    schema: {
      anyOf: [
        changeOutput(clusterView).schema,
        {
          ...object({ id: string, name: string, state: string, command: string }),
          additionalProperties: true,
        },
      ],
    },
    text: (row, view) =>
      typeof row.command === 'string' ? `${row.command}\n` : changeOutput(clusterView).text(row, view),
    // The cluster is not gone before the person has run that line.
    exitCode: (row) => (typeof row.command === 'string' ? exitCodes.conflict : exitCodes.ok),
  },
});

function ifMissing(id: string): (error: unknown) => string {
  return (error) => {
    if (isMissing(error)) return id;
    throw error;
  };
}

function outcomeRow(context: Context, id: string, { record, command: line }: FlowOutcome): Fields {
  const name = record.cluster_name;
  if (line === undefined) return { id, name, state: 'DELETED' } satisfies Gone;
  context.notice('the agent is still in your own cloud account; run this line, then: weir cloud resume');
  return { id, name, state: 'STATE_DELETING_AGENT', command: line };
}
