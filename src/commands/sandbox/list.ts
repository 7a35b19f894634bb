import { command } from '../../cli/command.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { healthCell } from '../../format/style.ts';
import { table } from '../../format/table.ts';
import { getSandbox, listSandboxes } from '../../sandbox/sandbox.ts';
import { either, listOf, type RowOf, row, string, word } from '../../shape/shape.ts';
import { placeOf } from './place.ts';
import { brokersOf, SandboxRow, sandboxRow, stateCell, versionOf } from './sandbox-row.ts';

/** A sandbox whose state cannot be read, listed among the others. */
const broken = row({ name: string, state: word('broken'), error: string });

function brokenRow(name: string, error: unknown): RowOf<typeof broken> {
  if (!(error instanceof CliError)) throw error;
  return { name, state: 'broken', error: error.message };
}

/** `sandbox list` */
export const list = command({
  summary: 'List the sandboxes of this machine',
  examples: [
    ['All sandboxes', 'sandbox list'],
    ['The same as data, for a script', 'sandbox list --format json'],
  ],
  aliases: ['ls'],
  changes: 'reads',
  result: listOf(either(SandboxRow, broken)),
  async run(context) {
    const names = await listSandboxes(placeOf(context, '').machine);
    const read = async (name: string) => sandboxRow(await getSandbox(placeOf(context, name)));
    return Promise.all(names.map((name) => read(name).catch((error: unknown) => brokenRow(name, error))));
  },
  show: {
    text: (rows, view) =>
      table(
        ['name', 'state', 'kafka', 'profile', 'brokers'],
        rows.map((row) =>
          'error' in row
            ? [row.name, healthCell(row.state, 'bad'), '-', '-', row.error]
            : [row.name, stateCell(row.state), versionOf(row), row.profile, brokersOf(row)],
        ),
        view,
      ),
    exitCode: (rows) => (rows.some(({ state }) => state === 'broken') ? exitCodes.failure : exitCodes.ok),
  },
});
