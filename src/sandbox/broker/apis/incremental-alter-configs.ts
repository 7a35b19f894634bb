import { nullable, optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, boolean, int8, int16, int32, string } from '../wire/primitives.ts';

/** IncrementalAlterConfigs (key 44). */
export const incrementalAlterConfigs = layout({
  name: 'IncrementalAlterConfigs',
  key: 44,
  min: 0,
  max: 1,
  flexibleFrom: 1,
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
