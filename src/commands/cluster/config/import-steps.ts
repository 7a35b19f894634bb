import type { Configuration } from '../../../admin/config-rows.ts';
import type { Confirmation } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { count } from '../../../format/count.ts';
import { printable } from '../../../format/printable.ts';
import { plainView, type View } from '../../../format/view.ts';
import { erasedTogether } from '../../../kafka/cluster/config-risk-words.ts';
import { textOf } from './admin-configs.ts';
import { type Application, applyChanges, changedMeanwhile } from './apply.ts';
import { type ChangedConfig, changeTable, rowOf } from './change-text.ts';
import { type ConfigPlan, type PlanInput, planImport } from './config-plan.ts';
import { isSame } from './property-value.ts';

/** A plan with the configuration that it was made from. */
export interface ComparedPlan extends ConfigPlan {
  readonly now: Configuration;
}

/** Plans an import. @throws CliError (exit 2) for every key or value that is wrong, with its line */
export async function planText(context: Context, input: Omit<PlanInput, 'unknownOf'>): Promise<ComparedPlan> {
  return { ...(await planImport({ ...input, unknownOf: (names) => unknownOf(context, names) })), now: input.now };
}

/**
 * Which of these names the cluster does not know. The schema is not enough: it hides properties that have no effect any
 * more, which the cluster still accepts (redpanda src/v/redpanda/admin/cluster_config_schema_util.cc:27).
 */
async function unknownOf(context: Context, names: readonly string[]): Promise<ReadonlySet<string>> {
  const upsert = new Map(names.map((name) => [name, '']));
  const outcome = await (await context.admin()).checkConfiguration({ upsert, remove: [] });
  return new Set(outcome.version === null ? outcome.reasons.keys() : []);
}

/** The question before properties are reset, or changed so that something can be erased; null if neither. */
export function confirmationOf({ changes }: ConfigPlan): Confirmation | null {
  const reset = changes.filter(({ after }) => after === undefined).length;
  const set = changes.length - reset;
  const erased = erasedTogether(
    changes.map(({ property: { name: key }, before, after }) => ({
      key,
      before: textOf(before),
      after: after === undefined ? after : textOf(after),
    })),
  );
  if (reset === 0 && erased === undefined) return null;
  const erases = erased === undefined ? '' : `, which can erase ${erased},`;
  const sets = `Set ${properties(set)}`;
  const resets = `eset ${properties(reset)} to ${reset === 1 ? 'its default' : 'their defaults'}`;
  return {
    preview: changeTable(
      changes.map((change) => rowOf(change, false)),
      plainView,
    ),
    question: `${reset === 0 ? sets : set === 0 ? `R${resets}` : `${sets} and r${resets}`}${erases}`,
    name: count(changes.length, 'change'),
  };
}

function properties(number: number): string {
  return number === 1 ? '1 property' : `${number} properties`;
}

/**
 * Makes the planned changes.
 * @throws CliError (exit 6) if the configuration is not the one that the plan was made from any more
 */
export async function makePlanned(context: Context, plan: ComparedPlan, how: Application): Promise<ChangedConfig> {
  const { changes, withoutSecret, unused, now } = plan;
  for (const name of unused) context.warn(`${printable(name)} is left out: it has no effect any more`);
  for (const name of withoutSecret)
    context.warn(`${printable(name)} is not set: the file has only the placeholder of a secret`);
  if (changes.length === 0) {
    context.notice('no changes were made: the configuration is already as in the file');
    return { version: null, restart: null, changes: [], dry_run: how.dryRun };
  }
  const admin = await context.admin();
  const others = differences(now, await admin.configuration());
  if (others.length > 0) throw changedMeanwhile(others);
  return await applyChanges(context, changes, how);
}

/** The names of the properties whose values are not the same, or that are set in only one of the two. */
function differences(one: Configuration, other: Configuration): readonly string[] {
  const names = new Set([...one.values.keys(), ...other.values.keys()]);
  return [...names]
    .filter(
      (name) => !isSame(one.values.get(name), other.values.get(name)) || one.set.has(name) !== other.set.has(name),
    )
    .sort();
}

/** The changes, and the version that has them, as text. */
export function outcomeText({ changes, version }: ChangedConfig, view: View): string {
  if (changes.length === 0) return '';
  const done = version === null ? '' : `The configuration has version ${version}.\n`;
  return changeTable(changes, view) + done;
}
