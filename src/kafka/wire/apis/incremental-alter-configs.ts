import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string } from '../primitives.ts';

/** IncrementalAlterConfigs (key 44). */
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
