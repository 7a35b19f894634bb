import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { createPartitions } from '../../../kafka/protocol/wire/apis/create-partitions.ts';
import { createTopics } from '../../../kafka/protocol/wire/apis/create-topics.ts';
import { deleteRecords } from '../../../kafka/protocol/wire/apis/delete-records.ts';
import { deleteTopics } from '../../../kafka/protocol/wire/apis/delete-topics.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { noUuid } from '../../../kafka/protocol/wire/primitives.ts';
import type { Cluster, Partition, Problem, Topic } from '../cluster-parts.ts';
import { deleteBefore } from '../replication/replicate.ts';
import { waitFor } from '../replication/wait.ts';
import { eachPartition, type Handler, handler } from '../serve/handler.ts';
import { configOf, topicConfigs } from '../topic-configs.ts';
import { findServed } from './lookup.ts';
import { aliveBrokers, createTopic, type WantedTopic } from './new-topics.ts';
import { assignReplicas } from './registry.ts';

/** Checks whether a broker refuses requests that only the controller performs. KRaft brokers forward them instead. */
function isRefused({ settings, controller }: Cluster, broker: number): boolean {
  return settings.onlyController && controller !== broker;
}

/** CreateTopics: creates topics, or only validates the request. */
export const createTopicsHandler: Handler = handler(createTopics, {
  handle({ cluster, broker }, { topics, validateOnly }) {
    const isOther = isRefused(cluster, broker);
    const names = topics.map(({ name }) => name);
    return {
      topics: topics.map((spec) => {
        if (isOther) return failed(spec.name, { code: codes.NOT_CONTROLLER, message: '' });
        if (names.indexOf(spec.name) !== names.lastIndexOf(spec.name)) {
          return failed(spec.name, { code: codes.INVALID_REQUEST, message: 'Duplicate topic name.' });
        }
        const made = createTopic(cluster, spec, validateOnly);
        return made !== undefined && 'code' in made ? failed(spec.name, made) : created(cluster, spec, made);
      }),
    };
  },
  refuse: ({ topics }, code) => ({ topics: topics.map(({ name }) => failed(name, { code, message: '' })) }),
});

function failed(name: string, { code, message }: Problem) {
  return { name, errorCode: code, errorMessage: message === '' ? undefined : message, configs: [] };
}

function created(cluster: Cluster, spec: WantedTopic, topic: Topic | undefined) {
  const { settings } = cluster;
  const asked = (given: number, fallback: number): number => (given === -1 ? fallback : given);
  const isSet = (name: string): boolean => spec.configs.some((one) => one.name === name);
  return {
    name: spec.name,
    topicId: topic?.id ?? noUuid,
    errorCode: codes.NONE,
    errorMessage: undefined,
    numPartitions: topic?.partitions.length ?? asked(spec.numPartitions, settings.partitions),
    replicationFactor: topic?.partitions[0]?.replicas.length ?? asked(spec.replicationFactor, settings.replicas),
    configs: [...topicConfigs]
      .filter(([name]) => cluster.flavour.listsConfig(name, topic?.configs ?? new Map()))
      .map(([name, { fallback }]) => ({
        name,
        value: topic === undefined ? fallback : configOf(cluster, topic, name),
        readOnly: false,
        configSource: isSet(name) ? 1 : 5,
        isSensitive: false,
      })),
  };
}

/** DeleteTopics: deletes topics by name or id. */
export const deleteTopicsHandler: Handler = handler(deleteTopics, {
  handle({ cluster, broker, version }, request) {
    const isOther = isRefused(cluster, broker);
    const remove = (name: string | undefined, topicId: string) => {
      const topic = name === undefined ? cluster.topics.byId(topicId) : cluster.topics.get(name);
      const unknown = name === undefined ? codes.UNKNOWN_TOPIC_ID : codes.UNKNOWN_TOPIC_OR_PARTITION;
      if (isOther || topic === undefined) {
        const errorCode = isOther ? codes.NOT_CONTROLLER : unknown;
        return { name, topicId, errorCode, errorMessage: undefined };
      }
      cluster.topics.delete(topic);
      return { name: topic.name, topicId: topic.id, errorCode: codes.NONE, errorMessage: undefined };
    };
    if (version < 6) {
      const deletable = request.topicNames.filter((name) => !cluster.flavour.isLeftOut(name));
      return { responses: deletable.map((name) => remove(name, noUuid)) };
    }
    return { responses: request.topics.map(({ name, topicId }) => remove(name, topicId)) };
  },
  refuse: ({ topics, topicNames }, errorCode) => ({
    responses: [...topics, ...topicNames.map((name) => ({ name, topicId: noUuid }))].map((one) => ({
      ...one,
      errorCode,
      errorMessage: undefined,
    })),
  }),
});

/** CreatePartitions: adds partitions to topics, or only validates the request. */
export const createPartitionsHandler: Handler = handler(createPartitions, {
  handle({ cluster, broker }, { topics, validateOnly }) {
    const isOther = isRefused(cluster, broker);
    return {
      results: topics.map(({ name, count, assignments }) => {
        const given = assignments?.map(({ brokerIds }) => brokerIds);
        const problem = isOther
          ? { code: codes.NOT_CONTROLLER, message: '' }
          : grow(cluster, { name, count, assignments: given }, validateOnly);
        const { code = codes.NONE, message } = problem ?? {};
        return { name, errorCode: code, errorMessage: message === '' ? undefined : message };
      }),
    };
  },
  refuse: ({ topics }, errorCode) => ({
    results: topics.map(({ name }) => ({ name, errorCode, errorMessage: undefined })),
  }),
});

