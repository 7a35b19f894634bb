import { command } from '../../cli/command.ts';
import { arrayOf, object, string, wordOf } from '../../cli/output/schema.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { healthCell } from '../../format/style.ts';
import { table } from '../../format/table.ts';
import { getSandbox, listSandboxes } from '../../sandbox/sandbox.ts';
import { placeOf } from './place.ts';
import { brokersOf, type SandboxRow, sandboxRow, sandboxSchema, stateCell, versionOf } from './sandbox-row.ts';

/** A sandbox whose state cannot be read, listed among the others. */
interface BrokenRow {
  readonly name: string;
  readonly state: 'broken';
  readonly error: string;
}

function brokenRow(name: string, error: unknown): BrokenRow {
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
  async run(context): Promise<readonly (SandboxRow | BrokenRow)[]> {
    const names = await listSandboxes(placeOf(context, '').machine);
    const read = async (name: string) => sandboxRow(await getSandbox(placeOf(context, name)));
    return Promise.all(names.map((name) => read(name).catch((error: unknown) => brokenRow(name, error))));
  },
  output: {
    schema: arrayOf({
      anyOf: [sandboxSchema(), object({ name: string, state: wordOf('broken'), error: string })],
    }),
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
