import { type CommonValues, command, flag } from '../../../cli/command.ts';
import type { ItemError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { entityText } from '../../../kafka/cluster/quotas/quota-words.ts';
import { text } from '../../../kinds.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, type RowOf, row, string, word } from '../../../shape/shape.ts';
import { alterationsOf, type QuotaDifference, quotaDifferences } from './quota-differences.ts';
import { readQuotas } from './quota-file.ts';

/** A quota that the import sets, changes or removes; null for a quota that is not set. */
const Imported = row({
  entity: string,
  'quota-type': string,
  'old-value': maybe(string),
  'new-value': maybe(string),
  status: word('OK', 'ERROR'),
  error: itemError,
});
type Imported = RowOf<typeof Imported>;

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
  result: listOf(Imported),
  async plan(context, { from }) {
    const wanted = await readQuotas(context, from);
    const kafka = await context.kafka();
    return quotaDifferences(await kafka.describeQuotas({ filters: [], strict: false }), wanted);
  },
  confirm(_context, _values, plan) {
    if (plan.length === 0) return null;
    const rows = plan.map((difference) => rowOf(difference, null));
    const removed = rows.filter((one) => one['new-value'] === null).length;
    const removes = removed === 0 ? '' : ` and remove ${count(removed, 'quota')}`;
    return {
      preview: differencesText(rows, plainView),
      question: `Set ${count(rows.length - removed, 'quota')}${removes}`,
      name: count(rows.length, 'change'),
    };
  },
  async run(context, { dryRun }, plan) {
    if (plan.length === 0) {
      context.notice('the quotas are already as in the file');
      return [];
    }
    const kafka = await context.kafka();
    const results = await kafka.alterQuotas({ alterations: alterationsOf(plan), dryRun });
    const errors = new Map(results.map(({ entity, error }) => [JSON.stringify(entity), error]));
    return plan.map((difference) => rowOf(difference, errors.get(JSON.stringify(difference.entity)) ?? null));
  },
  show: { text: resultText },
});

function rowOf({ entity, key, before, after }: QuotaDifference, error: ItemError | null): Imported {
  const values = { 'quota-type': key, 'old-value': before, 'new-value': after };
  return { entity: entityText(entity), ...values, status: error === null ? 'OK' : 'ERROR', error };
}

function differencesText(rows: readonly Imported[], view: View, success?: string): string {
  const hasStatus = success !== undefined;
  return table(
    ['entity', 'quota-type', 'old-value', 'new-value', ...(hasStatus ? ['status'] : [])],
    rows.map((one) => [
      one.entity,
      one['quota-type'],
      one['old-value'],
      one['new-value'],
      ...(hasStatus ? [statusCell(one.error, success)] : []),
    ]),
    view,
  );
}

/** The differences, and the line that rpk's scripts look for if all of them were made. */
function resultText(rows: readonly Imported[], view: View, { dryRun }: CommonValues): string {
  if (rows.length === 0) return '';
  const isDone = !dryRun && rows.every(({ error }) => error === null);
  const lines = differencesText(rows, view, dryRun ? 'OK (dry run: would be changed)' : 'OK');
  return `${lines}${isDone ? 'Successfully imported the client quotas\n' : ''}`;
}
