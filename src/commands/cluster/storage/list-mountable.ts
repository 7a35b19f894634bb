import { MountableTopic } from '../../../admin/storage/storage-rows.ts';
import { command } from '../../../cli/command.ts';
import { table } from '../../../format/table.ts';
import { listOf } from '../../../shape/shape.ts';
import { readMountable } from './migration-start.ts';

/** `cluster storage list-mountable` */
export const listMountable = command({
  summary: 'List the topics in object storage that can be mounted',
  description: `The cluster looks for unmounted topics in its bucket. LOCATION tells topics of the same name apart: cluster storage mount
takes it instead of the name.`,
  examples: [
    ['All', 'cluster storage list-mountable'],
    ['For a script', 'cluster storage list-mountable --format json'],
  ],
  apis: ['admin'],
  changes: 'reads',
  result: listOf(MountableTopic),
  run: readMountable,
  show: {
    text: (rows, view) =>
      table(
        ['topic', 'namespace', 'location'],
        rows.map((row) => [row.topic, row.namespace, row.topic_location]),
        view,
      ),
  },
});
