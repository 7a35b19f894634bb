import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { metadata } from '../../../kafka/protocol/wire/apis/metadata.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { noUuid } from '../../../kafka/protocol/wire/primitives.ts';
import type { Cluster, MetadataImage, TopicImage } from '../cluster-parts.ts';
import { type Handler, handler, type RequestContext } from '../serve/handler.ts';
import { autoCreate, isTopicName } from './new-topics.ts';

type Request = ReadRequestOf<typeof metadata>;
type Response = WrittenResponseOf<typeof metadata>;
type TopicAnswer = Response['topics'][number];

/** Metadata: returns the broker's view of the cluster, which can be outdated. */
export const metadataHandler: Handler = handler(metadata, {
  handle(context, request) {
    const { cluster, broker, version } = context;
    const image = cluster.image(broker);
    const topics =
      request.topics === undefined || (version === 0 && request.topics.length === 0)
        ? [...image.topics.values()]
            .filter(({ name }) => cluster.flavour.showsTopic(name))
            .map((topic) => topicAnswer(context, image, topic))
        : request.topics.map((topic) => answerFor(context, image, request, topic));
    return { ...brokersOf(cluster, image), topics };
  },
  refuse: (request, code) => ({
    brokers: [],
    errorCode: code,
    topics: (request.topics ?? []).map(({ name, topicId }) => missing(name, topicId, code)),
  }),
});

function brokersOf(cluster: Cluster, image: MetadataImage) {
  const brokers = cluster.brokers
    .filter(({ id }) => image.alive.has(id))
    .map(({ id, host, port, rack }) => ({ nodeId: id, host, port, rack }));
  return { brokers, clusterId: cluster.flavour.clusterId, controllerId: image.controller };
}

function answerFor(
  context: RequestContext,
  image: MetadataImage,
  request: Request,
  { name, topicId }: NonNullable<Request['topics']>[number],
): TopicAnswer {
  const { cluster, version } = context;
  const isById = version >= 10 && (name === undefined || name === '');
  const topic = image.topics.get(isById ? (image.names.get(topicId) ?? '') : (name ?? ''));
  if (topic !== undefined) return topicAnswer(context, image, topic);
  if (isById) return missing(undefined, topicId, codes.UNKNOWN_TOPIC_ID);
  if (!isTopicName(name ?? '')) return missing(name, noUuid, codes.INVALID_TOPIC_EXCEPTION);
  if (request.allowAutoTopicCreation && cluster.settings.autoCreateTopics) autoCreate(cluster, name ?? '');
  return missing(name, noUuid, codes.UNKNOWN_TOPIC_OR_PARTITION);
}

function missing(name: string | undefined, topicId: string, errorCode: number): TopicAnswer {
  return { errorCode, name, topicId, isInternal: false, partitions: [] };
}

function topicAnswer(
  { cluster }: RequestContext,
  image: MetadataImage,
  { name, id, isInternal, partitions }: TopicImage,
): TopicAnswer {
  return {
    errorCode: codes.NONE,
    name,
    topicId: cluster.settings.topicIds ? id : noUuid,
    isInternal,
    partitions: partitions.map((partition) => ({
      partitionIndex: partition.index,
      leaderEpoch: partition.leaderEpoch,
      replicaNodes: partition.replicas,
      ...cluster.flavour.shownPartition(cluster, name, partition, image.alive),
    })),
  };
}