interface Growth {
  readonly name: string;
  readonly count: number;
  readonly assignments: readonly (readonly number[])[] | undefined;
}

function grow(cluster: Cluster, { name, count, assignments }: Growth, validateOnly: boolean): Problem | undefined {
  const topic = cluster.topics.get(name);
  if (topic === undefined) {
    return { code: codes.UNKNOWN_TOPIC_OR_PARTITION, message: 'This server does not host this topic-partition.' };
  }
  const now = topic.partitions.length;
  if (count <= now) {
    const message =
      count === now
        ? `Topic already has ${now} partition(s).`
        : `The topic ${name} currently has ${now} partition(s); ${count} would not be an increase.`;
    return { code: codes.INVALID_PARTITIONS, message };
  }
  const shape = { partitions: count - now, replicas: topic.partitions[0]?.replicas.length ?? 1 };
  const alive = aliveBrokers(cluster);
  if (assignments !== undefined && assignments.length !== shape.partitions) {
    return { code: codes.INVALID_REPLICA_ASSIGNMENT, message: `${shape.partitions} assignments are needed.` };
  }
  if (shape.replicas > alive.length) {
    return { code: codes.INVALID_REPLICATION_FACTOR, message: `Only ${alive.length} broker(s) are registered.` };
  }
  if (!validateOnly) cluster.topics.grow(topic, assignments ?? assignReplicas(alive, now, shape));
  return undefined;
}

type DeleteRequest = ReadRequestOf<typeof deleteRecords>;
type DeletedPartition = WrittenResponseOf<typeof deleteRecords>['topics'][number]['partitions'][number];

/** A partition of a DeleteRecords request: one to wait for, or an error code. */
interface Deletion {
  readonly topic: string;
  readonly index: number;
  readonly partition: Partition | undefined;
  readonly start: number;
  readonly errorCode: number;
}

/** DeleteRecords: moves the log start of the leader, and waits until all live replicas have followed. */
export const deleteRecordsHandler: Handler = handler(deleteRecords, {
  handle({ cluster, broker, connection }, request) {
    const deletions = request.topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex, offset }) =>
        deleteOne(cluster, broker, { topic: name, partitionIndex, offset: Number(offset) }),
      ),
    );
    const answerTo = ({ partition, index: partitionIndex, start, errorCode }: Deletion, isLate: boolean) => {
      if (partition === undefined) return { partitionIndex, lowWatermark: -1, errorCode };
      const lowWatermark = lowest(cluster, partition);
      if (partition.leader !== broker) {
        return { partitionIndex, lowWatermark: -1, errorCode: codes.NOT_LEADER_OR_FOLLOWER };
      }
      if (lowWatermark >= start) return { partitionIndex, lowWatermark, errorCode };
      return isLate ? { partitionIndex, lowWatermark, errorCode: codes.REQUEST_TIMED_OUT } : undefined;
    };
    const answer = (isLate: boolean) => deletedIn(request, (one) => answerTo(one, isLate), deletions);
    return waitFor(cluster, {
      connection,
      partitions: deletions.flatMap(({ partition }) => partition ?? []),
      timeoutMs: request.timeoutMs,
      check: () => answer(false),
      late: () => answer(true) ?? { topics: [] },
    });
  },
  refuse: ({ topics }, errorCode) =>
    eachPartition(topics, ({ partitionIndex }) => ({ partitionIndex, lowWatermark: -1, errorCode })),
});

function deleteOne(
  cluster: Cluster,
  broker: number,
  {
    topic,
    partitionIndex: index,
    offset,
  }: { readonly topic: string; readonly partitionIndex: number; readonly offset: number },
): Deletion {
  const failed = (errorCode: number): Deletion => ({ topic, index, partition: undefined, start: -1, errorCode });
  const served = findServed(cluster, broker, { topic, partition: index });
  if (typeof served === 'number') return failed(served);
  const { partition, log } = served;
  if (partition.topic.isInternal) return failed(codes.INVALID_TOPIC_EXCEPTION);
  if (!configOf(cluster, partition.topic, 'cleanup.policy').includes('delete')) return failed(codes.POLICY_VIOLATION);
  const start = offset === -1 ? log.highWatermark : offset;
  if (start < 0 || start > log.highWatermark) return failed(codes.OFFSET_OUT_OF_RANGE);
  deleteBefore(cluster, partition, start);
  return { topic, index, partition, start, errorCode: codes.NONE };
}

/** The lowest log start of the live replicas. */
function lowest(cluster: Cluster, { logs }: Partition): number {
  return Math.min(...[...logs].flatMap(([broker, { startOffset }]) => (cluster.isUp(broker) ? startOffset : [])));
}

function deletedIn(
  { topics }: DeleteRequest,
  answerOf: (one: Deletion) => DeletedPartition | undefined,
  deletions: readonly Deletion[],
): WrittenResponseOf<typeof deleteRecords> | undefined {
  const answers = new Map(deletions.map((one) => [`${one.topic}/${one.index}`, answerOf(one)]));
  if ([...answers.values()].includes(undefined)) return undefined;
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.flatMap(({ partitionIndex }) => answers.get(`${name}/${partitionIndex}`) ?? []),
    })),
  };
}
