import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The resource types that have configs (KIP-133 and later), with the protocol's numbers. */
export const resourceTypes = { topic: 2, broker: 4, brokerLogger: 8, clientMetrics: 16, group: 32 } as const;

/** The names of config sources, by the protocol's numbers. */
const sources: ReadonlyMap<number, string> = new Map([
  [1, 'DYNAMIC_TOPIC_CONFIG'],
  [2, 'DYNAMIC_BROKER_CONFIG'],
  [3, 'DYNAMIC_DEFAULT_BROKER_CONFIG'],
  [4, 'STATIC_BROKER_CONFIG'],
  [5, 'DEFAULT_CONFIG'],
  [6, 'DYNAMIC_BROKER_LOGGER_CONFIG'],
  [7, 'DYNAMIC_CLIENT_METRICS_CONFIG'],
  [8, 'DYNAMIC_GROUP_CONFIG'],
]);

/** A resource and the config keys to describe; undefined for all. */
export interface DescribeConfigsResource {
  readonly type: number;
  /** A topic name, or a node id in digits. */
  readonly name: string;
  readonly keys: readonly string[] | undefined;
}

/** The resources to describe. */
export interface DescribeConfigsRequest {
  readonly resources: readonly DescribeConfigsResource[];
  /** Whether to include the other places where each config is set. */
  readonly synonyms?: boolean;
}

/** One of the places where a config is set. */
export interface ConfigSynonym {
  /** The key in that place, for example `log.retention.ms` for `retention.ms`. */
  readonly key: string;
  readonly value: string | undefined;
  readonly source: string;
}

/** One config; `value` is undefined if it is null or sensitive. */
export interface DescribedConfig {
  readonly key: string;
  readonly value: string | undefined;
  readonly readOnly: boolean;
  /** The protocol's name of the source, for example `DEFAULT_CONFIG`. */
  readonly source: string;
  readonly sensitive: boolean;
  /** Where it is set, the place that counts first; empty unless requested. */
  readonly synonyms: readonly ConfigSynonym[];
}

/** The configs of one resource, or the reason why there are none. */
export interface DescribedResource {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly type: number;
  readonly name: string;
  readonly configs: readonly DescribedConfig[];
}

/** One entry per resource. */
export interface DescribeConfigsResponse {
  readonly resources: readonly DescribedResource[];
}

/** DescribeConfigs v1–4, without documentation. */
export const describeConfigs: Api<DescribeConfigsRequest, DescribeConfigsResponse> = adapted({
  name: 'DescribeConfigs',
  key: 32,
  min: 1,
  max: 4,
  flexibleFrom: 4,
  target: 'any',
  repeatable: true,
  encode(writer, request, version) {
    writer.array(request.resources, (resource) => {
      writer.int8(resource.type);
      writer.string(resource.name);
      writer.nullableArray(resource.keys, writer.string);
      writer.tags();
    });
    writer.boolean(request.synonyms ?? false);
    if (version >= 3) writer.boolean(false); // include_documentation
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const resources = reader.array(() => readResource(reader, version));
    reader.tags();
    return { throttleMs, resources };
  },
});

function readResource(reader: Reader, version: number): DescribedResource {
  const resource = {
    errorCode: reader.int16(),
    errorMessage: reader.nullableString(),
    type: reader.int8(),
    name: reader.string(),
    configs: reader.array(() => readConfig(reader, version)),
  };
  reader.tags();
  return resource;
}

function readConfig(reader: Reader, version: number): DescribedConfig {
  const key = reader.string();
  const value = reader.nullableString();
  const readOnly = reader.boolean();
  const source = reader.int8();
  const sensitive = reader.boolean();
  const synonyms = reader.array(() => readSynonym(reader));
  if (version >= 3) reader.int8(); // config_type
  if (version >= 3) reader.nullableString(); // documentation
  reader.tags();
  return { key, value, readOnly, source: sourceName(source), sensitive, synonyms };
}

function readSynonym(reader: Reader): ConfigSynonym {
  const key = reader.string();
  const value = reader.nullableString();
  const source = sourceName(reader.int8());
  reader.tags();
  return { key, value, source };
}

function sourceName(source: number): string {
  return sources.get(source) ?? 'UNKNOWN';
}
