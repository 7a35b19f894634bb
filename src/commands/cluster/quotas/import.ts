import { command, flag } from '../../../cli/command.ts';
import { arrayOf, itemErrorSchema, nullable, object, string, wordOf } from '../../../cli/output/schema.ts';
import type { ItemError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { entityText } from '../../../kafka/quotas/entities.ts';
import { alterationsOf, type QuotaDifference, quotaDifferences } from '../../../kafka/quotas/quota-plan.ts';
import { text } from '../../../kinds.ts';
import { readQuotas } from './quota-file.ts';

/** A quota that the import sets, changes or removes; null for a quota that is not set. */
interface ImportedRow {
  readonly entity: string;
  readonly 'quota-type': string;
  readonly 'old-value': string | null;
  readonly 'new-value': string | null;
  readonly status: 'OK' | 'ERROR';
  readonly error: ItemError | null;
  readonly dry_run?: true;
}

/** `cluster quotas import` */
export const importCommand = command({
  summary: 'Replace all client quotas with those of a file',
  description: `Reads what cluster quotas describe prints in json or yaml. Quotas that are not in the file are removed. Shows
the differences before asking, and changes nothing else, all with one request. An entity whose name is <default> is the
default entity of its type.`,
  examples: [
    ['From a file', 'cluster quotas import --from quotas.json'],
    ['Show what would change', 'cluster quotas import --from quotas.yaml --dry-run'],
    ['From another cluster, without a prompt', 'cluster quotas import --from - --yes'],
  ],
  apis: ['kafka'],
  flags: { from: flag(text, { help: 'file, "-" for standard input, or the text itself', required: true }) },
  changes: 'destroys',
  async plan(context, { from }) {
    const wanted = await readQuotas(context, from);
    const kafka = await context.kafka();
    return quotaDifferences(await kafka.describeQuotas({ filters: [], strict: false }), wanted);
  },
  confirm(_context, _values, plan) {
    if (plan.length === 0) return null;
    const rows = plan.map((difference) => rowOf(difference, null));
    const removed = rows.filter((row) => row['new-value'] === null).length;
    const removes = removed === 0 ? '' : ` and remove ${count(removed, 'quota')}`;
    return {
      preview: differencesText(rows, plainView),
      question: `Set ${count(rows.length - removed, 'quota')}${removes}`,
      name: count(rows.length, 'change'),
    };
  },
  async run(context, { dryRun }, plan): Promise<readonly ImportedRow[]> {
    if (plan.length === 0) {
      context.notice('the quotas are already as in the file');
      return [];
    }
    const kafka = await context.kafka();
    const results = await kafka.alterQuotas({ alterations: alterationsOf(plan), dryRun });
    const errors = new Map(results.map(({ entity, error }) => [JSON.stringify(entity), error]));
    return plan.map((difference) => ({
      ...rowOf(difference, errors.get(JSON.stringify(difference.entity)) ?? null),
      ...(dryRun && { dry_run: true as const }),
    }));
  },
  output: {
    schema: arrayOf(
      object({
        entity: string,
        'quota-type': string,
        'old-value': nullable(string),
        'new-value': nullable(string),
        status: wordOf('OK', 'ERROR'),
        error: itemErrorSchema,
      }),
    ),
    text: resultText,
  },
});

function rowOf({ entity, key, before, after }: QuotaDifference, error: ItemError | null): ImportedRow {
  const values = { 'quota-type': key, 'old-value': before, 'new-value': after };
  return { entity: entityText(entity), ...values, status: error === null ? 'OK' : 'ERROR', error };
}

function differencesText(rows: readonly ImportedRow[], view: View, status?: 'with status'): string {
  return table(
    ['entity', 'quota-type', 'old-value', 'new-value', ...(status === undefined ? [] : ['status'])],
    rows.map((row) => [
      row.entity,
      row['quota-type'],
      row['old-value'],
      row['new-value'],
      ...(status === undefined ? [] : [statusOf(row)]),
    ]),
    view,
  );
}

/** The differences, and the line that rpk's scripts look for if all of them were made. */
function resultText(rows: readonly ImportedRow[], view: View): string {
  if (rows.length === 0) return '';
  const isDone = rows.every((row) => row.error === null && row.dry_run === undefined);
  return `${differencesText(rows, view, 'with status')}${isDone ? 'Successfully imported the client quotas\n' : ''}`;
}

function statusOf({ error, dry_run: isDryRun }: ImportedRow): Cell {
  return statusCell(error, isDryRun ? 'OK (dry run: would be changed)' : 'OK');
}
