import { CliError, type ExitCode, exitCodes } from '../../errors.ts';
import { CloudError, isMissing } from '../api/api-error.ts';
import type { Cloud } from '../cloud.ts';
import type { PluginCall } from '../plugin/argv.ts';
import type { Cluster } from '../rows.ts';
import { type FlowRecord, nameOfFlow, resumeCommand } from './record.ts';

/** The calls of the control plane that a flow makes. */
export type FlowCloud = Pick<
  Cloud,
  | 'createCluster'
  | 'listClusters'
  | 'getCluster'
  | 'deleteCluster'
  | 'listOperations'
  | 'getOperation'
  | 'waitForOperation'
  | 'waitForCluster'
  | 'getNetwork'
  | 'deleteNetwork'
  | 'deleteResourceGroup'
>;

/** What a flow may use. */
export interface FlowWorld {
  readonly cloud: FlowCloud;
  /** How long each wait may take, in milliseconds. */
  readonly waitTimeoutMs: number;
  /** Runs the plugin to its end and answers with its exit code. */
  runPlugin(call: PluginCall): Promise<ExitCode>;
  /** Whether the plugin may remove the agent now; called where the flow's record does not say so. */
  agreesToDestroy(record: FlowRecord): Promise<boolean>;
  /** Waits between two looks. */
  sleep(ms: number): Promise<void>;
  /** Told for every step and every poll, for example `STATE_CREATING`. */
  onProgress(detail: string): void;
}

/** What a step has found out. */
export interface FlowChange extends Partial<Omit<FlowRecord, 'step' | 'begun'>> {
  readonly next: FlowRecord['step'];
  /** Set when the flow can go no further by itself: what the person must run first. */
  readonly pausedFor?: PluginCall;
  /** The cluster as it was read last. */
  readonly cluster?: Cluster;
}

/**
 * One step of a flow. `again` says that an earlier run had begun it: it looks before it changes anything.
 * @throws CliError when it cannot be done; a `FlowOver` when nothing is left to be resumed
 */
export type Step = (record: FlowRecord, world: FlowWorld, again: boolean) => Promise<FlowChange>;

/** The end of a flow by a failure that no resuming can mend. */
export class FlowOver extends Error {
  override readonly name = 'FlowOver';
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('the flow is over');
    this.failure = failure;
  }
}

/**
 * Waits for the flow's operation; its failure is the end of the flow. False when there is no such operation (any more):
 * the resource itself must tell then.
 */
export async function waitForFlowOperation(id: string, record: FlowRecord, world: FlowWorld): Promise<boolean> {
  try {
    await world.cloud.waitForOperation(id, {
      waitTimeoutMs: world.waitTimeoutMs,
      resumeWith: resumeCommand(record),
      onProgress: ({ state, type }) => world.onProgress(`${type} ${state}`),
    });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    // Status 0: the operation was read, and failed.
    throw error instanceof CloudError && error.status === 0 ? new FlowOver(error) : error;
  }
}

/** Waits until the flow's cluster satisfies `isDone`; undefined when it is gone. */
export async function waitForFlowCluster(
  record: FlowRecord,
  world: FlowWorld,
  isDone: (cluster: Cluster) => boolean,
): Promise<Cluster | undefined> {
  return await world.cloud.waitForCluster(nameOfFlow(record), isDone, {
    waitTimeoutMs: world.waitTimeoutMs,
    resumeWith: resumeCommand(record),
    onProgress: ({ state }) => world.onProgress(state),
  });
}

/** The newest operation of one type about a resource; null when there is none. */
export async function findOperation(cloud: FlowCloud, type: string, resourceId: string): Promise<string | null> {
  const found = await cloud.listOperations({ type_in: [type], resource_id: resourceId });
  return found.findLast((one) => one.type === type && one.resource_id === resourceId)?.id ?? null;
}

/** What a call answers with, or undefined for a resource that does not exist. */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Runs the plugin for a flow. @throws CliError with the plugin's own exit code when that is not 0 */
export async function runFlowPlugin(call: PluginCall, world: FlowWorld): Promise<void> {
  world.onProgress(`running the plugin: ${call.provider} ${call.verb}`);
  const exitCode = await world.runPlugin(call);
  if (exitCode === exitCodes.ok) return;
  throw new CliError(exitCode, `the plugin ended with exit code ${exitCode} (${call.provider} ${call.verb})`, {
    code: 'PLUGIN_FAILED',
    target: call.clusterId ?? call.provider,
    hints: ['what it says stands above'],
  });
}
