import { noun, one } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { notFoundError, usageError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { maybe, row, string } from '../../shape/shape.ts';
import { contextName, prefixOf } from '../schema-context.ts';

const list = listCommand({
  summary: 'List contexts',
  description: `Contexts are separate sets of subjects and ids in one registry; ":.NAME:SUBJECT" is a subject of the context .NAME, and
--schema-context .NAME says the same. The default context is ".". MODE and COMPATIBILITY are those of the context, or the
defaults. Not every registry has contexts; Redpanda has them from 26.1 on, if the property
schema_registry_enable_qualified_subjects is true, as it is by default from 26.2 on.`,
  examples: [
    ['All contexts', 'registry context list'],
    ['For a script', 'registry context list --format json'],
  ],
  aliases: ['ls'],
  apis: ['registry'],
  row: row({ name: string, mode: maybe(string), compatibility: maybe(string) }),
  async read(context) {
    const registry = await context.registry();
    const names = await registry.contexts();
    const scopes = names.map((name) => prefixOf(name) || undefined);
    const [modes, levels] = await Promise.all([registry.modes.get(scopes), registry.levels.get(scopes)]);
    return names.map((name, at) => ({
      name,
      mode: modes[at]?.value ?? null,
      compatibility: levels[at]?.value ?? null,
    }));
  },
  columns: [['context', ({ name }) => name], 'mode', 'compatibility'],
});

const deleteCommand = change({
  summary: 'Delete a context',
  description: `Only a context without subjects can be deleted: delete them first, for good, with weir registry subject delete
--permanent. A context that does not exist is an error (exit code 3).`,
  examples: [
    ['One context', 'registry context delete .staging'],
    ['Show what would be deleted', 'registry context delete .staging --dry-run'],
  ],
  apis: ['registry'],
  args: { context: one(contextName, 'CONTEXT', 'name of the context, for example .staging') },
  changes: 'destroys',
  namesAll: true,
  noun: 'context',
  isOne: true,
  item: row({ name: string }),
  async plan(context, { context: name }) {
    if (name === '.') throw usageError('the default context cannot be deleted');
    if ((await (await context.registry()).contexts()).includes(name)) return [{ name }];
    throw notFoundError(`unable to delete the context "${name}": it does not exist`, {
      target: name,
      hints: ['see all contexts with: weir registry context list'],
    });
  },
  asks: (_contexts, { context: name }) => ({ question: `Delete the context "${name}"`, name }),
  async applyEach(context, { name }) {
    await (await context.registry()).deleteContext(name);
    return {};
  },
  text: (_rows, _view, { context: name, dryRun }) =>
    dryRun ? `OK (dry run: context "${printable(name)}" would be deleted)\n` : `deleted context "${printable(name)}"\n`,
});

/** `registry context` */
export const context = noun({ summary: 'List and delete contexts', commands: { list, delete: deleteCommand } });
