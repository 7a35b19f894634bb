import type { Quota, QuotaAlteration, QuotaPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { entityOf, entityText } from '../../../kafka/cluster/quotas/quota-words.ts';

/** One quota that differs between what is and what should be; null for a quota that is not set. */
export interface QuotaDifference {
  readonly entity: readonly QuotaPart[];
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The differences between two states of all quotas, sorted by entity and key. */
export function quotaDifferences(current: readonly Quota[], wanted: readonly Quota[]): QuotaDifference[] {
  const before = valuesOf(current);
  const after = valuesOf(wanted);
  const places = new Map([...before, ...after].map(([place, { entity, key }]) => [place, { entity, key }]));
  return [...places]
    .map(([place, { entity, key }]) => ({
      entity,
      key,
      before: before.get(place)?.value ?? null,
      after: after.get(place)?.value ?? null,
    }))
    .filter((one) => one.before === null || one.after === null || Number(one.before) !== Number(one.after))
    .sort(byEntityAndKey);
}

function valuesOf(rows: readonly Quota[]) {
  return new Map(
    rows.flatMap(({ entity, values }) =>
      values.map(({ key, value }) => [JSON.stringify([entity, key]), { entity, key, value }] as const),
    ),
  );
}

function byEntityAndKey(a: QuotaDifference, b: QuotaDifference): number {
  const [one, other] = [entityText(a.entity), entityText(b.entity)];
  if (one !== other) return one < other ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

/** The alteration of one entity that makes these differences. */
export function alterationOf(differences: readonly QuotaDifference[]): QuotaAlteration {
  return {
    entity: entityOf(differences[0]?.entity ?? []),
    changes: differences.map(({ key, after }) => ({ key, value: after === null ? undefined : Number(after) })),
  };
}
