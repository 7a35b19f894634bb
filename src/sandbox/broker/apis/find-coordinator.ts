import { between, nullable, since, struct, until } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int8, int16, int32, string } from '../wire/primitives.ts';

/** FindCoordinator (key 10); several keys since version 4. */
export const findCoordinator = layout({
  name: 'FindCoordinator',
  key: 10,
  min: 0,
  max: 6,
  flexibleFrom: 3,
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
