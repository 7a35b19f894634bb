import { referenceName } from '../../../admin/storage/storage-words.ts';
import { flag, one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { followMigration, planMigration, startsMigration } from './migration-start.ts';
import { storedTopic, topicReference } from './storage-kinds.ts';

/** `cluster storage mount` */
export const mount = change({
  summary: 'Mount a topic that is in object storage, so that clients can use it',
  description: `The topic must be in the bucket of the cluster: see cluster storage list-mountable. If several
topics there have the same name, use the location of one. The mount continues in the background, and its migration id
is printed. --wait waits until the topic is mounted; Ctrl-C ends only the wait: continue with cluster storage
status-mount ID --wait.`,
  examples: [
    ['Wait until clients can use it', 'cluster storage mount archive --wait'],
    ['Under another name', 'cluster storage mount archive --to archive-2024'],
    ['Check that it can be mounted', 'cluster storage mount archive --dry-run'],
  ],
  apis: ['admin'],
  args: { topic: one(storedTopic, 'TOPIC', 'topic to mount, as [NAMESPACE/]TOPIC or its location') },
  flags: {
    to: flag(topicReference, { help: 'name of the topic in this cluster (default: the name that it has)' }),
    ...waitFlags('the topic is mounted'),
  },
  changes: 'creates',
  ...startsMigration,
  plan(context, { topic: source, to, ...values }) {
    checkWait(values);
    const alias = to === undefined || referenceName(to) === referenceName(source) ? null : to;
    return planMigration(context, { type: 'inbound', source, alias });
  },
  follow: (context, migrations, values) => followMigration(context, migrations, values),
});
