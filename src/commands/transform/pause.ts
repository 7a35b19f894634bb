import { one } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { type RowOf, row, string, truth } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { deployedTransform, transformName } from './transform-name.ts';

/** A transform that is or would be paused or resumed. */
const PausedTransform = row({
  name: string,
  /** Whether it is paused, or would be. */
  paused: truth,
});
type PausedTransform = RowOf<typeof PausedTransform>;

const args = { name: one(transformName, 'NAME', 'name of the transform') };

/** `transform pause` */
export const pause = change({
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
  noun: 'transform',
  isOne: true,
  item: PausedTransform,
  plan: async (context, { name }) => [{ name: (await deployedTransform(context, name)).name, paused: true }],
  asks: (_transforms, { name }) => `Pause the transform "${name}"`,
  applyEach: (context, transform) => setPaused(context, transform),
  text: pausedText,
});

/** `transform resume` */
export const resume = change({
  summary: 'Resume a paused transform where it stopped',
  description: `The transform continues with the first record that it has not processed. Resuming one that is running changes nothing.`,
  examples: [
    ['Resume', 'transform resume redact'],
    ['Check that it exists', 'transform resume redact --dry-run'],
  ],
  apis: ['admin'],
  args,
  changes: 'alters',
  noun: 'transform',
  isOne: true,
  item: PausedTransform,
  plan: async (context, { name }) => [{ name: (await deployedTransform(context, name)).name, paused: false }],
  applyEach: (context, transform) => setPaused(context, transform),
  text: pausedText,
});

async function setPaused(context: Context, { name, paused }: PausedTransform): Promise<Partial<PausedTransform>> {
  const admin = await context.admin();
  sending(context, `${paused ? 'pausing' : 'resuming'} the transform "${name}"`, 'weir transform list -d');
  await admin.setTransformPaused(name, paused);
  context.onInterrupt(stoppedError(`the transform "${name}" is ${paused ? 'paused' : 'resumed'}`, [], name));
  return {};
}

function pausedText(rows: readonly (PausedTransform & Outcome)[]): string {
  const lines = rows.map(({ name, paused, dry_run: isDryRun }) => {
    return `Transform ${printable(name)} ${isDryRun ? 'would be' : 'is'} ${paused ? 'paused' : 'resumed'}.\n`;
  });
  return lines.join('');
}
