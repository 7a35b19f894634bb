import { toggle } from '../../../cli/command.ts';
import { type Cluster, cluster, pathOfAll } from '../../../cloud/cloud-rows.ts';
import type { Context } from '../../../context.ts';
import { stoppedError, usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import type { Fields } from '../../../shape/object.ts';
import { bodyFlags, fileFlag, readBody, withIds } from '../body.ts';
import { cloudChange, type FlowValues, pluginFlags, type WaitValues, waitFlags } from '../change.ts';
import { clusterShape } from '../shapes.ts';
import { propertyFlags, withProperties } from './properties.ts';
import { selectCluster } from './select.ts';

/** `cloud cluster create` */
export const create = cloudChange({
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
  flags: {
    ...bodyFlags(clusterShape),
    ...propertyFlags,
    file: fileFlag,
    apply: toggle({ help: 'for BYOC: run the plugin in your own cloud account' }),
    ...pluginFlags,
    ...waitFlags,
  },
  changes: 'creates',
  resource: cluster,
  async plan(context, values) {
    const body = withProperties(await readBody(context, clusterShape, values), values);
    if (values.apply) await checkApplying(body, values);
    return await withIds(context, clusterShape, body);
  },
  request: (body) => ({ method: 'POST', path: pathOfAll(cluster), body: { cluster: body } }),
  async apply(context, body, values) {
    const { createCluster, noticeAgentWanted, requestCluster } = await import('../byoc/flows.ts');
    if (!values.wait) return await requestCluster(context, body);
    const outcome = await createCluster(context, body, values);
    if (outcome.record.step === 'done') return await offer(context, outcome.cluster);
    noticeAgentWanted(context, outcome);
    return outcome.cluster;
  },
});

/** Checks what `--apply` needs, before anything is asked. */
async function checkApplying(body: Fields, values: FlowValues & Pick<WaitValues, 'wait'>): Promise<void> {
  if (body.type !== 'TYPE_BYOC') throw usageError('--apply is for BYOC clusters', { target: '--apply' });
  if (!values.wait) throw usageError('--apply and --no-wait are mutually exclusive', { target: '--no-wait' });
  const { applyingProvider } = await import('../byoc/flows.ts');
  applyingProvider(body, values);
}

/** Offers a profile for the new cluster: with a question on a terminal, otherwise with the command to run. */
async function offer(context: Context, cluster: Cluster): Promise<Cluster> {
  const { id, name, state } = cluster;
  if (state !== 'STATE_READY') return cluster;
  const hint = commandText`use it with: weir cloud cluster select ${id}`;
  context.onInterrupt(stoppedError(`the cluster "${name}" (${id}) was created, but not selected`, [hint], id));
  if (!context.flags.noInput && (await wantsProfile(context, name))) {
    try {
      await selectCluster(context, cluster);
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
