import { CliError } from '../../errors.ts';
import { showPartition, showTopic } from '../../format/partition-name.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { listOf, mapped, sorted } from '../../shape/shape.ts';
import { isOfLedItem, readEach } from '../client/answer-error.ts';
import { type Api, calls } from '../client/api.ts';
import {
  BalancerStatus,
  inOrder,
  LostPartition,
  type PartitionName,
  PartitionState,
  PartitionStorage,
  PlacedPartition,
  type TopicName,
} from './partition-rows.ts';

const placed = sorted(listOf(PlacedPartition), inOrder);
const form = 'list of partitions';

const readAll = calls.get('list the partitions', pathOf`/v1/cluster/partitions`, placed, {
  query: { with_internal: true },
  form,
});

const readBalancer = calls.get(
  'read the status of the partition balancer',
  pathOf`/v1/cluster/partition_balancer/status`,
  BalancerStatus,
);

const readPartitions = calls.get('read the partitions', pathOf`/v1/cluster/partitions`, listOf(PlacedPartition), {
  query: { with_internal: true },
  form,
});

/** It only makes the balancer look again. */
const rebalance = calls.post('start to balance the partitions', pathOf`/v1/partitions/rebalance`, {
  to: 'leader',
  repeats: true,
  // A repeated one is refused while the first is at work.
  isDone: async () => true,
});

/** The server names all brokers that it was asked about (redpanda src/v/cluster/topics_frontend.cc:1331). */
const lostPartition = mapped(LostPartition, (one) => ({
  ...one,
  dead_brokers: one.replicas.filter((id) => one.dead_brokers.includes(id)),
}));

