import { api } from '../api.ts';
import { optional, since, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** ListTransactions (key 66) (KIP-664; the duration since version 1, KIP-994). */
export const listTransactions = api({
  name: 'ListTransactions',
  key: 66,
  versions: [0, 1],
  flexibleFrom: 0,
  target: 'broker',
  repeatable: true,
  request: {
    stateFilters: array(string),
    producerIdFilters: array(int64),
    durationFilter: since(1, int64, -1n),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    unknownStateFilters: array(string),
    transactionStates: array(
      struct({
        transactionalId: string,
        producerId: int64,
        transactionState: string,
      }),
    ),
  },
});
