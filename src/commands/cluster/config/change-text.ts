import { configValue, hiddenSecret } from '../../../admin/config-rows.ts';
import { errorIfAny, tableOf } from '../../../cli/forms/columns.ts';
import { outcomeFields, outcomeOf } from '../../../cli/forms/outcome.ts';
import type { ItemError } from '../../../errors.ts';
import type { Cell } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { described, listOf, maybe, type RowOf, row, string, truth, whole, word } from '../../../shape/shape.ts';
import type { PlannedChange } from './config-plan.ts';
import { yamlOf } from './property-value.ts';

/** A property that was changed, or would be. */
const Change = row({
  property: string,
  old: configValue,
  /** Null also for a property that gets its default. */
  new: configValue,
  action: described(word('set', 'reset', 'none'), 'none: only the server named the property, in its reasons'),
  needs_restart: truth,
  ...outcomeFields,
});
export type Change = RowOf<typeof Change>;

/** The outcome of a change of the configuration. */
export const ChangedConfig = row({
  version: described(maybe(whole), 'the version that has the change; null if nothing was changed'),
  restart: described(maybe(listOf(whole)), 'ids of the brokers that need a restart; null if they are not known'),
  changes: listOf(Change),
  dry_run: truth,
});
export type ChangedConfig = RowOf<typeof ChangedConfig>;

/** The row of a planned change. */
export function rowOf({ property, before, after }: PlannedChange, isDryRun: boolean, error?: ItemError): Change {
  const { name, is_secret: isSecret, needs_restart: needsRestart } = property;
  // A new secret is not shown.
  const shown = isSecret && after !== undefined && after !== null ? hiddenSecret : (after ?? null);
  const action = after === undefined ? 'reset' : 'set';
  const outcome = outcomeOf({ error }, isDryRun);
  return { property: name, old: before, new: shown, action, needs_restart: needsRestart, ...outcome };
}

/** The changes as a table, old and new. */
export function changeTable(rows: readonly Change[], view: View): string {
  return tableOf(rows, ['property', ['old', oldText], ['new', newText], errorIfAny()], view);
}

function oldText({ action, old }: Change): Cell {
  return action === 'none' ? null : yamlOf(old);
}

function newText({ action, old, new: after }: Change): Cell {
  if (action !== 'set') return action === 'reset' ? '(default)' : null;
  return old === hiddenSecret && after === hiddenSecret ? '(new secret)' : yamlOf(after);
}
