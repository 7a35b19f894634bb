import type { Output } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import type { ChangedLevelRow } from '../../../registry/rows.ts';
import { settingTable, sourceFields } from '../scopes.ts';

/** The output of the commands that change compatibility levels. */
export function changedLevels(purpose: 'set' | 'remove'): Output<readonly ChangedLevelRow[]> {
  return {
    schema: arrayOf(
      object({ ...sourceFields, level: nullable(string), dry_run: booleanSchema, error: itemErrorSchema }),
    ),
    text: (rows, view) => settingTable(rows, { name: 'level', value: ({ level }) => level, purpose }, view),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  };
}
