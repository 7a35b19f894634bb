import { many, one, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { configChange, plannedConfigs } from './config-changes.ts';
import { topicConfig } from './config-keys.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic set-config` */
export const setConfig = change({
  summary: 'Set configs of a topic',
  description: `The short form of topic alter-config --set. The broker makes all changes or none. With -r, sets the configs of
every topic whose whole name matches, except internal topics. Less retention, for example, can erase records.`,
  examples: [
    ['Keep the records of a topic for an hour', 'topic set-config orders retention.ms=3600000'],
    [
      'Two configs, validated without setting them',
      'topic set-config orders segment.ms=60000 cleanup.policy=compact --dry-run',
    ],
    ['Topics whose names begin with "tmp-"', "topic set-config -r 'tmp-.*' retention.ms=60000"],
  ],
  apis: ['kafka'],
  args: {
    topic: one(topicOrPattern, 'TOPIC', 'name of a topic, or a regular expression with -r'),
    configs: many(topicConfig, 'KEY=VALUE', 'configs to set'),
  },
  flags: { regex: toggle({ short: 'r', help: 'treat TOPIC as a regular expression that matches whole names' }) },
  ...configChange,
  namesAll: ({ regex }) => !regex,
  plan: (context, { topic, regex, dryRun, configs }) =>
    plannedConfigs(context, { topics: [topic], regex, dryRun }, { set: configs, delete: [], append: [], subtract: [] }),
});
