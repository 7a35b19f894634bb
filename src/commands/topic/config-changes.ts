import type { Confirmation } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/named.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { AlterConfigsCall, AlteredTopicRow } from '../../kafka/cluster/topics/topic-rows.ts';
import { inUnitOf } from '../config-units.ts';
import { erasingOf, erasureQuestion, isErasing } from '../erasing-configs.ts';
import { chosenTopics, type TopicChoice } from './chosen-topics.ts';
import { suggestConfigKeys } from './config-keys.ts';

type Changes = AlterConfigsCall['changes'];

/** Which configs of which topics are changed. */
export type ConfigsPlan = Omit<AlterConfigsCall, 'dryRun'>;

/** The plan of a command line. @throws CliError for changes that exclude each other, and if no topic matches */
export async function configsPlan(context: Context, choice: TopicChoice, given: GivenChanges): Promise<ConfigsPlan> {
  const changes = changesOf(given);
  return { topics: await chosenTopics(context, choice, 'alter topics'), changes };
}

/** rpk's columns TOPIC and STATUS, and a line for each changed config. */
export function configChangesText(rows: readonly AlteredTopicRow[], view: View): string {
  return table(['topic', 'status', 'key', 'old', 'new'], rows.flatMap(linesOf), view);
}

function linesOf({ topic, changes, dry_run: isDryRun, error }: AlteredTopicRow): Cell[][] {
  if (error !== null) return [[topic, statusCell(error)]];
  const status = isDryRun ? 'OK (dry run)' : 'OK';
  return changes.map((change) => [topic, status, change.key, change.old, change.new]);
}

/**
 * The question before the configs of topics are changed so that records can be erased; null if nothing can be. The
 * brokers validate the changes and report the old values.
 */
export async function erasureOf(context: Context, plan: ConfigsPlan): Promise<Confirmation | null> {
  if (!plan.changes.some(({ key }) => isErasing(key))) return null;
  const rows = await (await context.kafka()).alterTopicConfigs({ ...plan, dryRun: true });
  const found = erasingOf(
    rows.flatMap(({ topic, changes: changed }) =>
      changed.map(({ key, old, new: after }) => ({
        where: [topic],
        key,
        before: old ?? undefined,
        after: after ?? undefined,
      })),
    ),
  );
  if (found.length === 0) return null;
  const affected = [...new Set(found.map(({ where }) => String(where[0])))];
  const number = count(affected.length, 'topic');
  return erasureQuestion(found, {
    whose: `${number} (${shortList(affected)})`,
    name: affected.length === 1 ? String(affected[0]) : number,
    columns: ['topic'],
  });
}

/** Changes configs of topics, and suggests the keys that were meant for unknown ones. */
export async function changeConfigs(context: Context, call: AlterConfigsCall): Promise<readonly AlteredTopicRow[]> {
  const rows = await (await context.kafka()).alterTopicConfigs(call);
  await suggestConfigKeys(
    context,
    rows,
    call.changes.map(({ key }) => key),
  );
  return rows;
}

/** The changes as they were given on the command line. */
export interface GivenChanges {
  readonly set: readonly (readonly [key: string, value: string])[];
  readonly delete: readonly string[];
  readonly append: readonly (readonly [key: string, value: string])[];
  readonly subtract: readonly (readonly [key: string, value: string])[];
}

/**
 * Makes one change of each key, sorted by key: the last value that is set counts, and values for a list are joined.
 * @throws CliError (exit 2) when nothing would change, or when a key has two kinds of change
 */
function changesOf(given: GivenChanges): Changes {
  const changes = new Map<string, Changes[number]>();
  const add = (key: string, operation: Changes[number]['operation'], value: string | undefined): void => {
    const known = changes.get(key);
    if (known !== undefined && known.operation !== operation)
      throw usageError(`unable to both ${known.operation} and ${operation} the config "${key}"`, { target: key });
    const isList = operation === 'append' || operation === 'subtract';
    changes.set(key, { key, operation, value: known && isList ? `${known.value},${value}` : value });
  };
  for (const [key, value] of given.set) add(key, 'set', inUnitOf(key, value));
  for (const key of given.delete) add(key, 'delete', undefined);
  for (const [key, value] of given.append) add(key, 'append', value);
  for (const [key, value] of given.subtract) add(key, 'subtract', value);
  if (changes.size === 0)
    throw usageError('no change was given', { hints: ['use --set KEY=VALUE, --delete KEY, --append or --subtract'] });
  return [...changes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
