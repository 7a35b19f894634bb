import { api } from '../api.ts';
import { optional } from '../fields.ts';
import { boolean, int16, int32, int64, string } from '../primitives.ts';

/** EndTxn (key 26); version 5 belongs to transactions version 2 (KIP-890), which the model does not support. */
export const endTxn = api({
  name: 'EndTxn',
  key: 26,
  versions: [0, 4],
  flexibleFrom: 3,
  target: ({ transactionalId }) => ({ transactionalId }),
  repeatable: true,
  request: { transactionalId: string, producerId: int64, producerEpoch: int16, committed: boolean },
  response: { throttleTimeMs: optional(int32), errorCode: int16 },
});
