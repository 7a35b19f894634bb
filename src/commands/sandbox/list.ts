import { listCommand } from '../../cli/forms/read.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { healthCell } from '../../format/style.ts';
import { getSandbox, listSandboxes } from '../../sandbox/sandbox.ts';
import { either, type RowOf, row, string, word } from '../../shape/shape.ts';
import { locationOf } from './location.ts';
import { brokersOf, SandboxRow, sandboxRow, stateCell, versionOf } from './sandbox-row.ts';

/** A sandbox whose state cannot be read, listed among the others. */
const broken = row({ name: string, state: word('broken'), error: string });

function brokenRow(name: string, error: unknown): RowOf<typeof broken> {
  if (!(error instanceof CliError)) throw error;
  return { name, state: 'broken', error: error.message };
}

/** `sandbox list` */
export const list = listCommand({
  summary: 'List the sandboxes of this machine',
  examples: [
    ['All sandboxes', 'sandbox list'],
    ['The same as data, for a script', 'sandbox list --format json'],
  ],
  aliases: ['ls'],
  row: either(SandboxRow, broken),
  async read(context) {
    const names = await listSandboxes(locationOf(context, '').machine);
    const read = async (name: string) => sandboxRow(await getSandbox(locationOf(context, name)));
    return Promise.all(names.map((name) => read(name).catch((error: unknown) => brokenRow(name, error))));
  },
  columns: [
    'name',
    ['state', (row) => ('error' in row ? healthCell(row.state, 'bad') : stateCell(row.state))],
    ['kafka', (row) => ('error' in row ? null : versionOf(row))],
    ['profile', (row) => ('error' in row ? null : row.profile)],
    ['brokers', (row) => ('error' in row ? row.error : brokersOf(row))],
  ],
  exitCode: (rows) => (rows.some(({ state }) => state === 'broken') ? exitCodes.failure : exitCodes.ok),
});
