import { command, one } from '../../cli/command.ts';
import { booleanSchema, object, string } from '../../cli/output/schema.ts';
import type { Context } from '../../context.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { sending, untouched } from '../stopped.ts';
import { deployedTransform, transformName } from './transform-name.ts';

/** A transform that is or would be paused or resumed. */
interface PausedTransform {
  readonly name: string;
  /** Whether it is paused, or would be. */
  readonly paused: boolean;
  readonly dry_run?: true;
}

const args = { name: one(transformName, 'NAME', 'name of the transform') };
const schema = object({ name: string, paused: booleanSchema });

/** `transform pause` */
export const pause = command({
  summary: 'Pause a transform; it keeps its position',
  description: `The transform stops reading its input until transform resume, also across restarts of brokers. Its partitions are then
inactive in transform list. Pausing it again changes nothing.`,
  examples: [
    ['Pause', 'transform pause redact'],
    ['Check that it exists', 'transform pause redact --dry-run'],
  ],
  apis: ['admin'],
  args,
  changes: 'alters',
  run: (context, { name, dryRun }) => setPaused(context, { name, paused: true, isDryRun: dryRun }),
  output: { schema, text: pausedText },
});

/** `transform resume` */
export const resume = command({
  summary: 'Resume a paused transform where it stopped',
  description: `The transform continues with the first record that it has not processed. Resuming one that is running changes nothing.`,
  examples: [
    ['Resume', 'transform resume redact'],
    ['Check that it exists', 'transform resume redact --dry-run'],
  ],
  apis: ['admin'],
  args,
  changes: 'alters',
  run: (context, { name, dryRun }) => setPaused(context, { name, paused: false, isDryRun: dryRun }),
  output: { schema, text: pausedText },
});

async function setPaused(
  context: Context,
  { name, paused, isDryRun }: { readonly name: string; readonly paused: boolean; readonly isDryRun: boolean },
): Promise<PausedTransform> {
  untouched(context);
  await deployedTransform(context, name);
  if (isDryRun) return { name, paused, dry_run: true };
  const admin = await context.admin();
  sending(context, `${paused ? 'pausing' : 'resuming'} the transform "${name}"`, 'weir transform list -d');
  await admin.setTransformPaused(name, paused);
  context.onInterrupt(stoppedError(`the transform "${name}" is ${stateOf(paused)}`, [], name));
  return { name, paused };
}

function pausedText({ name, paused, dry_run: isDryRun }: PausedTransform): string {
  return `Transform ${printable(name)} ${isDryRun ? 'would be' : 'is'} ${stateOf(paused)}.\n`;
}

function stateOf(isPaused: boolean): string {
  return isPaused ? 'paused' : 'resumed';
}
