import { typedWord } from '../../cloud/api/cloud-words.ts';
import { CliError, exitCodes, notFoundError, unreachableError } from '../../errors.ts';
import { checkCall } from '../plugin/argv.ts';
import { type DeleteStep, type FlowRecord, nameOfFlow, pluginCallOf } from './record.ts';
import {
  type FlowChange,
  FlowOver,
  type FlowStep,
  type FlowWorld,
  findOperation,
  orMissing,
  orUnread,
  runFlowPlugin,
  waitForFlowCluster,
  waitForFlowOperation,
} from './step.ts';

/** The steps to delete a cluster; a Dedicated cluster skips the plugin steps. */
export const deleteSteps: Readonly<Record<DeleteStep, FlowStep>> = {
  delete: deleteCluster,
  agent: waitForAgent,
  destroy: destroyAgent,
  operation: waitForEnd,
  network: deleteNetwork,
  'network-operation': waitForNetwork,
  'resource-group': deleteResourceGroup,
};

const operationType = 'TYPE_DELETE_CLUSTER';
const deleting = ['STATE_DELETING', 'STATE_DELETING_AGENT'];

async function deleteCluster(record: FlowRecord, world: FlowWorld, again: boolean): Promise<FlowChange> {
  const { cloud } = world;
  const id = nameOfFlow(record);
  world.onProgress('deleting the cluster');
  const cluster = await orMissing(cloud.getCluster(id));
  if (cluster === undefined && !again) throw new FlowOver(gone(id));
  const next = record.byoc ? 'agent' : 'operation';
  if (cluster === undefined || deleting.includes(cluster.state)) {
    return { next, operation_id: await findOperation(cloud, operationType, id) };
  }
  return { next, operation_id: (await cloud.deleteCluster(id)).id };
}

/** The pause before checking again whether the deletion of a cluster has started, in milliseconds. */
const lookAgainMs = 5_000;

async function waitForAgent(record: FlowRecord, world: FlowWorld): Promise<FlowChange> {
  for (let waitedMs = 0; waitedMs <= world.waitTimeoutMs; waitedMs += lookAgainMs) {
    const cluster = await waitForFlowCluster(record, world, ({ state }) => state !== 'STATE_DELETING');
    if (cluster === undefined) return { next: 'operation' };
    if (cluster.state === 'STATE_DELETING_AGENT') return { next: 'destroy' };
    // The deletion has not started, or it failed; the operation shows which.
    const { operation_id } = record;
    const operation = operation_id === null ? undefined : await orMissing(world.cloud.getOperation(operation_id));
    if (operation?.state !== 'STATE_IN_PROGRESS') return { next: 'operation' };
    await world.sleep(lookAgainMs);
  }
  throw unreachableError(`the deletion of cluster ${nameOfFlow(record)} did not start`, { code: 'WAIT_TIMEOUT' });
}

/** Runs the plugin to remove the agent if the user agreed earlier or agrees now; otherwise names the command to run. */
async function destroyAgent(record: FlowRecord, world: FlowWorld, again: boolean): Promise<FlowChange> {
  // The plugin may have finished before the interruption; the cluster's state shows it.
  if (again) return { next: 'agent' };
  const call = pluginCallOf(record, 'destroy');
  if (call === null) throw new FlowOver(noPlugin(record));
  if (!record.destroy && !(await world.agreesToDestroy(record))) return { next: 'agent', pausedFor: call };
  checkCall(call);
  await runFlowPlugin(call, world);
  return { next: 'operation' };
}

async function waitForEnd(record: FlowRecord, world: FlowWorld): Promise<FlowChange> {
  const { operation_id: id } = record;
  if (id !== null) {
    const isKnown = await waitForFlowOperation(id, record, world);
    if (!isKnown) return { next: 'operation', operation_id: null };
  } else {
    const left = await waitForFlowCluster(record, world, ({ state }) => !deleting.includes(state));
    if (left !== undefined) throw new FlowOver(failed(record, left.state));
  }
  return { next: afterCluster(record) };
}

function afterCluster({ with_network, with_resource_group }: FlowRecord): FlowRecord['step'] {
  if (with_network) return 'network';
  return with_resource_group ? 'resource-group' : 'done';
}

function afterNetwork({ with_resource_group }: FlowRecord): FlowRecord['step'] {
  return with_resource_group ? 'resource-group' : 'done';
}

async function deleteNetwork(record: FlowRecord, { cloud, onProgress }: FlowWorld): Promise<FlowChange> {
  onProgress('deleting the network');
  const { network_id: id } = record;
  const network = await orUnread(cloud.getNetwork(id));
  const deletion = network?.state === 'STATE_DELETING' ? await findOperation(cloud, 'TYPE_DELETE_NETWORK', id) : null;
  const operation = deletion ?? (await orMissing(cloud.deleteNetwork(id)))?.id ?? null;
  if (operation === null) return { next: afterNetwork(record) };
  return { next: 'network-operation', network_operation_id: operation };
}

async function waitForNetwork(record: FlowRecord, world: FlowWorld): Promise<FlowChange> {
  const { network_operation_id: id } = record;
  if (id === null || (await waitForFlowOperation(id, record, world))) return { next: afterNetwork(record) };
  const left = await orUnread(world.cloud.getNetwork(record.network_id));
  if (left === undefined) return { next: afterNetwork(record) };
  throw notFoundError(`the operation ${id}, which deletes the network, does not exist`, { target: id });
}

async function deleteResourceGroup(record: FlowRecord, { cloud, onProgress }: FlowWorld): Promise<FlowChange> {
  onProgress('deleting the resource group');
  await orMissing(cloud.deleteResourceGroup(record.resource_group_id)); // it may be gone already
  return { next: 'done' };
}

function gone(id: string): CliError {
  return new CliError(exitCodes.notFound, `the cluster ${id} does not exist`, { target: id });
}

function noPlugin(record: FlowRecord): CliError {
  return new CliError(exitCodes.failure, `there is no plugin for the provider of cluster ${nameOfFlow(record)}`, {
    target: nameOfFlow(record),
  });
}

function failed(record: FlowRecord, state: string): CliError {
  return new CliError(
    exitCodes.failure,
    `the cluster ${nameOfFlow(record)} was not deleted: its state is ${typedWord('state', state)}`,
    {
      target: nameOfFlow(record),
    },
  );
}
