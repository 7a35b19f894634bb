import { noun } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { row, string } from '../../shape/shape.ts';

const list = listCommand({
  summary: 'List the contexts of the registry',
  description: `Contexts are separate sets of subjects and ids in one registry; ":.NAME:SUBJECT" is a subject of the context NAME. The
default context is ".". Not every registry has contexts.`,
  examples: [
    ['All contexts', 'registry context list'],
    ['For a script', 'registry context list --format json'],
  ],
  aliases: ['ls'],
  apis: ['registry'],
  row: row({ name: string }),
  async read(context) {
    const names = await (await context.registry()).contexts();
    return names.map((name) => ({ name }));
  },
  columns: ['name'],
});

/** `registry context` */
export const context = noun({ summary: 'List the contexts of the registry', commands: { list } });
