import { list, many, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { configChange, plannedConfigs } from './config-changes.ts';
import { topicConfig, topicConfigKey } from './config-keys.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic alter-config` */
export const alterConfig = change({
  summary: 'Set, delete, append and subtract configs of topics',
  description: `Changes only the configs that are named, and shows their old and new values. The broker makes all
changes of a topic or none. A config that is deleted falls back to that of the cluster. With -r, changes every topic
whose whole name matches, except internal topics. With --dry-run, the broker validates the changes without making
them. Redpanda refuses --append and --subtract: set the whole list there.

Less retention, a cleanup policy that deletes or compacts more, and a default that is not known can erase records.`,
  examples: [
    ['Keep the records of a topic for an hour', 'topic alter-config orders --set retention.ms=3600000'],
    ['Return to the config of the cluster', 'topic alter-config orders payments --delete retention.ms'],
    ['Compact a topic as well as delete from it', 'topic alter-config payments --append cleanup.policy=compact'],
    ['Validate a change of many topics', "topic alter-config -r 'tmp-.*' --set retention.ms=60000 --dry-run"],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    set: list(topicConfig, { short: 's', help: 'set a config, for example retention.ms=7d or segment.bytes=64MiB' }),
    delete: list(topicConfigKey, {
      short: 'd',
      splits: true,
      help: 'delete a config, so that the config of the cluster applies',
    }),
    append: list(topicConfig, { help: 'append a value to a config that holds a list' }),
    subtract: list(topicConfig, { help: 'remove a value from a config that holds a list' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  ...configChange,
  namesAll: ({ regex }) => !regex,
  plan: (context, values) => plannedConfigs(context, values, values),
});
