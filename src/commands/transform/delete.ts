import { one } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { row, string } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { deployedTransform, topicsOf, transformName } from './transform-name.ts';

/** `transform delete` */
export const remove = change({
  summary: 'Delete a transform',
  description: `The transform stops, and its position in the input topic is lost. Topics and records stay as they are.`,
  examples: [
    ['Without a prompt', 'transform delete redact --yes'],
    ['Check that it exists', 'transform delete redact --dry-run'],
  ],
  apis: ['admin'],
  args: { name: one(transformName, 'NAME', 'name of the transform') },
  changes: 'destroys',
  namesAll: true,
  noun: 'transform',
  isOne: true,
  item: row({ name: string }),
  plan: async (context, { name }) => [await deployedTransform(context, name)],
  asks: ([transform]) =>
    transform === undefined
      ? null
      : `Delete the transform ${printable(transform.name)} (${printable(topicsOf(transform))}) and its position`,
  async applyEach(context, { name }) {
    const admin = await context.admin();
    sending(context, `deleting the transform "${name}"`, 'weir transform list');
    await admin.deleteTransform(name);
    context.onInterrupt(stoppedError(`the transform "${name}" is deleted`, [], name));
    return {};
  },
  text: (rows) =>
    rows
      .map(({ name, dry_run: isDryRun }) => `Transform ${printable(name)} ${isDryRun ? 'would be' : 'is'} deleted.\n`)
      .join(''),
});
