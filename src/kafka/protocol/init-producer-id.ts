import { type Api, adapted } from './api.ts';

/** Requests a producer's identity. */
export interface InitProducerIdRequest {
  /** The transactional id; undefined for a producer that is only idempotent. */
  readonly transactionalId: string | undefined;
  readonly transactionTimeoutMs: number;
  /** The identity so far, which the broker checks and whose epoch it raises (from version 3). */
  readonly current?: { readonly producerId: bigint; readonly producerEpoch: number };
}

/** A producer's identity, by which the broker recognizes repeated batches. */
export interface InitProducerIdResponse {
  readonly errorCode: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/** InitProducerId (key 22). */
export const initProducerId: Api<InitProducerIdRequest, InitProducerIdResponse> = adapted({
  name: 'InitProducerId',
  key: 22,
  min: 0,
  max: 4,
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.nullableString(request.transactionalId);
    writer.int32(request.transactionTimeoutMs);
    if (version >= 3) {
      writer.int64(request.current?.producerId ?? -1n);
      writer.int16(request.current?.producerEpoch ?? -1);
    }
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const response = { errorCode: reader.int16(), producerId: reader.int64(), producerEpoch: reader.int16() };
    reader.tags();
    return { throttleMs, ...response };
  },
});
