import { type Api, adapted } from './api.ts';
import { type QuotaEntity, readQuotaEntity, writeQuotaEntity } from './client-quotas.ts';

/** A change of one quota; an undefined value removes it. */
export interface QuotaChange {
  readonly key: string;
  readonly value: number | undefined;
}

/** The changes to make. */
export interface AlterClientQuotasRequest {
  readonly entries: readonly { readonly entity: QuotaEntity; readonly changes: readonly QuotaChange[] }[];
  readonly validateOnly: boolean;
}

/** The result for one entity. */
export interface AlteredQuota {
  readonly entity: QuotaEntity;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One entry per entity, in any order. */
export interface AlterClientQuotasResponse {
  readonly entries: readonly AlteredQuota[];
}

/** AlterClientQuotas v0–1 (KIP-546). */
export const alterClientQuotas: Api<AlterClientQuotasRequest, AlterClientQuotasResponse> = adapted({
  name: 'AlterClientQuotas',
  key: 49,
  min: 0,
  max: 1,
  flexibleFrom: 1,
  target: 'controller',
  // Setting the same value and removing a removed value change nothing.
  repeatable: true,
  changes: true,
  encode(writer, { entries, validateOnly }) {
    writer.array(entries, ({ entity, changes }) => {
      writeQuotaEntity(writer, entity);
      writer.array(changes, ({ key, value }) => {
        writer.string(key);
        writer.float64(value ?? 0);
        writer.boolean(value === undefined);
        writer.tags();
      });
      writer.tags();
    });
    writer.boolean(validateOnly);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const entries = reader.array(() => {
      const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
      const entity = readQuotaEntity(reader);
      reader.tags();
      return { entity, ...error };
    });
    reader.tags();
    return { throttleMs, entries };
  },
});
