import { command, list, toggle } from '../../../cli/command.ts';
import { arrayOf, object } from '../../../cli/output/schema.ts';
import type { QuotaFilter, QuotaRow } from '../../../kafka/quotas/quota-rows.ts';
import { checkOnce, entityType, namedEntity } from './quota-kinds.ts';
import { quotaSchema, quotasText } from './quota-text.ts';

/** `cluster quotas describe` */
export const describe = command({
  summary: 'Describe client quotas',
  description: `Without a filter, describes all quotas. With several filters, describes the entities that match all of them.
Entities may also have parts of other types, unless --strict is given. The default entity of a type is shown as
TYPE=<default>.`,
  examples: [
    ['All quotas', 'cluster quotas describe'],
    ['The quotas of a client id, whoever the user is', 'cluster quotas describe --name client-id=orders'],
    ['The default for users, and nothing else', 'cluster quotas describe --default user --strict'],
    ['A backup that cluster quotas import reads', 'cluster quotas describe --format json'],
  ],
  apis: ['kafka'],
  flags: {
    name: list(namedEntity, { help: 'entities of this type and name', splits: true }),
    default: list(entityType, { help: 'the default entity of this type', splits: true }),
    any: list(entityType, { help: 'entities of this type, with any name or the default', splits: true }),
    strict: toggle({ help: 'leave out entities that have parts of other types' }),
  },
  changes: 'reads',
  async run(context, { name, default: defaults, any, strict }): Promise<{ readonly quotas: readonly QuotaRow[] }> {
    const filters: readonly QuotaFilter[] = [
      ...name.map(({ type, name: match = '' }) => ({ type, match: { name: match } })),
      ...defaults.map((type) => ({ type, match: 'default' as const })),
      ...any.map((type) => ({ type, match: 'any' as const })),
    ];
    checkOnce(
      filters.map(({ type }) => type),
      'entity type',
    );
    const kafka = await context.kafka();
    const quotas = await kafka.describeQuotas({ filters, strict: strict && filters.length > 0 });
    if (quotas.length === 0) context.notice('no quotas match');
    return { quotas };
  },
  output: { schema: object({ quotas: arrayOf(quotaSchema) }), text: ({ quotas }) => quotasText(quotas) },
});
