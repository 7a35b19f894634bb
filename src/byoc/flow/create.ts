import { typedWord } from '../../cloud/api/cloud-words.ts';
import { unknownCreation } from '../../cloud/api/lost-answer.ts';
import { type Cluster, cluster as clusterResource } from '../../cloud/cloud-rows.ts';
import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { isRefusal } from '../../net/json-api/error.ts';
import type { Fields } from '../../shape/object.ts';
import { type CreateStep, type FlowRecord, nameOfFlow, pluginCallOf } from './record.ts';
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

/**
 * The steps to create a cluster: the plugin runs between the request and the end of the operation. A Dedicated cluster
 * skips the plugin steps.
 */
export const createSteps: Readonly<Record<CreateStep, FlowStep>> = {
  create: createCluster,
  agent: waitForAgent,
  apply: applyPlugin,
  operation: waitForEnd,
  read: readCluster,
};

const operationType = 'TYPE_CREATE_CLUSTER';

async function createCluster(record: FlowRecord, world: FlowWorld, again: boolean): Promise<FlowChange> {
  world.onProgress('creating the cluster');
  const next = record.byoc ? 'agent' : 'operation';
  const existing = again ? await findCreated(record, world) : undefined;
  if (existing !== undefined) {
    const operation_id = await findOperation(world.cloud, operationType, existing.id);
    return { next, cluster_id: existing.id, operation_id };
  }
  if (record.withheld.length > 0) throw new FlowOver(notRepeatable(record));
  const operation = await post(record.request ?? {}, world);
  const named = operation.metadata.cluster_id;
  const cluster_id = typeof named === 'string' && named !== '' ? named : operation.resource_id;
  return { next, cluster_id, operation_id: operation.id };
}

/**
 * Names are unique, so a cluster with this name in this network is the one that the lost request created.
 * @throws CliError if the control plane has no list that would say so
 */
async function findCreated(record: FlowRecord, { cloud }: FlowWorld): Promise<Cluster | undefined> {
  const { cluster_name: name, network_id } = record;
  const clusters = await orUnread(cloud.listClusters({ name_contains: name }));
  if (clusters === undefined) throw unknownCreation(clusterResource, name);
  return clusters.find((one) => one.name === name && one.network_id === network_id);
}

async function post(request: Fields, { cloud }: FlowWorld) {
  try {
    return await cloud.createCluster(request);
  } catch (error) {
    // The server rejected the request, so there is nothing to resume.
    throw isRefusal(error) ? new FlowOver(error) : error;
  }
}

function notRepeatable({ cluster_name, withheld }: FlowRecord): CliError {
  return new CliError(exitCodes.conflict, `the cluster "${cluster_name}" was not created before the interruption`, {
    code: 'NOT_CREATED',
    target: cluster_name,
    hints: [
      'repeat the same "weir cloud cluster create" command; it cannot be resumed, ' +
        `because ${withheld.join(', ')} may be secret and was not stored`,
    ],
  });
}

const afterAgent = ['STATE_READY', 'STATE_UPGRADING', 'STATE_SUSPENDED'];
const dead = ['STATE_FAILED', 'STATE_DELETING', 'STATE_DELETING_AGENT'];

/** Waits for the state in which the plugin can run; a cluster in a later state was applied from elsewhere. */
async function waitForAgent(record: FlowRecord, world: FlowWorld): Promise<FlowChange> {
  const awaited = ['STATE_CREATING_AGENT', ...afterAgent, ...dead];
  const cluster = await waitForFlowCluster(record, world, ({ state }) => awaited.includes(state));
  if (cluster === undefined) throw new FlowOver(gone(record));
  if (cluster.state === 'STATE_CREATING_AGENT') return { next: 'apply', cluster };
  if (afterAgent.includes(cluster.state)) return { next: 'operation' };
  // The operation has the reason for a failure; a cluster that is being deleted has no such operation.
  if (cluster.state === 'STATE_FAILED' && record.operation_id !== null) return { next: 'operation' };
  throw new FlowOver(lost(record, `its state is ${typedWord('state', cluster.state)}`));
}

async function applyPlugin(record: FlowRecord, world: FlowWorld, again: boolean): Promise<FlowChange> {
  // The plugin may have finished before the interruption; the cluster's state shows it.
  if (again) return { next: 'agent' };
  const call = pluginCallOf(record, 'apply');
  if (!world.applies) return { next: 'agent', pausedFor: call };
  if (call === null) throw new FlowOver(lost(record, 'it has no provider'));
  await runFlowPlugin(call, world);
  return { next: 'operation' };
}

async function waitForEnd(record: FlowRecord, world: FlowWorld): Promise<FlowChange> {
  if (record.operation_id !== null) {
    const isKnown = await waitForFlowOperation(record.operation_id, record, world);
    return isKnown ? { next: 'read' } : { next: 'operation', operation_id: null };
  }
  const cluster = await waitForFlowCluster(record, world, ({ state }) => [...afterAgent, ...dead].includes(state));
  if (cluster === undefined) throw new FlowOver(gone(record));
  if (dead.includes(cluster.state))
    throw new FlowOver(lost(record, `its state is ${typedWord('state', cluster.state)}`));
  return { next: 'read' };
}

async function readCluster(record: FlowRecord, { cloud }: FlowWorld): Promise<FlowChange> {
  const cluster = await orMissing(cloud.getCluster(nameOfFlow(record)));
  if (cluster === undefined) throw new FlowOver(gone(record));
  return { next: 'done', cluster };
}

function gone(record: FlowRecord): CliError {
  const name = nameOfFlow(record);
  return notFoundError(`the cluster ${name} no longer exists: it was deleted during its creation`, {
    code: 'NOT_FOUND',
    target: name,
    hints: ['remove what the agent may have left in your own cloud account; there is nothing to resume'],
  });
}

function lost(record: FlowRecord, reason: string): CliError {
  const name = nameOfFlow(record);
  return new CliError(exitCodes.failure, `the cluster ${name} was not created: ${reason}`, {
    code: 'NOT_CREATED',
    target: name,
    hints: [
      commandText`see its state with: weir cloud cluster get ${name}`,
      commandText`delete it with: weir cloud cluster delete ${name}`,
    ],
  });
}
