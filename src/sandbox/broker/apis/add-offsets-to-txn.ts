import { optional } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { int16, int32, int64, string } from '../wire/primitives.ts';

/** AddOffsetsToTxn (key 25). */
export const addOffsetsToTxn = layout({
  name: 'AddOffsetsToTxn',
  key: 25,
  min: 0,
  max: 4,
  flexibleFrom: 3,
  request: { transactionalId: string, producerId: int64, producerEpoch: int16, groupId: string },
  response: { throttleTimeMs: optional(int32), errorCode: int16 },
});
