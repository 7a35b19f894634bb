import { list, toggle } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { printable } from '../../../format/printable.ts';
import { Quota, type QuotaFilter, type QuotaPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { entityText } from '../../../kafka/cluster/quotas/quota-words.ts';
import { listOf, row } from '../../../shape/shape.ts';
import { checkOnce, entityType, namedEntity } from './quota-kinds.ts';

/** `cluster quotas describe` */
export const describe = getCommand({
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
  row: row({ quotas: listOf(Quota) }),
  async read(context, { name, default: defaults, any, strict }) {
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
  text: ({ quotas }) => quotasText(quotas),
});

/** A line for each entity and, below it, an indented one for each quota; an empty line between entities. */
function quotasText(quotas: readonly Quota[]): string {
  return quotas
    .map(({ entity, values }) => {
      const lines = values.map(({ key, value }) => `\t${printable(key)}=${value}\n`);
      return `${shownEntity(entity)}\n${lines.join('')}`;
    })
    .join('\n');
}

function shownEntity(entity: readonly QuotaPart[]): string {
  return printable(entityText(entity));
}
