import type { Api } from './api.ts';

/** Asks for a producer's identity. */
export interface InitProducerIdRequest {
  /** Undefined for a producer that is idempotent only. */
  readonly transactionalId: string | undefined;
  readonly transactionTimeoutMs: number;
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
  repeatable: true,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.nullableString(request.transactionalId);
    writer.int32(request.transactionTimeoutMs);
    if (version >= 3) {
      // No identity yet that the broker could compare with.
      writer.int64(-1n);
      writer.int16(-1);
    }
    writer.tags();
  },
  decode(reader) {
    reader.int32();
    const response = { errorCode: reader.int16(), producerId: reader.int64(), producerEpoch: reader.int16() };
    reader.tags();
    return response;
  },
};
