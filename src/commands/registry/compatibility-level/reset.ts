import { command, many } from '../../../cli/command.ts';
import { changedLevelRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { subjectName } from '../kinds.ts';
import { scopeText } from '../scopes.ts';
import { levelTable } from './get.ts';

/** `registry compatibility-level reset` */
export const reset = command({
  summary: 'Remove the compatibility levels of subjects',
  description: 'The global level applies to them from then on. Shows the level that was removed.',
  examples: [
    ['Of one subject', 'registry compatibility-level reset orders-value'],
    ['Show what would be removed', 'registry compatibility-level reset orders-value orders-key --dry-run'],
  ],
  apis: ['registry'],
  args: { subjects: many(subjectName, 'SUBJECT', 'names of subjects') },
  changes: 'alters',
  guarded: 'because it decides which schemas producers can register',
  result: listOf(changedLevelRow),
  confirm: (_context, { subjects }) => ({
    question: `Remove the compatibility level of ${scopeText(subjects)}`,
    name: 'reset',
  }),
  async run(context, { subjects, dryRun }) {
    return await (await context.registry()).resetLevels([...new Set(subjects)].sort(), dryRun);
  },
  show: { text: (rows, view) => levelTable(rows, 'remove', view) },
});
