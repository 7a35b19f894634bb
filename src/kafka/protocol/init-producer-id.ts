import type { Api } from './api.ts';

/** Asks for a producer's identity. */
export interface InitProducerIdRequest {
  /** Undefined for a producer that is idempotent only. */
  readonly transactionalId: string | undefined;
  readonly transactionTimeoutMs: number;
  /** What the producer was until now, for the broker to compare with and to raise the epoch of (from version 3). */
  readonly current?: { readonly producerId: bigint; readonly producerEpoch: number };
}

/** A producer's identity: batches carry it, so that the broker knows a repeated one. */
export interface InitProducerIdResponse {
  readonly errorCode: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/** InitProducerId (key 22). */
export const initProducerId: Api<InitProducerIdRequest, InitProducerIdResponse> = {
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
};
