import type { Cell } from '../../../format/table.ts';

/** Replicas as `[1-0 2-1]`: broker and core, or the broker alone where it chooses the core. */
export function replicaCell(replicas: readonly number[], cores: readonly (number | null)[]): Cell {
  return replicas.map((id, at) => ((cores[at] ?? null) === null ? String(id) : `${id}-${cores[at]}`));
}
