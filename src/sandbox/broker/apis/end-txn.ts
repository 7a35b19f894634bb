import { optional } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { boolean, int16, int32, int64, string } from '../wire/primitives.ts';

/** EndTxn (key 26); version 5 belongs to transactions version 2 (KIP-890), which the model does not support. */
export const endTxn = layout({
  name: 'EndTxn',
  key: 26,
  min: 0,
  max: 4,
  flexibleFrom: 3,
  request: { transactionalId: string, producerId: int64, producerEpoch: int16, committed: boolean },
  response: { throttleTimeMs: optional(int32), errorCode: int16 },
});
