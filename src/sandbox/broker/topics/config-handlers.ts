import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { describeCluster } from '../../../kafka/protocol/wire/apis/describe-cluster.ts';
import { configSources, describeConfigs, resourceTypes } from '../../../kafka/protocol/wire/apis/describe-configs.ts';
import {
  configOperations,
  incrementalAlterConfigs,
} from '../../../kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listConfigResources } from '../../../kafka/protocol/wire/apis/list-config-resources.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Problem, Topic } from '../cluster-parts.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { configOf, type TopicConfig, topicConfigs } from '../topic-configs.ts';
import { problemWithConfig } from './new-topics.ts';

/** The protocol's numbers for config types. */
const types: Readonly<Record<TopicConfig['type'], number>> = {
  boolean: 1,
  string: 2,
  int: 3,
  long: 5,
  double: 6,
  list: 7,
};

type Result = WrittenResponseOf<typeof describeConfigs>['results'][number];
type Resource = ReadRequestOf<typeof describeConfigs>['resources'][number];

/** DescribeConfigs: returns the configs of topics; of Kafka's brokers, only one that producers ask for. */
export const describeConfigsHandler: Handler = handler(describeConfigs, {
  handle: ({ cluster }, { resources: asked, includeSynonyms }) => ({
    results: asked.map((resource) => describe(cluster, resource, includeSynonyms)),
  }),
  refuse: (request, code) => ({ results: request.resources.map((resource) => failed(resource, code)) }),
});

function failed({ resourceType, resourceName }: Resource, errorCode: number): Result {
  return { errorCode, errorMessage: undefined, resourceType, resourceName, configs: [] };
}

function describe(cluster: Cluster, resource: Resource, includeSynonyms: boolean): Result {
  const { resourceType, resourceName, configurationKeys } = resource;
  if (resourceType === resourceTypes.broker) return describeBroker(cluster, resource);
  // Redpanda answers for other types (handlers/describe_configs.cc:113), and has none of them.
  const code = cluster.flavour.brokerConfigs === undefined ? codes.INVALID_REQUEST : codes.NONE;
  if (resourceType !== resourceTypes.topic) return failed(resource, code);
  const topic = cluster.topics.get(resourceName);
  if (topic === undefined) return failed(resource, codes.UNKNOWN_TOPIC_OR_PARTITION);
  const configs = [...topicConfigs.keys()]
    .filter((name) => cluster.flavour.listsConfig(name, topic.configs))
    .filter((name) => configurationKeys === undefined || configurationKeys.includes(name))
    .map((name) => entry(cluster, topic, name, includeSynonyms));
  return { errorCode: codes.NONE, errorMessage: undefined, resourceType, resourceName, configs };
}

const expirationKey = 'producer.id.expiration.ms';

function describeBroker(cluster: Cluster, resource: Resource): Result {
  const { settings, flavour } = cluster;
  const { configurationKeys: keys } = resource;
  if (flavour.brokerConfigs !== undefined) {
    const listed = flavour.brokerConfigs.describe(cluster).filter(({ name }) => keys?.includes(name) !== false);
    const configs = listed.map(({ name, value, isSet }) => ({
      name,
      value,
      readOnly: false,
      configSource: isSet ? configSources.STATIC_BROKER_CONFIG : configSources.DEFAULT_CONFIG,
      isSensitive: false,
      synonyms: [],
      configType: types.string,
      documentation: undefined,
    }));
    return { ...failed(resource, codes.NONE), configs };
  }
  const isAsked = keys?.includes(expirationKey) === true;
  const config = {
    name: expirationKey,
    value: String(settings.producerExpirationMs),
    readOnly: false,
    configSource: configSources.DEFAULT_CONFIG,
    isSensitive: false,
    synonyms: [],
    configType: types.int,
    documentation: undefined,
  };
  return { ...failed(resource, codes.NONE), configs: isAsked ? [config] : [] };
}

function entry(cluster: Cluster, topic: Topic, name: string, includeSynonyms: boolean): Result['configs'][number] {
  const config = topicConfigs.get(name);
  const value = configOf(cluster, topic, name);
  const isHidden = cluster.flavour.hidesDefault(name) && value === config?.fallback;
  const isSet = topic.configs.has(name) && !isHidden;
  const synonyms = [
    ...(isSet ? [{ name, value, source: configSources.DYNAMIC_TOPIC_CONFIG }] : []),
    { name, value: config?.fallback, source: configSources.DEFAULT_CONFIG },
  ];
  return {
    name,
    value,
    readOnly: false,
    configSource: isSet ? configSources.DYNAMIC_TOPIC_CONFIG : configSources.DEFAULT_CONFIG,
    isSensitive: false,
    synonyms: includeSynonyms ? synonyms : [],
    configType: types[config?.type ?? 'string'],
    documentation: undefined,
  };
}

type Alteration = ReadRequestOf<typeof incrementalAlterConfigs>['resources'][number];

/** IncrementalAlterConfigs: changes the configs of topics. */
export const incrementalAlterConfigsHandler: Handler = handler(incrementalAlterConfigs, {
  handle: ({ cluster }, request) => ({
    responses: request.resources.map((one) => {
      const { code = codes.NONE, message } = alter(cluster, one, request.validateOnly) ?? {};
      const { resourceType, resourceName } = one;
      return { errorCode: code, errorMessage: message, resourceType, resourceName };
    }),
  }),
  refuse: (request, errorCode) => ({
    responses: request.resources.map(({ resourceType, resourceName }) => ({
      errorCode,
      errorMessage: undefined,
      resourceType,
      resourceName,
    })),
  }),
});

