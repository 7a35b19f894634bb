import { parseSize } from '../../../format/size.ts';
import type { QuotaEntity, QuotaPart } from './quota-rows.ts';

/** How the default entity of a type is shown, as in Kafka's own tools; no other entity can have this name. */
export const defaultName = '<default>';

/** An entity as it is shown, with its parts by type, which is the order of brokers. */
export function entityRow(entity: QuotaEntity): readonly QuotaPart[] {
  return entity
    .map(({ type, name }) => ({ name: name ?? defaultName, type }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** The entity that a row shows. */
export function entityOf(row: readonly QuotaPart[]): QuotaEntity {
  return row.map(({ type, name }) => ({ type, name: name === defaultName ? undefined : name }));
}

/** An entity in one line, for example `client-id=<default>,user=alice`; names may contain `,` and `=`. */
export function entityText(row: readonly QuotaPart[]): string {
  return row.map(({ type, name }) => `${type}=${name}`).join(',');
}

/** The value of a quota as it is shown: a number without an exponent. */
export function quotaText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}

/** Parses the value of a quota; a rate of bytes may have a unit. @throws Error that says what the value is instead */
export function parseQuota(key: string, text: string): number {
  const word = text.trim();
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word);
  if (!isNumber && key.endsWith('_byte_rate')) return bytesPerSecond(word);
  if (!isNumber) throw new Error('not a number');
  const value = Number(word);
  if (value < 0) throw new Error('negative (it must be positive)');
  if (!Number.isFinite(value)) throw new Error('too large');
  return value;
}

function bytesPerSecond(text: string): number {
  const bytes = parseSize(text);
  if (!Number.isSafeInteger(bytes)) throw new Error('too large');
  return bytes;
}
