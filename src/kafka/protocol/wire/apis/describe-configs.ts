import { api, type ResponseOf } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string } from '../primitives.ts';

/** The resource types that have configs (KIP-133 and later), by the protocol's numbers. */
export const resourceTypes = { topic: 2, broker: 4, brokerLogger: 8, clientMetrics: 16, group: 32 } as const;

/** The places where a config may be set, by the protocol's numbers. */
export const configSources = {
  DYNAMIC_TOPIC_CONFIG: 1,
  DYNAMIC_BROKER_CONFIG: 2,
  DYNAMIC_DEFAULT_BROKER_CONFIG: 3,
  STATIC_BROKER_CONFIG: 4,
  DEFAULT_CONFIG: 5,
  DYNAMIC_BROKER_LOGGER_CONFIG: 6,
  DYNAMIC_CLIENT_METRICS_CONFIG: 7,
  DYNAMIC_GROUP_CONFIG: 8,
} as const;

const sourceNames: ReadonlyMap<number, string> = new Map(
  Object.entries(configSources).map(([name, source]) => [source, name]),
);

/** The protocol's name of a config source, for example `DEFAULT_CONFIG`. */
export function configSourceName(source: number): string {
  return sourceNames.get(source) ?? 'UNKNOWN';
}

/** DescribeConfigs (key 32). */
export const describeConfigs = api({
  name: 'DescribeConfigs',
  key: 32,
  versions: [1, 4],
  flexibleFrom: 4,
  target: 'any',
  repeatable: true,
  request: {
    resources: array(struct({ resourceType: int8, resourceName: string, configurationKeys: nullable(array(string)) })),
    // The other places where each config is set, the one that counts first.
    includeSynonyms: optional(boolean),
    includeDocumentation: since(3, boolean),
  },
  response: {
    throttleTimeMs: optional(int32),
    results: array(
      struct({
        errorCode: int16,
        errorMessage: nullable(string),
        resourceType: int8,
        resourceName: string,
        configs: array(
          struct({
            name: string,
            value: nullable(string),
            readOnly: boolean,
            configSource: int8,
            isSensitive: boolean,
            synonyms: array(struct({ name: string, value: nullable(string), source: int8 })),
            configType: since(3, int8),
            documentation: since(3, nullable(string)),
          }),
        ),
      }),
    ),
  },
});

/** The configs of one resource, or the reason why there are none. */
export type DescribedResource = ResponseOf<typeof describeConfigs>['results'][number];
/** One config; its value is undefined if it is null or sensitive. */
export type DescribedConfig = DescribedResource['configs'][number];
