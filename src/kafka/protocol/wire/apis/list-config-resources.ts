import { api } from '../api.ts';
import { optional, since, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';
import { resourceTypes } from './describe-configs.ts';

/** ListConfigResources (key 74) (KIP-1142). Version 0, of KIP-1000, lists only client metrics. */
export const listConfigResources = api({
  name: 'ListConfigResources',
  key: 74,
  versions: [0, 1],
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  // Empty for all types that the broker lists.
  request: { resourceTypes: since(1, array(int8)) },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    configResources: array(struct({ resourceName: string, resourceType: since(1, int8, resourceTypes.clientMetrics) })),
  },
});
