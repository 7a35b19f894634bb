import { arrayOf, object, type Schema, string } from '../../../cli/output/schema.ts';
import { printable } from '../../../format/printable.ts';
import { entityText } from '../../../kafka/quotas/entities.ts';
import type { QuotaPartRow, QuotaRow } from '../../../kafka/quotas/quota-rows.ts';

/** The JSON of an entity. */
export const entitySchema: Schema = arrayOf(object({ name: string, type: string }));

/** The JSON of all quotas of an entity. */
export const quotaSchema: Schema = object({
  entity: entitySchema,
  values: arrayOf(object({ key: string, value: string })),
});

/** A line for each entity and, below it, an indented one for each quota; an empty line between entities. */
export function quotasText(quotas: readonly QuotaRow[]): string {
  return quotas
    .map(({ entity, values }) => {
      const lines = values.map(({ key, value }) => `\t${printable(key)}=${value}\n`);
      return `${shownEntity(entity)}\n${lines.join('')}`;
    })
    .join('\n');
}

function shownEntity(entity: readonly QuotaPartRow[]): string {
  return printable(entityText(entity));
}
