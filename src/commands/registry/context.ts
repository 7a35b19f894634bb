import { command, noun } from '../../cli/command.ts';
import { table } from '../../format/table.ts';
import { listOf, row, string } from '../../shape/shape.ts';

const list = command({
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
  result: listOf(row({ name: string })),
  async run(context) {
    const names = await (await context.registry()).contexts();
    return names.map((name) => ({ name }));
  },
  show: {
    text: (rows, view) =>
      table(
        ['name'],
        rows.map(({ name }) => [name]),
        view,
      ),
  },
});

/** `registry context` */
export const context = noun({ summary: 'List contexts', commands: { list } });
