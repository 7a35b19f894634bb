import {
  beginFlow,
  type FlowOutcome,
  type FlowRunner,
  notePluginRun,
  resumeFlow,
  stoppedCreation,
  stoppedFlow,
  unfinished,
} from '../../../byoc/flow/flow.ts';
import {
  creationId,
  type DeletionScope,
  type FlowOptions,
  type FlowRecord,
  nameOfFlow,
  newCreation,
  newDeletion,
  pluginCallOf,
  resumeCommand,
} from '../../../byoc/flow/record.ts';
import { checkCall, type PluginCall, providerOf } from '../../../byoc/plugin/argv.ts';
import type { Cluster, Operation } from '../../../cloud/cloud-rows.ts';
import type { Context, Progress } from '../../../context.ts';
import { CliError, exitCodes, usageError } from '../../../errors.ts';
import { durationToMs } from '../../../format/duration.ts';
import { commandText } from '../../../format/shell-word.ts';
import type { Fields } from '../../../shape/object.ts';
import { sending } from '../../interruption.ts';
import type { FlowValues } from '../change.ts';
import { journalOf, withFlowLock } from './flow-lock.ts';
import { failBySignal, mayRunPlugin, runPlugin } from './run-plugin.ts';

/** Runs flows with the context's clients; `end` removes the progress from the screen. */
export interface Flows extends FlowRunner {
  readonly apiUrl: string;
  end(): void;
}

/**
 * Opens the clients and the journal of flows.
 * @param resumeWith the command that continues after a signal, if it is not the one for a single flow
 * @throws CliError (exit 2) without a home directory
 */
export async function openFlows(
  context: Context,
  title: string,
  waitTimeoutMs: number,
  resumeWith?: string,
): Promise<Flows> {
  const journal = journalOf(context);
  if (journal === undefined) {
    throw usageError('unable to find a directory for the journal: the home directory is unknown', {
      hints: ['set XDG_STATE_HOME'],
    });
  }
  const hints = resumeWith === undefined ? undefined : [`resume with: ${resumeWith}`];
  return {
    ...(await openUnkept(context, title, waitTimeoutMs)),
    journal,
    applies: true,
    resumeWith: resumeCommand,
    onReached(state) {
      context.onInterrupt(state instanceof CliError ? state : stoppedFlow(state, hints));
    },
  };
}

/** Opens the clients of a creation that is not written down, because other commands finish it. */
async function openUnkept(context: Context, title: string, waitTimeoutMs: number): Promise<Flows> {
  const cloud = await context.cloud();
  let progress: Progress | undefined;
  const end = () => {
    progress?.end();
    progress = undefined;
  };
  return {
    cloud,
    apiUrl: cloud.addresses.apiUrl,
    journal: {
      directory: '',
      list: async () => [],
      write: async () => undefined,
      remove: async () => undefined,
      // No other weir on this machine creates a cluster of the same name.
      hold: (id, work) => withFlowLock(context, { id }, work),
    },
    applies: false,
    resumeWith: () => undefined,
    waitTimeoutMs,
    end,
    onProgress(detail) {
      progress ??= context.progress(title);
      progress.report({ detail });
      context.step(`${title}: ${detail}`);
    },
    sleep: (ms) => sleep(context, ms),
    async runPlugin(call) {
      end(); // the plugin uses the terminal now
      const run = await runPlugin(context, call, { toError: true });
      failBySignal(run);
      return run.exitCode;
    },
    onReached(state) {
      context.onInterrupt(state instanceof CliError ? state : stoppedCreation(state));
    },
    async agreesToDestroy(record) {
      end();
      return await askToDestroy(context, record);
    },
  };
}

