import { type Api, adapted } from './api.ts';
import { type QuotaEntity, readQuotaEntity } from './client-quotas.ts';

/** A condition on one part of the entity. */
export interface QuotaFilter {
  readonly type: string;
  /** A name, the default entity of the type, or any of them. */
  readonly match: { readonly name: string } | 'default' | 'any';
}

/** The quotas to describe; without filters, all of them. */
export interface DescribeClientQuotasRequest {
  readonly filters: readonly QuotaFilter[];
  /** Whether to leave out entities that have parts of other types. */
  readonly strict: boolean;
}

/** The quotas of one entity. */
export interface DescribedQuota {
  readonly entity: QuotaEntity;
  readonly values: readonly { readonly key: string; readonly value: number }[];
}

/** The quotas that match, or the reason why there are none. */
export interface DescribeClientQuotasResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly quotas: readonly DescribedQuota[];
}

const matchTypes = { name: 0, default: 1, any: 2 } as const;

/** DescribeClientQuotas v0–1 (KIP-546). */
export const describeClientQuotas: Api<DescribeClientQuotasRequest, DescribeClientQuotasResponse> = adapted({
  name: 'DescribeClientQuotas',
  key: 48,
  min: 0,
  max: 1,
  flexibleFrom: 1,
  target: 'any',
  repeatable: true,
  errorCode: ({ errorCode }) => errorCode,
  errorMessage: ({ errorMessage }) => errorMessage,
  encode(writer, { filters, strict }) {
    writer.array(filters, ({ type, match }) => {
      writer.string(type);
      writer.int8(matchTypes[typeof match === 'string' ? match : 'name']);
      writer.nullableString(typeof match === 'string' ? undefined : match.name);
      writer.tags();
    });
    writer.boolean(strict);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
    const quotas = reader.array(() => {
      const entity = readQuotaEntity(reader);
      const values = reader.array(() => {
        const value = { key: reader.string(), value: reader.float64() };
        reader.tags();
        return value;
      });
      reader.tags();
      return { entity, values };
    });
    reader.tags();
    return { throttleMs, ...error, quotas };
  },
});
