import { command } from '../../../cli/command.ts';
import { arrayOf, object, string } from '../../../cli/output/schema.ts';
import { table } from '../../../format/table.ts';

/** `registry context list` */
export const list = command({
  summary: 'List contexts',
  description: `Contexts are separate sets of subjects and ids in one registry; ":.NAME:SUBJECT" is a subject of the context NAME. The
default context is ".". Not every registry has contexts.`,
  examples: [
    ['All contexts', 'registry context list'],
    ['For a script', 'registry context list --format json'],
  ],
  aliases: ['ls'],
  apis: ['registry'],
  changes: 'reads',
  async run(context) {
    const names = await (await context.registry()).contexts();
    return names.map((name) => ({ name }));
  },
  output: {
    schema: arrayOf(object({ name: string })),
    text: (rows, view) =>
      table(
        ['name'],
        rows.map(({ name }) => [name]),
        view,
      ),
  },
});
