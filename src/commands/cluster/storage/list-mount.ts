import { flag } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { oneOf } from '../../../kinds.ts';
import { migrationColumns, migrationRow, ShownMigration, wideMigrationColumns } from './migrations.ts';

const words = oneOf('state', [
  'all',
  'planned',
  'preparing',
  'prepared',
  'executing',
  'executed',
  'cut_over',
  'finished',
  'canceling',
  'cancelled',
  'deleted',
]);
const states: typeof words = { ...words, hint: 'STATE' };

/** `cluster storage list-mount` */
export const listMount = listCommand({
  summary: 'List mounts and unmounts with their states',
  description: `MIGRATION is inbound for a mount and outbound for an unmount. A topic that a mount renames is shown as OLD → NEW.
Migrations that have ended are listed as well, as long as the cluster keeps them. With --format wide, adds a column for the
names that topics get, and times.`,
  examples: [
    ['All', 'cluster storage list-mount'],
    ['Those that have finished', 'cluster storage list-mount --filter finished'],
    ['For a script', 'cluster storage list-mount --format json'],
  ],
  aliases: ['list-unmount'],
  apis: ['admin'],
  flags: {
    filter: flag(states, {
      short: 'f',
      help: 'only those in this state, for example planned or finished',
      fallback: 'all',
    }),
  },
  row: ShownMigration,
  async read(context, { filter }) {
    const migrations = await (await context.admin()).migrations();
    return migrations.filter(({ state }) => filter === 'all' || state === filter).map(migrationRow);
  },
  columns: migrationColumns,
  wide: wideMigrationColumns,
});
