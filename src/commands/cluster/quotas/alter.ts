import { command, list, toggle } from '../../../cli/command.ts';
import { itemErrorSchema, object, wordOf } from '../../../cli/output/schema.ts';
import { exitCodeOfItems, usageError } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import { entityText } from '../../../kafka/quotas/entities.ts';
import type { AlteredQuotaRow } from '../../../kafka/quotas/quota-rows.ts';
import { text } from '../../../kinds.ts';
import { statusCell } from '../../topic/topic-text.ts';
import { checkOnce, combinedEntity, entityType, namedEntity, quotaValue } from './quota-kinds.ts';
import { entitySchema } from './quota-text.ts';

/** `cluster quotas alter` */
export const alter = command({
  summary: 'Set and remove client quotas of an entity',
  description: `--name and --default together name one entity: "--name user=alice --default client-id" is the quota of every
client id of the user alice that has none of its own.

The quotas of Kafka are producer_byte_rate, consumer_byte_rate (bytes per second), request_percentage,
controller_mutation_rate (partitions per second) and, for ip, connection_creation_rate.`,
  examples: [
    ['Limit what a client id produces', 'cluster quotas alter --name client-id=orders --add producer_byte_rate=200000'],
    ['Change the default for all users', 'cluster quotas alter --default user --add request_percentage=50'],
    ['Remove a quota', 'cluster quotas alter --name client-id=orders --delete producer_byte_rate'],
    ['Let the broker check a change', 'cluster quotas alter --default ip --add connection_creation_rate=5 --dry-run'],
  ],
  apis: ['kafka'],
  flags: {
    name: list(namedEntity, {
      help: 'type and name of the entity; types are client-id, client-id-prefix, user and ip',
      splits: true,
    }),
    default: list(entityType, { help: 'the default entity of this type', splits: true }),
    add: list(quotaValue, { help: 'quota to set', splits: true }),
    delete: list(text, { help: 'key of a quota to remove', splits: true }),
    dry: toggle({ help: 'the same as --dry-run', hidden: true }),
  },
  changes: 'alters',
  async run(context, values): Promise<AlteredQuotaRow & { readonly dry_run?: boolean }> {
    const entity = combinedEntity(values.name, values.default);
    const changes = [...values.add, ...values.delete.map((key) => ({ key, value: undefined }))];
    if (entity.length === 0) throw usageError('no entity is given', { hints: ['use --name or --default'] });
    if (changes.length === 0) throw usageError('no change is given', { hints: ['use --add or --delete'] });
    checkOnce(
      changes.map(({ key }) => key),
      'quota',
    );
    const isDry = values.dryRun || values.dry;
    if (values.dry && !values.dryRun) context.notice('dry run: nothing was changed');
    const kafka = await context.kafka();
    const [row] = await kafka.alterQuotas({ alterations: [{ entity, changes }], dryRun: isDry });
    if (row === undefined) throw new Error('one alteration has one row');
    return { ...row, ...(isDry && { dry_run: true }) };
  },
  output: {
    schema: object({ entity: entitySchema, status: wordOf('OK', 'ERROR'), error: itemErrorSchema }),
    text({ entity, error, dry_run: isDry }, view) {
      const status = statusCell(error, isDry ? 'OK (dry run: would be altered)' : 'OK');
      return table(['entity', 'status'], [[entityText(entity), status]], view);
    },
    exitCode: ({ error }) => exitCodeOfItems([error]),
  },
});
