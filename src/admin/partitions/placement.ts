import { CliError } from '../../errors.ts';
import { showPartition, showTopic } from '../../format/partition-name.ts';
import { type Fields, fieldsOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { readEach } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, listIn, needNumber, needText, numberOr, numbersIn, partitionName, textsIn } from '../client/read.ts';
import type {
  BalancerStatus,
  PartitionCalls,
  PartitionName,
  PartitionState,
  PlacedPartition,
  TopicName,
} from './partition-rows.ts';

/** The calls about where partitions are and who leads them. */
export function openPlacementCalls(
  api: Api,
): Pick<
  PartitionCalls,
  | 'allPartitions'
  | 'partitionsOf'
  | 'partitionStates'
  | 'setDisabled'
  | 'transferLeadership'
  | 'rebalance'
  | 'balancerStatus'
> {
  return {
    allPartitions: () =>
      api.call({
        doing: 'list the partitions',
        method: 'GET',
        path: '/v1/cluster/partitions',
        query: { with_internal: true },
        read: placedIn,
      }),
    partitionsOf: (topic) => readTopic(api, topic),
    partitionStates: (names) => readStates(api, names),
    setDisabled: (name, isDisabled) => setDisabled(api, name, isDisabled),
    transferLeadership: (name, { from, to }) =>
      api.call({
        doing: `transfer the leadership of ${showPartition(name)} to broker ${to}`,
        method: 'POST',
        path: pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/transfer_leadership`,
        query: { target: to },
        // A node that is not the leader any more redirects; a transfer to the leader changes nothing.
        to: { node: from },
        repeats: true,
        read: () => undefined,
      }),
    rebalance: () =>
      api.call({
        doing: 'start to balance the partitions',
        method: 'POST',
        path: '/v1/partitions/rebalance',
        to: 'leader',
        // It only makes the balancer look again.
        repeats: true,
        read: () => undefined,
      }),
    balancerStatus: () =>
      api.call({
        doing: 'read the status of the partition balancer',
        method: 'GET',
        path: '/v1/cluster/partition_balancer/status',
        read: balancerIn,
      }),
  };
}

/** Older versions list the partitions of a topic elsewhere; a 404 of both is about the topic. */
async function readTopic(api: Api, { namespace, topic }: TopicName): Promise<readonly PlacedPartition[]> {
  const call = {
    doing: `list the partitions of topic ${showTopic({ namespace, topic })}`,
    method: 'GET',
    read: placedIn,
  } as const;
  try {
    return await api.call({ ...call, path: pathOf`/v1/cluster/partitions/${namespace}/${topic}` });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    const path = pathOf`/v1/partitions/${namespace}/${topic}`;
    // The topic of the controller is answered with its only partition.
    const read = (body: unknown, what: string) => placedIn(Array.isArray(body) ? body : [body], what);
    return await api.call({ ...call, path, read });
  }
}

/**
 * The states of partitions with the cores of their replicas, which only the list of a topic has where the brokers choose
 * them: the controller does not know them.
 */
async function readStates(api: Api, names: readonly PartitionName[]): Promise<readonly (PartitionState | CliError)[]> {
  const states = await readEach(names, (name) => readPartition(api, name));
  const found = states.filter((state): state is PartitionState => !(state instanceof CliError));
  const topics = [...new Map(found.map((state) => [showTopic(state), state])).values()];
  const lists = await readEach(topics, (topic) => readTopic(api, topic));
  const placed = new Map(
    lists.flatMap((list) => (list instanceof CliError ? [] : list)).map((one) => [showPartition(one), one]),
  );
  return states.map((state) =>
    state instanceof CliError ? state : withCores(state, placed.get(showPartition(state))),
  );
}

function withCores(state: PartitionState, placed: PlacedPartition | undefined): PartitionState {
  if (placed === undefined) return state;
  const coreOf = new Map(placed.replicas.map((id, at) => [id, placed.cores[at]]));
  return { ...state, cores: state.replicas.map((id, at) => coreOf.get(id) ?? state.cores[at] ?? 0) };
}

/** One partition, as the controller knows it. @throws ApiError (404, exit 3) for an unknown one */
export function readPartition(api: Api, name: PartitionName): Promise<PartitionState> {
  return api.call({
    doing: `read partition ${showPartition(name)}`,
    method: 'GET',
    path: pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}`,
    // Other nodes learn of a change later.
    to: 'leader',
    read(body, what) {
      const fields = fieldsOf(body);
      return { ...readPlaced(fields, what), is_moving: fields.status === 'in_progress' };
    },
  });
}

function setDisabled(api: Api, name: TopicName & { readonly partition?: number }, isDisabled: boolean): Promise<void> {
  const { namespace, topic, partition } = name;
  const whole = showTopic(name);
  return api.call({
    doing: `${isDisabled ? 'disable' : 'enable'} ${partition === undefined ? `topic ${whole}` : `${whole}/${partition}`}`,
    method: 'POST',
    path:
      partition === undefined
        ? pathOf`/v1/cluster/partitions/${namespace}/${topic}`
        : pathOf`/v1/cluster/partitions/${namespace}/${topic}/${partition}`,
    body: { disabled: isDisabled },
    to: 'leader',
    // It sets a state, whatever that was before.
    repeats: true,
    read: () => undefined,
  });
}

function placedIn(body: unknown, what: string): readonly PlacedPartition[] {
  return itemsOf(body, what, 'list of partitions')
    .map((fields) => readPlaced(fields, what))
    .sort(inOrder);
}

function readPlaced(fields: Fields, what: string): PlacedPartition {
  const leader = numberOr(fields.leader_id, -1);
  return {
    namespace: needText(fields, 'ns', what),
    topic: needText(fields, 'topic', what),
    partition: needNumber(fields, 'partition_id', what),
    leader: leader < 0 ? null : leader,
    ...replicasIn(fields, 'replicas', what),
    disabled: typeof fields.disabled === 'boolean' ? fields.disabled : null,
  };
}

/** The brokers and the cores of the list of replicas with this name. */
export function replicasIn(fields: Fields, name: string, what: string): Pick<PlacedPartition, 'replicas' | 'cores'> {
  const items = listIn(fields, name, what);
  return {
    replicas: items.map((one) => needNumber(one, 'node_id', what)),
    cores: items.map((one) => needNumber(one, 'core', what)),
  };
}

/** The order of partitions: by namespace, topic and number. */
export function inOrder(a: PartitionName, b: PartitionName): number {
  return compare(a.namespace, b.namespace) || compare(a.topic, b.topic) || a.partition - b.partition;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function balancerIn(body: unknown, what: string): BalancerStatus {
  const fields = fieldsOf(body);
  const violations = fieldsOf(fields.violations);
  return {
    status: needText(fields, 'status', what),
    seconds_since_last_tick: numberOr(fields.seconds_since_last_tick, null),
    current_reassignments: numberOr(fields.current_reassignments_count, null),
    pending_recovery: numberOr(fields.partitions_pending_force_recovery_count, null),
    pending_recovery_partitions: textsIn(fields.partitions_pending_force_recovery_sample).map(partitionName),
    unavailable_brokers: numbersIn(violations.unavailable_nodes),
    over_disk_limit_brokers: numbersIn(violations.over_disk_limit_nodes),
  };
}
