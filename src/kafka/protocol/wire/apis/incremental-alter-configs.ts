import { api, type ResponseOf } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string } from '../primitives.ts';

/** What to do with a config, by the protocol's numbers. Append and subtract are for configs that hold a list. */
export const configOperations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;

/** IncrementalAlterConfigs (key 44, KIP-339). The broker makes all changes of a resource or none. */
export const incrementalAlterConfigs = api({
  name: 'IncrementalAlterConfigs',
  key: 44,
  versions: [0, 1],
  flexibleFrom: 1,
  target: 'any',
  // A value that is appended twice is in the list once.
  repeatable: true,
  changes: true,
  request: {
    resources: array(
      struct({
        resourceType: int8,
        resourceName: string,
        configs: array(struct({ name: string, configOperation: int8, value: nullable(string) })),
      }),
    ),
    validateOnly: boolean,
  },
  response: {
    throttleTimeMs: optional(int32),
    responses: array(
      struct({ errorCode: int16, errorMessage: nullable(string), resourceType: int8, resourceName: string }),
    ),
  },
});

/** The result for one resource. */
export type AlteredResource = ResponseOf<typeof incrementalAlterConfigs>['responses'][number];