/** The calls about where partitions are, who leads them, what is stored of them, and those that have lost most replicas. */
export function createPlacementCalls(api: Api) {
  return {
    /**
     * The partitions of all topics, with internal ones, by namespace, topic and number.
     * @throws ApiError (404, exit 3) from older versions
     */
    allPartitions: () => api.call(readAll),
    /** The partitions of one topic, by number. @throws ApiError (404, exit 3) for an unknown topic */
    partitionsOf: (topic: TopicName) => readTopic(api, topic),
    /** The state of each of these partitions, as the controller knows it, or why there is none. */
    partitionStates: (names: readonly PartitionName[]) => readStates(api, names),
    /** Disables or enables one partition, or all of a topic. */
    setDisabled: (name: TopicName & { readonly partition?: number }, isDisabled: boolean) =>
      setDisabled(api, name, isDisabled),
    /** Makes a broker with a replica the leader of a partition. @param from the leader, which is asked */
    transferLeadership: (name: PartitionName, { from, to }: { readonly from: number; readonly to: number }) =>
      api.call(
        calls.post(
          `transfer the leadership of ${showPartition(name)} to broker ${to}`,
          pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/transfer_leadership`,
          // A node that is not the leader any more redirects; a transfer to the leader changes nothing.
          { query: { target: to }, to: { node: from }, repeats: true },
        ),
      ),
    /** Starts to balance the partitions now. */
    rebalance: () => api.call(rebalance),
    balancerStatus: () => api.call(readBalancer),
    /**
     * The partitions with a replica on a broker, except that of the controller; undefined if older versions do not list
     * them.
     */
    async partitionsOn(id: number) {
      try {
        const all = await api.call(readPartitions);
        // Without the controller's own partition, which follows the membership of brokers.
        const held = all.filter(({ namespace, replicas }) => namespace !== 'redpanda' && replicas.includes(id));
        return held.map(({ partition, replicas, ...name }) => ({ topic: showTopic(name), partition, replicas }));
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
    /** The storage of partitions of a Kafka topic, as their leaders know it, or why it is not known. */
    storageOf: (topic: string, partitions: readonly Pick<PlacedPartition, 'partition' | 'leader'>[]) =>
      readEach(partitions, ({ partition, leader }) => readStorage(api, { topic, partition, leader }), isOfLedItem),
    /** The partitions most of whose replicas are on these brokers. */
    majorityLost: (brokers: readonly number[]) =>
      api.call(
        calls.get(
          `find the partitions that are lost without broker ${brokers.join(', ')}`,
          pathOf`/v1/partitions/majority_lost`,
          listOf(lostPartition),
          { query: { dead_nodes: brokers.join(',') }, to: 'leader', form: 'list of partitions' },
        ),
      ),
    /** Rebuilds partitions from the replicas that are left, and gives up what only the lost brokers had. */
    forceRecover: (brokers: readonly number[], partitions: readonly LostPartition[]) =>
      api.call(
        calls.post(
          `recover partitions without broker ${brokers.join(', ')}`,
          pathOf`/v1/partitions/force_recover_from_nodes`,
          {
            body: { dead_nodes: brokers, partitions_to_force_recover: partitions.map(recoveryOf) },
            to: 'leader',
            // Records are given up: a second recovery could give up what was written after the first.
            repeats: false,
          },
        ),
      ),
  };
}

interface LedPartition extends Pick<PlacedPartition, 'partition' | 'leader'> {
  readonly topic: string;
}

/** Redirected to the leader of the partition; one that has none is asked for once, and does not hold up the others. */
function readStorage(api: Api, { topic, partition, leader }: LedPartition): Promise<PartitionStorage> {
  const path = pathOf`/v1/cloud_storage/status/${topic}/${partition}`;
  const call = calls.get(`read the storage of ${topic}/${partition}`, path, PartitionStorage);
  return api.call(leader === null ? { ...call, once: true } : call);
}

function recoveryOf({ namespace, topic, partition, topic_revision, replicas, cores, dead_brokers }: LostPartition) {
  return {
    ntp: { ns: namespace, topic, partition },
    topic_revision,
    replicas: replicas.map((id, at) => ({ node_id: id, core: cores[at] })),
    dead_nodes: dead_brokers,
  };
}

/** Older versions list the partitions of a topic elsewhere; a 404 of both is about the topic. */
async function readTopic(api: Api, { namespace, topic }: TopicName): Promise<readonly PlacedPartition[]> {
  const doing = `list the partitions of topic ${showTopic({ namespace, topic })}`;
  try {
    return await api.call(calls.get(doing, pathOf`/v1/cluster/partitions/${namespace}/${topic}`, placed, { form }));
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    const read = calls.get(doing, pathOf`/v1/partitions/${namespace}/${topic}`, placed, { form });
    // The topic of the controller is answered with its only partition.
    return await api.call({ ...read, read: (body, what) => read.read(Array.isArray(body) ? body : [body], what) });
  }
}

/**
 * The states of partitions with the cores of their replicas, which only the list of a topic has where the brokers choose
 * them: the controller does not know them.
 */
async function readStates(api: Api, names: readonly PartitionName[]): Promise<readonly (PartitionState | CliError)[]> {
  const states = await readEach(names, (name) => readPartition(api, name));
  const readable = states.filter((state): state is PartitionState => !(state instanceof CliError));
  const topics = [...new Map(readable.map((state) => [showTopic(state), state])).values()];
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
  const path = pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}`;
  // Other nodes learn of a change later.
  return api.call(calls.get(`read partition ${showPartition(name)}`, path, PartitionState, { to: 'leader' }));
}

function setDisabled(api: Api, name: TopicName & { readonly partition?: number }, isDisabled: boolean): Promise<void> {
  const { namespace, topic, partition } = name;
  const whole = showTopic(name);
  const doing = `${isDisabled ? 'disable' : 'enable'} ${partition === undefined ? `topic ${whole}` : `${whole}/${partition}`}`;
  const path =
    partition === undefined
      ? pathOf`/v1/cluster/partitions/${namespace}/${topic}`
      : pathOf`/v1/cluster/partitions/${namespace}/${topic}/${partition}`;
  // It sets a state, whatever that was before.
  return api.call(calls.post(doing, path, { body: { disabled: isDisabled }, to: 'leader', repeats: true }));
}
