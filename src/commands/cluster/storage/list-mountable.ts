import { MountableTopic } from '../../../admin/storage/storage-rows.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { readMountable } from './migration-start.ts';

/** `cluster storage list-mountable` */
export const listMountable = listCommand({
  summary: 'List the topics in object storage that can be mounted',
  description: `The cluster looks for unmounted topics in its bucket. LOCATION tells topics of the same name apart: cluster storage mount
takes it instead of the name.`,
  examples: [
    ['All', 'cluster storage list-mountable'],
    ['For a script', 'cluster storage list-mountable --format json'],
  ],
  apis: ['admin'],
  row: MountableTopic,
  read: readMountable,
  columns: ['topic', 'namespace', ['location', (one) => one.topic_location]],
});
