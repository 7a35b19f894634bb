import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  string,
} from '../../../cli/output/schema.ts';
import type { Cell } from '../../../format/table.ts';

/** The JSON of the name of a partition. */
export const nameFields = { namespace: string, topic: string, partition: integerSchema };

/** The JSON of a list of brokers. */
export const brokersSchema = arrayOf(integerSchema);

/** The JSON of a list of cores; null where the broker chooses. */
export const coresSchema = arrayOf(nullable(integerSchema));

/** The JSON at the end of each item of a change. */
export const changeFields = { dry_run: booleanSchema, error: itemErrorSchema };

/** Replicas as `[1-0 2-1]`: broker and core, or the broker alone where it chooses the core. */
export function replicaCell(replicas: readonly number[], cores: readonly (number | null)[]): Cell {
  return replicas.map((id, at) => ((cores[at] ?? null) === null ? String(id) : `${id}-${cores[at]}`));
}
