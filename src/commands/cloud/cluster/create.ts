import { command, toggle } from '../../../cli/command.ts';
import { typedWord } from '../../../cloud/api/words.ts';
import { type Cluster, cluster, type Fields, type Operation } from '../../../cloud/cloud-rows.ts';
import { commandLineOf, type PluginCall, providerOf } from '../../../cloud/plugin/argv.ts';
import type { Context } from '../../../context.ts';
import { type CliError, stoppedError, usageError } from '../../../errors.ts';
import { durationToMs } from '../../../format/duration.ts';
import { commandText } from '../../../format/shell-word.ts';
import { sending } from '../../stopped.ts';
import { bodyFlags, fileFlag, readBody } from '../body.ts';
import { changed, changedText, finish, plan, pluginFlags, type WaitValues, waitFlags } from '../change.ts';
import { clusterShape } from '../shapes.ts';
import { propertyFlags, withProperties } from './properties.ts';
import { selectCluster } from './select.ts';

/** `cloud cluster create` */
export const create = command({
  summary: 'Create a cluster',
  description: `Create a resource group and a network first. The command waits until a Dedicated cluster is ready. A BYOC cluster
needs a step in your own cloud account: with --apply, the command runs the plugin for it; otherwise, it stops at this
step and prints the command to run. Ctrl-C only stops waiting.`,
  examples: [
    ['From a file', 'cloud cluster create --file cluster.yaml'],
    [
      'A BYOC cluster on GCP, from start to finish',
      'cloud cluster create --file cluster.yaml --apply --project-id my-project',
    ],
    ['With a property', 'cloud cluster create --file cluster.yaml --set audit_enabled=true --no-wait'],
  ],
  apis: ['cloud'],
  flags: {
    ...bodyFlags(clusterShape),
    ...propertyFlags,
    file: fileFlag,
    apply: toggle({ help: 'for BYOC: run the plugin in your own cloud account' }),
    ...pluginFlags,
    ...waitFlags,
  },
  changes: 'creates',
  result: changed(cluster.row),
  async run(context, values) {
    const body = withProperties(await readBody(context, clusterShape, values), values);
    if (values.apply && body.type !== 'TYPE_BYOC')
      throw usageError('--apply is for BYOC clusters', { target: '--apply' });
    if (values.apply && !values.wait)
      throw usageError('--apply and --no-wait are mutually exclusive', { target: '--no-wait' });
    const { applyingProvider, createWithPlugin, holdingCreation } = await import('../byoc/flows.ts');
    if (values.apply) applyingProvider(body, values);
    if (values.dryRun) return await plan(context, 'POST', '/v1/clusters', { body: { cluster: body } });
    if (!values.apply) {
      return await holdingCreation(context, String(body.name ?? ''), () => createPlainly(context, body, values));
    }
    return await offer(context, await createWithPlugin(context, body, values));
  },
  show: { text: changedText },
});

type PluginFlags = Pick<PluginCall, 'projectId' | 'subscriptionId'>;

async function createPlainly(
  context: Context,
  body: Fields,
  values: WaitValues & PluginFlags,
): Promise<Cluster | Operation> {
  const { projectId, subscriptionId } = values;
  const cloud = await context.cloud();
  sending(context, `creating the cluster "${body.name}"`, 'weir cloud cluster list');
  const operation = await cloud.createCluster(body);
  if (!values.wait) return operation;
  const id = String(operation.metadata.cluster_id ?? operation.resource_id);
  if (body.type === 'TYPE_BYOC') {
    context.onInterrupt(stoppedPreparing(body, id, operation, { projectId, subscriptionId }));
    const cluster = await untilPrepared(context, id, values);
    if (cluster?.state === 'STATE_CREATING_AGENT')
      return stepAhead(context, cluster, operation, { projectId, subscriptionId });
  }
  await finish(context, operation, `creating the cluster "${body.name}"`, values);
  return await offer(context, await cloud.getCluster(id));
}

/** Waits until the control plane has prepared a BYOC cluster for its agent; undefined if the cluster was deleted. */
async function untilPrepared(context: Context, id: string, { waitTimeout }: WaitValues): Promise<Cluster | undefined> {
  const cloud = await context.cloud();
  const progress = context.progress(`preparing the cluster ${id}`);
  try {
    return await cloud.waitForCluster(id, ({ state }) => state !== 'STATE_CREATING', {
      waitTimeoutMs: durationToMs(waitTimeout),
      resumeWith: commandText`weir cloud cluster get ${id}`,
      onProgress: ({ state }) => progress.report({ detail: typedWord('state', state) }),
    });
  } finally {
    progress.end();
  }
}

/** The report of a signal that stops the wait for the state in which the agent can be installed. */
function stoppedPreparing(body: Fields, id: string, operation: Operation, flags: PluginFlags): CliError {
  const provider = providerOf(String(body.cloud_provider ?? ''));
  const apply = provider && commandLineOf({ ...flags, provider, verb: 'apply', clusterId: id, rest: [] });
  const message = `stopped while creating the cluster "${body.name}" (${id}): the control plane is preparing it for its agent`;
  const hints = [
    commandText`see its state with: weir cloud cluster get ${id}`,
    ...(apply === undefined ? [] : [`when the state is creating-agent, run: ${apply}`]),
    commandText`then wait with: weir cloud operation wait ${operation.id}`,
  ];
  return stoppedError(message, hints, id);
}

/** Prints the next commands for a BYOC cluster whose agent the user must create. */
function stepAhead(context: Context, cluster: Cluster, { id }: Operation, flags: PluginFlags): Cluster {
  const provider = providerOf(cluster.cloud_provider);
  context.noticeAfter('the cluster needs its agent in your own cloud account; run next:');
  if (provider !== undefined) {
    context.noticeAfter(`  ${commandLineOf({ ...flags, provider, verb: 'apply', clusterId: cluster.id, rest: [] })}`);
  }
  context.noticeAfter(commandText`  weir cloud operation wait ${id}`);
  return cluster;
}

/** Offers a profile for the new cluster: with a question on a terminal, otherwise with the command to run. */
async function offer(context: Context, cluster: Cluster): Promise<Cluster> {
  const { id, name, state } = cluster;
  if (state !== 'STATE_READY') return cluster;
  const hint = commandText`use it with: weir cloud cluster select ${id}`;
  context.onInterrupt(stoppedError(`the cluster "${name}" (${id}) was created, but not selected`, [hint], id));
  if (!context.flags.noInput && (await wantsProfile(context, name))) {
    try {
      await selectCluster(context, id, { name: undefined, replace: false, dryRun: false });
      return cluster;
    } catch (error) {
      // The cluster was created nevertheless.
      context.warn(`unable to create a profile: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  context.noticeAfter(hint);
  return cluster;
}

async function wantsProfile(context: Context, name: string): Promise<boolean> {
  const { askYesNo } = await import('../../../cli/prompt.ts');
  const deadline = await context.deadline();
  const question = `Create a profile "${name}" for the new cluster and select it?`;
  return await deadline.openEnded(() => askYesNo(context, question));
}
