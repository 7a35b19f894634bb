import { type Column, tableOf } from '../../cli/forms/columns.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { exitCodes } from '../../errors.ts';
import { pairs } from '../../format/table.ts';
import { getSandbox } from '../../sandbox/sandbox.ts';
import { locationOf, nameFlag } from './location.ts';
import { SandboxRow, sandboxRow, stateCell } from './sandbox-row.ts';

const memberColumns: readonly Column<SandboxRow['members'][number]>[] = [
  'part',
  'id',
  'address',
  ['state', ({ state }) => stateCell(state)],
  ['pid', ({ pid, container }) => pid ?? container],
];

/** `sandbox status` */
export const status = getCommand({
  summary: 'Show whether a sandbox is running, and where',
  description: 'The exit code is 0 if every broker answers, 10 if one does not, and 3 if the sandbox does not exist.',
  examples: [
    ['The default sandbox', 'sandbox status'],
    ['The same as data, with process ids', 'sandbox status --format json'],
  ],
  flags: { name: nameFlag },
  row: SandboxRow,
  async read(context, { name }) {
    return sandboxRow(await getSandbox(locationOf(context, name)));
  },
  text(row, view) {
    const summary = pairs(
      [
        ['name', row.name],
        ['state', stateCell(row.state)],
        [row.flavour, row.kafka_version],
        ['engine', row.engine],
        ['profile', row.profile],
        ['directory', row.directory],
      ],
      view,
    );
    return `${summary}\n${tableOf(row.members, memberColumns, view)}`;
  },
  exitCode: ({ state }) => (state === 'running' ? exitCodes.ok : exitCodes.checkFailed),
});
