import { referenceName } from '../../../admin/storage/storage-words.ts';
import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { followMigration, planMigration, startsMigration } from './migration-start.ts';
import { ownTopic } from './storage-kinds.ts';

/** `cluster storage unmount` */
export const unmount = change({
  summary: 'Unmount a topic: keep its records in object storage only',
  description: `Clients can no longer write to the topic, and then no longer read it. Its records stay in object
storage, from where this cluster or another one can mount it. The unmount continues in the background, and its
migration id is printed. --wait waits until the topic is unmounted; Ctrl-C ends only the wait: continue with cluster
storage status-mount ID --wait.`,
  examples: [
    ['Wait until it is unmounted', 'cluster storage unmount orders --wait'],
    ['Without a prompt', 'cluster storage unmount orders --yes'],
    ['Show what would happen', 'cluster storage unmount orders --dry-run'],
  ],
  apis: ['admin'],
  args: { topic: one(ownTopic, 'TOPIC', 'topic to unmount, as [NAMESPACE/]TOPIC') },
  flags: waitFlags('the topic is unmounted'),
  changes: 'destroys',
  namesAll: true,
  ...startsMigration,
  plan(context, { topic: source, ...values }) {
    checkWait(values);
    return planMigration(context, { type: 'outbound', source, alias: null });
  },
  asks(_migrations, { topic }) {
    const name = referenceName(topic);
    return { question: `Unmount topic ${name}, so that clients can no longer use it,`, name };
  },
  follow: (context, migrations, values) => followMigration(context, migrations, values),
});
