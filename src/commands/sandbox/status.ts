import { command } from '../../cli/command.ts';
import { exitCodes } from '../../errors.ts';
import { pairs, table } from '../../format/table.ts';
import { getSandbox } from '../../sandbox/sandbox.ts';
import { nameFlag, placeOf } from './place.ts';
import { SandboxRow, sandboxRow, stateCell } from './sandbox-row.ts';

/** `sandbox status` */
export const status = command({
  summary: 'Show whether a sandbox is running, and where',
  description: 'The exit code is 0 if every broker answers, 10 if one does not, and 3 if the sandbox does not exist.',
  examples: [
    ['The default sandbox', 'sandbox status'],
    ['The same as data, with process ids', 'sandbox status --format json'],
  ],
  flags: { name: nameFlag },
  changes: 'reads',
  result: SandboxRow,
  async run(context, { name }) {
    return sandboxRow(await getSandbox(placeOf(context, name)));
  },
  show: {
    text(row, view) {
      const summary = pairs(
        [
          ['name', row.name],
          ['state', stateCell(row.state)],
          ['kafka', row.kafka_version],
          ['engine', row.engine],
          ['profile', row.profile],
          ['directory', row.directory],
        ],
        view,
      );
      const members = row.members.map((one) => [
        one.part,
        one.id,
        one.address,
        stateCell(one.state),
        one.pid ?? one.container,
      ]);
      return `${summary}\n${table(['part', 'id', 'address', 'state', 'pid'], members, view)}`;
    },
    exitCode: ({ state }) => (state === 'running' ? exitCodes.ok : exitCodes.checkFailed),
  },
});
