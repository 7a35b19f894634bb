import { command, many } from '../../../cli/command.ts';
import { changedModeRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { subjectName } from '../kinds.ts';
import { scopeText } from '../scopes.ts';
import { modeTable } from './get.ts';

/** `registry mode reset` */
export const reset = command({
  summary: 'Remove the modes of subjects',
  description: 'The global mode applies to them from then on. Shows the mode that was removed.',
  examples: [
    ['Of one subject', 'registry mode reset orders-value'],
    ['Show what would be removed', 'registry mode reset orders-value orders-key --dry-run'],
  ],
  apis: ['registry'],
  args: { subjects: many(subjectName, 'SUBJECT', 'names of subjects') },
  changes: 'alters',
  guarded: 'because it decides which schemas producers can register',
  result: listOf(changedModeRow),
  confirm: (_context, { subjects }) => ({ question: `Remove the mode of ${scopeText(subjects)}`, name: 'reset' }),
  async run(context, { subjects, dryRun }) {
    return await (await context.registry()).resetModes([...new Set(subjects)].sort(), dryRun);
  },
  show: { text: (rows, view) => modeTable(rows, 'remove', view) },
});