async function sleep(context: Context, ms: number): Promise<void> {
  const { setTimeout: delay } = await import('node:timers/promises');
  const deadline = await context.deadline();
  await deadline.openEnded(async () => {
    await delay(ms, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  });
}

/** False if no prompt is possible or a flag of the provider is missing: the command to run is then printed instead. */
async function askToDestroy(context: Context, record: FlowRecord): Promise<boolean> {
  if (context.flags.noInput || record.provider === null) return false;
  if (record.provider === 'gcp' && record.project_id === null) return false;
  const { askYesNo } = await import('../../../cli/prompt.ts');
  const deadline = await context.deadline();
  const question = `Remove the agent of cluster ${nameOfFlow(record)} from your own cloud account now?`;
  return await deadline.openEnded(() => askYesNo(context, question));
}

/**
 * The provider of a new cluster whose plugin is to be run.
 * @throws CliError (exit 2) if the provider or a flag that it requires is missing
 */
export function applyingProvider(request: Fields, flags: Pick<PluginCall, 'projectId' | 'subscriptionId'>) {
  const provider = providerOf(String(request.cloud_provider ?? ''));
  if (provider === undefined) throw usageError('--apply needs a cloud provider: aws, azure or gcp');
  const { projectId, subscriptionId } = flags;
  checkCall({ provider, verb: 'apply', clusterId: '-', projectId, subscriptionId, rest: [] });
  return provider;
}

/** How a creation ended, or where it stopped. */
interface Created extends FlowOutcome {
  readonly cluster: Cluster;
}

/**
 * Creates a cluster. With `apply`, runs the plugin when the agent of a BYOC cluster can be created, and reads the cluster when
 * it is ready; otherwise, stops at this step.
 * @throws CliError; `cloud resume` finishes an interrupted creation with `apply`
 */
export async function createCluster(
  context: Context,
  request: Fields,
  { apply, ...values }: FlowValues & { readonly apply: boolean },
): Promise<Created> {
  const provider = apply
    ? applyingProvider(request, values)
    : (providerOf(String(request.cloud_provider ?? '')) ?? null);
  // Before there is a cluster that the plugin would have to finish.
  if (apply) await mayRunPlugin(context);
  const open = apply ? openFlows : openUnkept;
  const flows = await open(context, `creating the cluster "${request.name}"`, durationToMs(values.waitTimeout));
  const record = newCreation(request, provider, { ...optionsOf(context, values), apiUrl: flows.apiUrl });
  try {
    const { cluster, ...outcome } = await beginFlow(record, flows);
    if (cluster === undefined) throw new CliError(exitCodes.failure, 'unable to read the cluster after its creation');
    return { ...outcome, cluster };
  } finally {
    flows.end();
  }
}

/**
 * Sends the request for a cluster, and returns its operation.
 * @throws CliError (exit 6) with the process that creates a cluster of that name, or with the earlier unfinished creation
 */
export async function requestCluster(context: Context, request: Fields): Promise<Operation> {
  const cloud = await context.cloud();
  const name = String(request.name ?? '');
  return await withFlowLock(context, { id: creationId(cloud.addresses.apiUrl, name) }, async (stored) => {
    if (stored !== undefined) throw unfinished(stored);
    sending(context, `creating the cluster "${name}"`, 'weir cloud cluster list');
    return await cloud.createCluster(request);
  });
}

/** Prints the next commands for a BYOC cluster whose agent the user must create. */
export function noticeAgentWanted(context: Context, { command: apply, record }: FlowOutcome): void {
  context.noticeAfter('the cluster needs its agent in your own cloud account; run next:');
  if (apply !== undefined) context.noticeAfter(`  ${apply}`);
  context.noticeAfter(commandText`  weir cloud operation wait ${record.operation_id ?? ''}`);
}

/**
 * Deletes a cluster and everything that belongs to it, for BYOC with the plugin. A deletion that was started before is
 * continued, even if the cluster itself is already deleted.
 * @throws CliError; an interrupted deletion is finished by `cloud resume`
 */
export async function deleteWithPlugin(
  context: Context,
  { id, cluster: loaded }: { readonly id: string; readonly cluster: Cluster | undefined },
  scope: DeletionScope,
  flags: FlowValues,
): Promise<FlowOutcome> {
  if (scope.destroy) await mayRunPlugin(context);
  const flows = await openFlows(context, `deleting the cluster ${id}`, durationToMs(flags.waitTimeout));
  try {
    const begun = (await flows.journal.list()).find(
      (one) => one.kind === 'delete' && one.cluster_id === id && one.api_url === flows.apiUrl,
    );
    const given = {
      destroy: scope.destroy,
      with_network: scope.withNetwork,
      with_resource_group: scope.withResourceGroup,
      project_id: flags.projectId ?? null,
      subscription_id: flags.subscriptionId ?? null,
    };
    const resumed = begun && (await resumeFlow(begun, flows, mergeFlags(begun, given)));
    if (resumed !== undefined) return resumed;
    const cluster = loaded ?? (await flows.cloud.getCluster(id));
    const provider = providerOf(cluster.cloud_provider) ?? null;
    const record = newDeletion(cluster, provider, scope, { ...optionsOf(context, flags), apiUrl: flows.apiUrl });
    const call = pluginCallOf(record, 'destroy');
    if (scope.destroy && record.byoc && call !== null) checkCall(call);
    return await beginFlow(record, flows);
  } finally {
    flows.end();
  }
}

/** Says what to do with the printed command that removes the agent, when a deletion waits for it. */
export function noticeAgentLeft(context: Context, record: FlowRecord): void {
  const project = record.provider === 'gcp' && record.project_id === null ? ' --project-id PROJECT' : '';
  context.noticeAfter('the agent is still in your own cloud account; run this command, then: weir cloud resume');
  context.noticeAfter(`or let weir do both: ${resumeCommand(record)} --destroy${project}`);
}

/** Records in the journal, for a waiting flow, that the plugin has run; a failure to do so is only a warning. */
export async function tellFlows(context: Context, call: PluginCall): Promise<void> {
  const journal = journalOf(context);
  if (journal === undefined || call.verb === 'validate') return;
  try {
    const { apiUrl } = (await context.cloud()).addresses;
    await notePluginRun(journal, apiUrl, call);
  } catch (error) {
    context.warn(
      `unable to record the run of the plugin in the journal: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Combines the flags of this command with those that the flow was started with. */
export function mergeFlags(stored: FlowRecord, given: Partial<FlowRecord>): Partial<FlowRecord> {
  return {
    destroy: stored.destroy || given.destroy === true,
    with_network: stored.with_network || given.with_network === true,
    with_resource_group: stored.with_resource_group || given.with_resource_group === true,
    project_id: given.project_id ?? stored.project_id,
    subscription_id: given.subscription_id ?? stored.subscription_id,
  };
}

function optionsOf({ host }: Context, { projectId, subscriptionId }: FlowValues): Omit<FlowOptions, 'apiUrl'> {
  return { now: host.now(), projectId, subscriptionId };
}
