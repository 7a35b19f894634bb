import { flag } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { type ItemState, type Outcome, outcomeCell } from '../../../cli/forms/outcome.ts';
import type { ItemError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import type { View } from '../../../format/view.ts';
import type { Quota, QuotaAlteration, QuotaPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { entityOf, entityText } from '../../../kafka/cluster/quotas/quota-words.ts';
import { text } from '../../../kinds.ts';
import { maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { readQuotas } from './quota-file.ts';

/** A quota that the import sets, changes or removes; null for a quota that is not set. */
const ImportedQuota = row({
  entity: string,
  'quota-type': string,
  'old-value': maybe(string),
  'new-value': maybe(string),
});
type ImportedQuota = RowOf<typeof ImportedQuota>;

interface PlannedQuota extends ImportedQuota {
  readonly difference: QuotaDifference;
}

const columns = ['entity', 'quota-type', 'old-value', 'new-value'] as const;

/** `cluster quotas import` */
export const importCommand = change({
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
  noun: 'change',
  item: ImportedQuota,
  async plan(context, { from }) {
    const target = await readQuotas(context, from);
    const current = await (await context.kafka()).describeQuotas({ filters: [], strict: false });
    const differences = quotaDifferences(current, target);
    if (differences.length === 0) context.notice('the quotas are already as in the file');
    return differences.map(plannedQuota);
  },
  asks(quotas) {
    const removed = quotas.filter((one) => one['new-value'] === null).length;
    const removes = removed === 0 ? '' : ` and remove ${count(removed, 'quota')}`;
    return {
      question: `Set ${count(quotas.length - removed, 'quota')}${removes}`,
      name: count(quotas.length, 'change'),
    };
  },
  previews: true,
  async validate(context, quotas) {
    const kafka = await context.kafka();
    return await outcomesOf(quotas, kafka.checkQuotas);
  },
  async apply(context, quotas) {
    const kafka = await context.kafka();
    return await outcomesOf(quotas, kafka.alterQuotas);
  },
  columns,
  text: outcomeText,
});

/** The differences, and the line that rpk's scripts look for if all of them were made. */
function outcomeText(quotas: readonly (ImportedQuota & Outcome)[], view: View): string {
  if (quotas.length === 0) return '';
  const lines = tableOf(quotas, [...columns, ['status', (one) => outcomeCell(one, { would: 'be changed' })]], view);
  const isDone = quotas.every(({ status, dry_run: isDryRun }) => status === 'OK' && !isDryRun);
  return `${lines}${isDone ? 'Successfully imported the client quotas\n' : ''}`;
}

function plannedQuota(difference: QuotaDifference): PlannedQuota {
  const { entity, key, before, after } = difference;
  return { entity: entityText(entity), 'quota-type': key, 'old-value': before, 'new-value': after, difference };
}

/** Sends one alteration for each entity; its error is that of each of its quotas. */
async function outcomesOf(
  quotas: readonly PlannedQuota[],
  send: (alterations: readonly QuotaAlteration[]) => Promise<readonly (ItemError | null)[]>,
): Promise<readonly ItemState[]> {
  const groups = Map.groupBy(quotas, ({ entity }) => entity);
  const errors = await send(
    [...groups.values()].map((group) => alterationOf(group.map(({ difference }) => difference))),
  );
  const errorOf = new Map([...groups.keys()].map((entity, at) => [entity, errors[at] ?? null]));
  return quotas.map(({ entity }) => ({ error: errorOf.get(entity) ?? null }));
}

/** One quota that differs between what is and what should be; null for a quota that is not set. */
interface QuotaDifference {
  readonly entity: readonly QuotaPart[];
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The differences between two states of all quotas, sorted by entity and key. */
function quotaDifferences(current: readonly Quota[], wanted: readonly Quota[]): QuotaDifference[] {
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
function alterationOf(differences: readonly QuotaDifference[]): QuotaAlteration {
  return {
    entity: entityOf(differences[0]?.entity ?? []),
    changes: differences.map(({ key, after }) => ({ key, value: after === null ? undefined : Number(after) })),
  };
}
