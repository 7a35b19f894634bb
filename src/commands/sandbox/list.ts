import { command } from '../../cli/command.ts';
import { arrayOf } from '../../cli/output/schema.ts';
import { table } from '../../format/table.ts';
import { getSandbox, listSandboxes } from '../../sandbox/sandbox.ts';
import { placeOf } from './place.ts';
import { brokersOf, type SandboxRow, sandboxRow, sandboxSchema, versionOf } from './sandbox-row.ts';

/** `sandbox list` */
export const list = command({
  summary: 'List the sandboxes of this machine',
  examples: [
    ['All of them', 'sandbox list'],
    ['Their names and states, for a script', 'sandbox list --format json'],
  ],
  changes: 'reads',
  async run(context): Promise<readonly SandboxRow[]> {
    const names = await listSandboxes(placeOf(context, '').machine);
    return Promise.all(names.map(async (name) => sandboxRow(await getSandbox(placeOf(context, name)))));
  },
  output: {
    schema: arrayOf(sandboxSchema()),
    text: (rows, view) =>
      table(
        ['name', 'state', 'kafka', 'profile', 'brokers'],
        rows.map((row) => [row.name, row.state, versionOf(row), row.profile, brokersOf(row)]),
        view,
      ),
  },
});
