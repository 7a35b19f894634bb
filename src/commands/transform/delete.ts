import { command, one } from '../../cli/command.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { row, string, truth } from '../../shape/shape.ts';
import { sending } from '../stopped.ts';
import { deployedTransform, topicsOf, transformName } from './transform-name.ts';

/** `transform delete` */
export const remove = command({
  summary: 'Delete a transform',
  description: `The transform stops, and its position in the input topic is lost. Topics and records stay as they are.`,
  examples: [
    ['Without a prompt', 'transform delete redact --yes'],
    ['Check that it exists', 'transform delete redact --dry-run'],
  ],
  apis: ['admin'],
  args: { name: one(transformName, 'NAME', 'name of the transform') },
  changes: 'destroys',
  result: row({ name: string, deleted: truth }),
  namesAll: true,
  plan: (context, { name }) => deployedTransform(context, name),
  confirm: (_context, { name }, found) => ({
    question: `Delete the transform ${printable(name)} (${printable(topicsOf(found))}) and its position`,
    name,
  }),
  dryRun: (_context, { name }) => ({ name, deleted: false }),
  async run(context, { name }) {
    const admin = await context.admin();
    sending(context, `deleting the transform "${name}"`, 'weir transform list');
    await admin.deleteTransform(name);
    context.onInterrupt(stoppedError(`the transform "${name}" is deleted`, [], name));
    return { name, deleted: true };
  },
  show: {
    text: ({ name, deleted }) => `Transform ${printable(name)} ${deleted ? 'is' : 'would be'} deleted.\n`,
  },
});
