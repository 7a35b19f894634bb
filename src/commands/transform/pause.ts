import { type CommonValues, command, one } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import type { View } from '../../format/view.ts';
import { type RowOf, row, string, truth } from '../../shape/shape.ts';
import { sending } from '../stopped.ts';
import { deployedTransform, transformName } from './transform-name.ts';

/** A transform that is or would be paused or resumed. */
const pausedTransform = row({
  name: string,
  /** Whether it is paused, or would be. */
  paused: truth,
});

type PausedTransform = RowOf<typeof pausedTransform>;

const args = { name: one(transformName, 'NAME', 'name of the transform') };

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
  guarded: 'because its output stops',
  result: pausedTransform,
  plan: (context, { name }) => deployedTransform(context, name),
  confirm: (_context, { name }) => ({ question: `Pause the transform "${name}"`, name }),
  dryRun: (_context, { name }) => ({ name, paused: true }),
  run: (context, { name }) => setPaused(context, { name, paused: true }),
  show: { text: pausedText },
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
  result: pausedTransform,
  plan: (context, { name }) => deployedTransform(context, name),
  dryRun: (_context, { name }) => ({ name, paused: false }),
  run: (context, { name }) => setPaused(context, { name, paused: false }),
  show: { text: pausedText },
});

async function setPaused(context: Context, { name, paused }: PausedTransform): Promise<PausedTransform> {
  const admin = await context.admin();
  sending(context, `${paused ? 'pausing' : 'resuming'} the transform "${name}"`, 'weir transform list -d');
  await admin.setTransformPaused(name, paused);
  context.onInterrupt(stoppedError(`the transform "${name}" is ${stateOf(paused)}`, [], name));
  return { name, paused };
}

function pausedText({ name, paused }: PausedTransform, _view: View, { dryRun }: CommonValues): string {
  return `Transform ${printable(name)} ${dryRun ? 'would be' : 'is'} ${stateOf(paused)}.\n`;
}

function stateOf(isPaused: boolean): string {
  return isPaused ? 'paused' : 'resumed';
}
