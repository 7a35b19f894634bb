import { api } from '../api.ts';
import { optional } from '../fields.ts';
import { int16, int32, int64, string } from '../primitives.ts';

/** AddOffsetsToTxn (key 25). */
export const addOffsetsToTxn = api({
  name: 'AddOffsetsToTxn',
  key: 25,
  versions: [0, 4],
  flexibleFrom: 3,
  target: ({ transactionalId }) => ({ transactionalId }),
  repeatable: true,
  request: { transactionalId: string, producerId: int64, producerEpoch: int16, groupId: string },
  response: { throttleTimeMs: optional(int32), errorCode: int16 },
});
