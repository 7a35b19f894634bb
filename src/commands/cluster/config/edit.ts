import { command, toggle } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { stoppedError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { discardDraft, editText, keepingDraft } from '../../profile/editor.ts';
import { checkWait, waitFlags } from '../wait.ts';
import type { Application } from './apply.ts';
import { ChangedConfig } from './change-text.ts';
import { exportedValues, renderExport } from './config-file.ts';
import { type ComparedPlan, confirmationOf, makePlanned, outcomeText, planText } from './import-steps.ts';

/** `cluster config edit` */
export const edit = command({
  summary: 'Edit the properties of the cluster in an editor',
  description: `Opens what cluster config export writes in $VISUAL or $EDITOR, which may have arguments, and then imports the result:
what differs is changed, and a property whose line was deleted gets its default. Asks before it resets a property.

If the text is wrong, the cluster refuses a value, or somebody else has changed the configuration in the meantime (exit
code 6), nothing is changed, and the error names the file that keeps your text.`,
  examples: [
    ['The properties that are usually changed', 'cluster config edit'],
    ['Tunable properties as well', 'cluster config edit --all'],
    ['Only show what would change', 'cluster config edit --dry-run'],
  ],
  apis: ['admin'],
  flags: { all: toggle({ help: 'include tunable properties' }), ...waitFlags('every broker has the change') },
  changes: 'destroys',
  result: ChangedConfig,
  async plan(context, { all, ...values }) {
    checkWait(values);
    return await editPlan(context, all);
  },
  confirm(_context, { all }, { plan, draft }) {
    const asked = confirmationOf(plan);
    if (asked === null) return null;
    // If the answer is no, or nobody can be asked, the text is not lost.
    const preview = `${asked.preview ?? ''}Your text is in ${draft} until it is imported.\n`;
    return { ...asked, preview, hints: [keptHint(draft, all)] };
  },
  async run(context, { all, ...how }, { plan, draft }): Promise<ChangedConfig> {
    const hint = keptHint(draft, all);
    context.onInterrupt(stoppedError('stopped before anything was changed', [hint]));
    const result = await keepingDraft(context, draft, () => makeOrSay(context, { plan, how, hint }), hint);
    const isLost = result.changes.length > 0 && (how.dryRun || result.changes.some(({ error }) => error !== null));
    if (isLost) context.notice(hint);
    else await discardDraft(draft);
    return result;
  },
  show: { text: outcomeText },
});

/** Makes the changes; if a signal ends that, the report of what was sent does not name the draft. */
async function makeOrSay(
  context: Context,
  { plan, how, hint }: { readonly plan: ComparedPlan; readonly how: Application; readonly hint: string },
): Promise<ChangedConfig> {
  try {
    return await makePlanned(context, plan, how);
  } catch (error) {
    if (context.signal.aborted) context.notice(hint);
    throw error;
  }
}

interface Edited {
  readonly plan: ComparedPlan;
  /** The file that the text was edited in. */
  readonly draft: string;
}

const form = {
  fileName: 'cluster-config.yaml',
  withoutEditor: 'use: weir cluster config set KEY VALUE, or weir cluster config export and import',
};

async function editPlan(context: Context, all: boolean): Promise<Edited> {
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const now = await admin.configuration();
  const before = renderExport(schema, exportedValues(schema, now, { all }));
  const { draft, text } = await editText(context, before, form);
  const hint = keptHint(draft, all);
  context.onInterrupt(stoppedError('stopped before anything was changed', [hint]));
  const isUntouched = text === before || text.trim() === '';
  const input = { name: draft, text: isUntouched ? before : text, schema, now, extent: { all } };
  return { draft, plan: await keepingDraft(context, draft, () => planText(context, input), hint) };
}

function keptHint(draft: string, all: boolean): string {
  const file = shellWord(draft);
  return `your text is kept in ${draft}; use it with: weir cluster config import --file ${file}${all ? ' --all' : ''}`;
}
