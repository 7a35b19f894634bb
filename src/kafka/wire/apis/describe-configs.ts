import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string } from '../primitives.ts';

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
    includeSynonyms: boolean,
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
