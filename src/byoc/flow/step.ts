import { typedWord } from '../../cloud/api/cloud-words.ts';
import { isMissing, isUnread } from '../../cloud/api/error-words.ts';
import type { Cluster } from '../../cloud/cloud-rows.ts';
import type { Cloud } from '../../cloud/open.ts';
import { CliError, type ExitCode, exitCodes } from '../../errors.ts';
import { ApiError } from '../../net/json-api/error.ts';
import type { PluginCall } from '../plugin/argv.ts';
import { type FlowRecord, nameOfFlow } from './record.ts';

/** The control plane calls that flows make. */
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
  /** The limit for each wait, in milliseconds. */
  readonly waitTimeoutMs: number;
  /** Whether the plugin may install the agent of a new cluster; the flow ends before it otherwise. */
  readonly applies: boolean;
  /** The command that continues the flow; undefined if it cannot be resumed as a whole. */
  resumeWith(record: FlowRecord): string | undefined;
  /** Runs the plugin until it ends and returns its exit code. */
  runPlugin(call: PluginCall): Promise<ExitCode>;
  /** Asks whether the plugin may remove the agent now; called only if the flow's record does not allow it already. */
  agreesToDestroy(record: FlowRecord): Promise<boolean>;
  /** Pauses between two checks. */
  sleep(ms: number): Promise<void>;
  /** Called for every step and every poll, for example with `creating`. */
  onProgress(detail: string): void;
}

/** The result of a step. */
export interface FlowChange extends Partial<Omit<FlowRecord, 'step' | 'begun'>> {
  readonly next: FlowRecord['step'];
  /** The plugin call that the user must run before the flow can continue; null if the provider has no plugin. */
  readonly pausedFor?: PluginCall | null;
  /** The cluster as last read. */
  readonly cluster?: Cluster;
}

/**
 * One step of a flow. With `again`, an earlier run started the step, so it checks before it changes anything.
 * @throws CliError if the step fails; `FlowOver` if the flow cannot be resumed
 */
export type FlowStep = (record: FlowRecord, world: FlowWorld, again: boolean) => Promise<FlowChange>;

/** The end of a flow by a failure that cannot be fixed by resuming it. */
export class FlowOver extends Error {
  override readonly name = 'FlowOver';
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('the flow is over');
    this.failure = failure;
  }
}

/**
 * Waits for the flow's operation; if it fails, the flow is over. Returns false if the operation does not exist (any
 * more); the state of the resource shows the result in that case.
 */
export async function waitForFlowOperation(id: string, record: FlowRecord, world: FlowWorld): Promise<boolean> {
  try {
    await world.cloud.waitForOperation(id, {
      waitTimeoutMs: world.waitTimeoutMs,
      resumeWith: world.resumeWith(record),
      onProgress: ({ state, type }) => world.onProgress(`${typedWord('type', type)} ${typedWord('state', state)}`),
    });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    // Status 0 means that the operation itself failed.
    throw error instanceof ApiError && error.status === 0 ? new FlowOver(error) : error;
  }
}

/** Waits until the flow's cluster satisfies `isDone`; undefined if it is gone. */
export async function waitForFlowCluster(
  record: FlowRecord,
  world: FlowWorld,
  isDone: (cluster: Cluster) => boolean,
): Promise<Cluster | undefined> {
  return await world.cloud.waitForCluster(nameOfFlow(record), isDone, {
    waitTimeoutMs: world.waitTimeoutMs,
    resumeWith: world.resumeWith(record),
    onProgress: ({ state }) => world.onProgress(typedWord('state', state)),
  });
}

/** Finds the newest operation of one type on a resource; null if there is none, or the control plane lists none. */
export async function findOperation(cloud: FlowCloud, type: string, resourceId: string): Promise<string | null> {
  const operations = await orUnread(cloud.listOperations({ type_in: [type], resource_id: resourceId }));
  return operations?.findLast((one) => one.type === type && one.resource_id === resourceId)?.id ?? null;
}

/** Awaits a call; undefined if its resource does not exist. */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return await unless(isMissing, call);
}

/** Awaits a read that is not documented; undefined if there is no such resource, or the control plane does not have it. */
export async function orUnread<T>(call: Promise<T>): Promise<T | undefined> {
  return await unless(isUnread, call);
}

async function unless<T>(isNothing: (error: unknown) => boolean, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

/** Runs the plugin for a flow. @throws CliError with the plugin's exit code if that is not 0 */
export async function runFlowPlugin(call: PluginCall, world: FlowWorld): Promise<void> {
  world.onProgress(`running the plugin: ${call.provider} ${call.verb}`);
  const exitCode = await world.runPlugin(call);
  if (exitCode === exitCodes.ok) return;
  throw new CliError(exitCode, `the plugin ended with exit code ${exitCode} (${call.provider} ${call.verb})`, {
    code: 'PLUGIN_FAILED',
    target: call.clusterId ?? call.provider,
    hints: ['see its output above'],
  });
}
