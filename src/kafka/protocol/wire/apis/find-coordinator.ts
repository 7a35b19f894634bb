import { api } from '../api.ts';
import { between, nullable, since, struct, until } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** FindCoordinator (key 10); several keys since version 4. */
export const findCoordinator = api({
  name: 'FindCoordinator',
  key: 10,
  versions: [0, 6],
  client: [1, 6],
  flexibleFrom: 3,
  target: 'any',
  repeatable: true,
  errorCode: ({ errorCode, coordinators: [first, ...rest] }) =>
    errorCode || (rest.length === 0 ? (first?.errorCode ?? 0) : 0),
  request: { key: until(3, string), keyType: since(1, int8), coordinatorKeys: since(4, array(string)) },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: until(3, int16),
    errorMessage: between([1, 3], nullable(string)),
    nodeId: until(3, int32),
    host: until(3, string),
    port: until(3, int32),
    coordinators: since(
      4,
      array(
        struct({
          key: string,
          nodeId: int32,
          host: string,
          port: int32,
          errorCode: int16,
          errorMessage: nullable(string),
        }),
      ),
    ),
  },
});
