import type { Reader, Writer } from './codec.ts';

/** One part of a quota's entity, for example the user `alice`; without a name it is the default of its type. */
export interface QuotaEntityPart {
  /** `user`, `client-id` or `ip`; Redpanda adds `client-id-prefix`. */
  readonly type: string;
  /** Undefined: the default entity of the type. */
  readonly name: string | undefined;
}

/** What a quota applies to. */
export type QuotaEntity = readonly QuotaEntityPart[];

/** Writes an entity. */
export function writeQuotaEntity(writer: Writer, entity: QuotaEntity): void {
  writer.array(entity, ({ type, name }) => {
    writer.string(type);
    writer.nullableString(name);
    writer.tags();
  });
}

/** Reads an entity. */
export function readQuotaEntity(reader: Reader): QuotaEntity {
  return reader.array(() => {
    const part = { type: reader.string(), name: reader.nullableString() };
    reader.tags();
    return part;
  });
}
