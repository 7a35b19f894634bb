import { command, flag, many, toggle } from '../../cli/command.ts';
import { exitCodeOfItems, exitCodes, notFoundError } from '../../errors.ts';
import { integer } from '../../kinds.ts';
import { suggestTopics } from '../missing.ts';
import { describeSchema, descriptions, type ShownTopic } from './describe-text.ts';
import { checkTopicNames, topicOrPattern } from './topic-name.ts';

// Sizes that --print-all has added: whoever may not describe the cluster did not ask for them.
const addedSizes = new WeakSet<ShownTopic>();

/** `topic describe` */
export const describe = command({
  summary: 'Describe topics: configs, partitions, their offsets and sizes',
  description: `Without a section flag, prints the summary and the configs, and for several topics also the partitions. For several
topics, the summary is always printed; json and yaml contain every section except the sizes. If an offset cannot be read, the reason is
shown in its place. Sizes on disk come from every broker that holds a replica, so they are read only with -z or -a, and
need the permission to describe the cluster; with -a, sizes that cannot be read do not change the exit code. A topic that does not exist has an error in its summary, and the exit code is 3 in every format.`,
  examples: [
    ['Size and configs of a topic', 'topic describe orders'],
    ['Its partitions with leaders, replicas and offsets', 'topic describe orders -p'],
    ['All sections of all topics whose names begin with "order"', "topic describe -r 'order.*' --format json"],
  ],
  aliases: ['info'],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    printSummary: toggle({ short: 's', help: 'print the section SUMMARY' }),
    printConfigs: toggle({ short: 'c', help: 'print the section CONFIGS' }),
    printPartitions: toggle({ short: 'p', help: 'print the section PARTITIONS' }),
    printSizes: toggle({ short: 'z', help: 'print the section SIZES' }),
    printAll: toggle({ short: 'a', help: 'print all sections' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    stable: toggle({ help: 'also print last stable offsets, where they differ from the high watermarks' }),
    page: flag(integer(), { help: 'deprecated: has no effect', hidden: true, fallback: -1 }),
    pageSize: flag(integer(), { help: 'deprecated: has no effect', hidden: true, fallback: 20 }),
    watermarks: toggle({ help: 'deprecated: has no effect', hidden: true, fallback: true }),
    detailed: toggle({ help: 'deprecated: has no effect', hidden: true }),
  },
  changes: 'reads',
  async run(context, { topics, regex, stable, ...flags }): Promise<readonly ShownTopic[]> {
    if (!regex) checkTopicNames(topics);
    const { format } = context.flags;
    const chosen = flags.printSummary || flags.printConfigs || flags.printPartitions || flags.printSizes;
    const all = flags.printAll || format === 'json' || format === 'yaml';
    // Only the answer tells whether a pattern matches several topics.
    const several = regex || new Set(topics).size > 1;
    const kafka = await context.kafka();
    const rows = await kafka.describeTopics({
      topics,
      regex,
      configs: all || flags.printConfigs || !chosen,
      partitions: all || flags.printPartitions || (several && !chosen),
      stable,
      sizes: flags.printAll || flags.printSizes,
    });
    if (rows.length === 0) throw noMatch(topics);
    await suggestTopics(
      context,
      rows.map(({ summary }) => [summary.name, summary.error]),
    );
    if (!flags.printSizes) for (const row of rows) addedSizes.add(row);
    if (all || rows.length > 1) return rows;
    return rows.map((row) => ({
      ...row,
      summary: flags.printSummary || !chosen || row.summary.error ? row.summary : undefined,
      partitions: flags.printPartitions ? row.partitions : undefined,
    }));
  },
  output: {
    schema: describeSchema,
    text: (rows, view) => descriptions(rows, view, false),
    wide: (rows, view) => descriptions(rows, view, true),
    exitCode(rows) {
      const items = exitCodeOfItems(rows.flatMap((row) => [row.summary?.error ?? null, row.configs_error ?? null]));
      if (items !== exitCodes.ok) return items;
      if (rows.some((row) => row.partitions?.some(({ error }) => error.length > 0))) return exitCodes.failure;
      const asked = rows.filter((row) => !addedSizes.has(row));
      const replicas = asked.flatMap((row) => row.sizes?.flatMap((partition) => partition.replicas) ?? []);
      return exitCodeOfItems(replicas.map(({ error }) => error));
    },
  },
});

function noMatch(patterns: readonly string[]): Error {
  return notFoundError(`unable to describe topics: no topic matches ${patterns.join(' ')}`, {
    hints: ['write a regular expression that matches the whole name, such as "name.*"'],
  });
}