function alter(cluster: Cluster, alteration: Alteration, validateOnly: boolean): Problem | undefined {
  const { resourceType } = alteration;
  if (resourceType === resourceTypes.topic) return alterTopic(cluster, alteration, validateOnly);
  // Whatever is no topic (handlers/details/alter_config_utils.h:29).
  if (cluster.flavour.brokerConfigs !== undefined) return cluster.flavour.brokerConfigs.alter(alteration);
  return { code: codes.INVALID_REQUEST, message: 'Only topics can be altered.' };
}

function alterTopic(
  cluster: Cluster,
  { resourceName, configs }: Alteration,
  validateOnly: boolean,
): Problem | undefined {
  const topic = cluster.topics.get(resourceName);
  const next = new Map(topic?.configs);
  for (const config of configs) {
    const { name } = config;
    const now = topic === undefined ? (topicConfigs.get(name)?.fallback ?? '') : configOf(cluster, topic, name);
    const problem = alterOne(cluster, config, { now, next });
    if (problem !== undefined) return problem;
  }
  if (topic === undefined) {
    return { code: codes.UNKNOWN_TOPIC_OR_PARTITION, message: `The topic '${resourceName}' does not exist.` };
  }
  if (validateOnly) return undefined;
  const replicas = configs.find(({ name }) => name === 'replication.factor')?.value;
  const problem = replicas === undefined ? undefined : cluster.flavour.resize(cluster, topic, Number(replicas));
  if (problem !== undefined) return problem;
  topic.configs.clear();
  for (const [name, value] of next) topic.configs.set(name, value);
  cluster.publish(topic);
  return undefined;
}

/** Applies the change of one config to the next ones of its topic. */
function alterOne(
  cluster: Cluster,
  { name, configOperation, value }: Alteration['configs'][number],
  { now, next }: { readonly now: string; readonly next: Map<string, string> },
): Problem | undefined {
  const { flavour } = cluster;
  if (!flavour.hasListOperations && isListOperation(configOperation))
    return { code: codes.INVALID_CONFIG, message: `operation isn't supported for ${name} configuration` };
  const uneven = name === 'replication.factor' ? flavour.problemWithReplicas(Number(value)) : undefined;
  if (uneven !== undefined) return { code: codes.INVALID_CONFIG, message: uneven.message };
  if (flavour.ignoresConfig(name, 'alter')) return undefined;
  if (configOperation === configOperations.delete) {
    next.delete(name);
    return undefined;
  }
  if (value === undefined) return { code: codes.INVALID_REQUEST, message: `Null value not supported for ${name}` };
  const wanted = combine(configOperation, now, value);
  const problem = problemWithConfig(cluster, name, wanted);
  if (problem === undefined) next.set(name, wanted);
  return problem;
}

function isListOperation(operation: number): boolean {
  return operation === configOperations.append || operation === configOperations.subtract;
}

function combine(operation: number, now: string, value: string): string {
  if (operation === configOperations.set) return value;
  const words = now.split(',').filter((word) => word !== '' && word !== value);
  return (operation === configOperations.append ? [...words, value] : words).join(',');
}

/** ListConfigResources: lists topics and brokers; the model has no configs of groups and no client metrics. */
export const listConfigResourcesHandler: Handler = handler(listConfigResources, {
  handle({ cluster, version }, { resourceTypes: asked }) {
    const brokers = cluster.brokers.map(({ id }) => String(id));
    const names: ReadonlyMap<number, readonly string[]> = new Map([
      [resourceTypes.topic, [...cluster.topics.all()].map(({ name }) => name)],
      [resourceTypes.broker, brokers],
      [resourceTypes.brokerLogger, brokers],
      [resourceTypes.clientMetrics, []],
      [resourceTypes.group, []],
    ]);
    const types = version === 0 ? [resourceTypes.clientMetrics] : asked.length === 0 ? [...names.keys()] : asked;
    if (!types.every((type) => names.has(type))) return { errorCode: codes.UNSUPPORTED_VERSION, configResources: [] };
    return {
      errorCode: codes.NONE,
      configResources: [...new Set(types)].flatMap((resourceType) =>
        (names.get(resourceType) ?? []).map((resourceName) => ({ resourceName, resourceType })),
      ),
    };
  },
  refuse: (_request, errorCode) => ({ errorCode, configResources: [] }),
});

/** DescribeCluster: returns the brokers and the controller as known to the broker. */
export const describeClusterHandler: Handler = handler(describeCluster, {
  handle({ cluster, broker }, { endpointType }) {
    const image = cluster.image(broker);
    return {
      errorCode: codes.NONE,
      errorMessage: undefined,
      endpointType,
      clusterId: cluster.flavour.clusterId,
      controllerId: image.controller,
      brokers: cluster.brokers
        .filter(({ id }) => image.alive.has(id))
        .map(({ id, host, port, rack }) => ({ brokerId: id, host, port, rack, isFenced: false })),
    };
  },
  refuse: (_request, errorCode) => ({
    errorCode,
    errorMessage: undefined,
    clusterId: '',
    controllerId: -1,
    brokers: [],
  }),
});
