import { createPartitions } from '../apis/create-partitions.ts';
import { createTopics } from '../apis/create-topics.ts';
import { deleteRecords } from '../apis/delete-records.ts';
import { deleteTopics } from '../apis/delete-topics.ts';
import type { Cluster } from '../cluster-parts.ts';
import { codes } from '../error-codes.ts';
import { moveStart } from '../log/replica-log.ts';
import { notify } from '../replication/partition.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { noUuid } from '../wire/primitives.ts';
import { configOf, topicConfigs } from './configs.ts';
import { findServed } from './lookup.ts';
import { aliveBrokers, createTopic, type Problem, type WantedTopic } from './new-topics.ts';
import { assignReplicas } from './registry.ts';
import type { Topic } from './topic.ts';

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
      topics: topics.map((wanted) => {
        if (isOther) return failed(wanted.name, { code: codes.NOT_CONTROLLER, message: '' });
        if (names.indexOf(wanted.name) !== names.lastIndexOf(wanted.name)) {
          return failed(wanted.name, { code: codes.INVALID_REQUEST, message: 'Duplicate topic name.' });
        }
        const made = createTopic(cluster, wanted, validateOnly);
        return made !== undefined && 'code' in made ? failed(wanted.name, made) : created(cluster, wanted, made);
      }),
    };
  },
  refuse: ({ topics }, code) => ({ topics: topics.map(({ name }) => failed(name, { code, message: '' })) }),
});

function failed(name: string, { code, message }: Problem) {
  return { name, errorCode: code, errorMessage: message === '' ? undefined : message, configs: [] };
}

function created(cluster: Cluster, wanted: WantedTopic, topic: Topic | undefined) {
  const { settings } = cluster;
  const asked = (given: number, fallback: number): number => (given === -1 ? fallback : given);
  const isSet = (name: string): boolean => wanted.configs.some((one) => one.name === name);
  return {
    name: wanted.name,
    topicId: topic?.id ?? noUuid,
    errorCode: codes.NONE,
    errorMessage: undefined,
    numPartitions: topic?.partitions.length ?? asked(wanted.numPartitions, settings.partitions),
    replicationFactor: topic?.partitions[0]?.replicas.length ?? asked(wanted.replicationFactor, settings.replicas),
    configs: [...topicConfigs].map(([name, { fallback }]) => ({
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
    if (version < 6) return { responses: request.topicNames.map((name) => remove(name, noUuid)) };
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

/** DeleteRecords: moves the log start offset on every replica immediately. */
export const deleteRecordsHandler: Handler = handler(deleteRecords, {
  handle: ({ cluster, broker }, request) => ({
    topics: request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex, offset }) => {
        const answer = (errorCode: number, lowWatermark = -1) => ({ partitionIndex, lowWatermark, errorCode });
        const served = findServed(cluster, broker, { topic: name, partition: partitionIndex });
        if (typeof served === 'number') return answer(served);
        const { highWatermark } = served.log;
        const start = offset === -1 ? highWatermark : offset;
        if (start < 0 || start > highWatermark) return answer(codes.OFFSET_OUT_OF_RANGE);
        for (const log of served.partition.logs.values()) moveStart(log, start);
        notify(served.partition);
        return answer(codes.NONE, served.log.startOffset);
      }),
    })),
  }),
  refuse: ({ topics }, errorCode) => ({
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, lowWatermark: -1, errorCode })),
    })),
  }),
});
