import { list, type ValuesOf } from '../../../cli/command.ts';
import { change, lineForEachChange } from '../../../cli/forms/change.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import { CliError, type ItemError, usageError } from '../../../errors.ts';
import { type QuotaAlteration, type QuotaEntity, QuotaPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { entityRow, entityText, quotaText } from '../../../kafka/cluster/quotas/quota-words.ts';
import type { Kafka } from '../../../kafka/open.ts';
import { text } from '../../../kinds.ts';
import { listOf, maybe, row, string } from '../../../shape/shape.ts';
import { checkOnce, combinedEntity, entityType, namedEntity, quotaValue } from './quota-kinds.ts';

/** An entity with its changed quotas; they are empty if nothing was changed. */
const AlteredQuotas = row({
  entity: listOf(QuotaPart),
  /** A value is null if the quota is not set. */
  changes: listOf(row({ key: string, old: maybe(string), new: maybe(string) })),
});

const flags = {
  name: list(namedEntity, {
    help: 'type and name of the entity; types are client-id, client-id-prefix, user and ip',
    splits: true,
  }),
  default: list(entityType, { help: 'the default entity of this type', splits: true }),
  add: list(quotaValue, { help: 'quota to set', splits: true }),
  delete: list(text, { help: 'key of a quota to remove', splits: true }),
};

/** `cluster quotas alter` */
export const alter = change({
  summary: 'Set and remove client quotas of an entity',
  description: `--name and --default together name one entity: "--name user=alice --default client-id" is the quota
of every client id of the user alice that has none of its own. Write a value with a comma in double quotes, as in CSV,
unless it is a distinguished name: --name user=CN=alice,OU=sales.

The quotas of Kafka are producer_byte_rate, consumer_byte_rate (bytes per second, or a size such as 2MB),
request_percentage, controller_mutation_rate (partitions per second) and, for ip, connection_creation_rate.`,
  examples: [
    ['Limit what a client id produces', 'cluster quotas alter --name client-id=orders --add producer_byte_rate=2MB'],
    ['Change the default for all users', 'cluster quotas alter --default user --add request_percentage=50'],
    ['Remove a quota', 'cluster quotas alter --name client-id=orders --delete producer_byte_rate'],
    ['Let the broker check a change', 'cluster quotas alter --default ip --add connection_creation_rate=5 --dry-run'],
  ],
  apis: ['kafka'],
  flags,
  changes: 'alters',
  guarded: 'for a new limit, because it can slow producers and consumers down',
  noun: 'entity',
  isOne: true,
  item: AlteredQuotas,
  async plan(context, values) {
    const alteration = alterationOf(values);
    const old = await quotasOf(await context.kafka(), alteration.entity);
    const changes = alteration.changes
      .map(({ key, value }) => ({
        key,
        old: old?.get(key) ?? null,
        new: value === undefined ? null : quotaText(value),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const isMade =
      old !== undefined && changes.every((one) => one.old === one.new && (one.new !== null || quotaKeys.has(one.key)));
    const status = notNeededIf(isMade);
    return [{ entity: entityRow(alteration.entity), changes, alteration, status }];
  },
  asks([planned], { add }) {
    if (add.length === 0 || planned === undefined) return null;
    const name = planned.alteration.entity.map(({ type, name: given = '<default>' }) => `${type}=${given}`).join(',');
    return { question: `Set ${add.map(({ key, value }) => `${key}=${value}`).join(', ')} for ${name}`, name };
  },
  validate: async (context, entities) =>
    (await (await context.kafka()).checkQuotas(entities.map(({ alteration }) => alteration))).map(outcomeOf),
  apply: async (context, entities) =>
    (await (await context.kafka()).alterQuotas(entities.map(({ alteration }) => alteration))).map(outcomeOf),
  columns: [
    ['entity', ({ entity }) => entityText(entity)],
    ['quota type', ({ changes: [one] }) => one?.key],
    ['old value', ({ changes: [one] }) => one?.old],
    ['new value', ({ changes: [one] }) => one?.new],
  ],
  lines: (entity) => lineForEachChange(entity),
  notNeeded: ({ changes: [one] }) => (one?.new === null ? 'not set' : 'already set'),
});

/** @throws CliError (exit 2) if the line names no entity or no change, or one twice */
function alterationOf(values: ValuesOf<typeof flags>): QuotaAlteration {
  const entity = combinedEntity(values.name, values.default);
  const changes = [...values.add, ...values.delete.map((key) => ({ key, value: undefined }))];
  if (entity.length === 0) throw usageError('no entity is given', { hints: ['use --name or --default'] });
  if (changes.length === 0) throw usageError('no change is given', { hints: ['use --add or --delete'] });
  checkOnce(
    changes.map(({ key }) => key),
    'quota',
  );
  return { entity, changes };
}

function outcomeOf(error: ItemError | null) {
  return error === null ? {} : { error, changes: [] };
}

/** The quotas of Kafka: brokers refuse to delete any other. */
const quotaKeys: ReadonlySet<string> = new Set([
  'producer_byte_rate',
  'consumer_byte_rate',
  'request_percentage',
  'controller_mutation_rate',
  'connection_creation_rate',
]);

/** What brokers refuse to describe as well as to alter: the alteration reports it, with the entity. */
const refusals: ReadonlySet<string> = new Set([
  'CLUSTER_AUTHORIZATION_FAILED',
  'INVALID_REQUEST',
  'UNSUPPORTED_VERSION',
]);

/** The quotas of exactly this entity, by key; undefined if the broker refuses to say. */
async function quotasOf(kafka: Kafka, entity: QuotaEntity): Promise<ReadonlyMap<string, string> | undefined> {
  const filters = entity.map(({ type, name }) => {
    return { type, match: name === undefined ? ('default' as const) : { name } };
  });
  try {
    const rows = await kafka.describeQuotas({ filters, strict: true });
    return new Map(rows.flatMap(({ values }) => values.map(({ key, value }) => [key, value] as const)));
  } catch (error) {
    if (error instanceof CliError && refusals.has(error.code)) return undefined;
    throw error;
  }
}
