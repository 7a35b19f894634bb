import type { QuotaEntity } from '../protocol/client-quotas.ts';
import type { QuotaPartRow } from './quota-rows.ts';

/** How the default entity of a type is shown, as in Kafka's own tools; no other entity can have this name. */
export const defaultName = '<default>';

/** The types in the order in which Kafka's tools print them; others follow by name. */
const typeOrder = ['user', 'client-id', 'client-id-prefix', 'ip'];

/** An entity as it is shown, with its parts in order. */
export function entityRow(entity: QuotaEntity): readonly QuotaPartRow[] {
  return entity
    .map(({ type, name }) => ({ name: name ?? defaultName, type }))
    .sort((a, b) => rank(a.type) - rank(b.type) || (a.type < b.type ? -1 : 1));
}

function rank(type: string): number {
  const at = typeOrder.indexOf(type);
  return at < 0 ? typeOrder.length : at;
}

/** The entity that a row shows. */
export function entityOf(row: readonly QuotaPartRow[]): QuotaEntity {
  return row.map(({ type, name }) => ({ type, name: name === defaultName ? undefined : name }));
}

/** An entity in one line, for example `user=alice,client-id=<default>`; names may contain `,` and `=`. */
export function entityText(row: readonly QuotaPartRow[]): string {
  return row.map(({ type, name }) => `${type}=${name}`).join(',');
}

/** The value of a quota as it is shown: a number without an exponent. */
export function quotaText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}
