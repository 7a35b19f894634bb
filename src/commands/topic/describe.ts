import { flag, many, toggle, type ValuesOf } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfItems, exitCodes, notFoundError } from '../../errors.ts';
import { DescribedTopic, exitCodeOfOffsets } from '../../kafka/cluster/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { missingIn, partialHint, suggestTopics, wholeNameHint } from '../not-found.ts';
import { descriptions } from './describe-text.ts';
import { checkTopicNames, topicOrPattern } from './topic-name.ts';

const sectionFlags = {
  printSummary: toggle({ short: 's', help: 'print the section SUMMARY' }),
  printConfigs: toggle({ short: 'c', help: 'print the section CONFIGS' }),
  printPartitions: toggle({ short: 'p', help: 'print the section PARTITIONS' }),
  printSizes: toggle({ short: 'z', help: 'print the section SIZES' }),
  printAll: toggle({ short: 'a', help: 'print all sections' }),
};

/** `topic describe` */
export const describe = listCommand({
  summary: 'Describe topics: configs, partitions, their offsets and sizes',
  description: `Without a section flag, prints the summary and the configs, and for several topics also the
partitions; json and yaml contain every section except the sizes. Sizes on disk come from every broker that holds a
replica, so they are read only with -z or -a, and need the permission to describe the cluster. RECORDS, with --format
wide, is HIGH-WATERMARK minus LOG-START-OFFSET: more than there are in a compacted topic or with transactions. A topic
that does not exist has an error in its summary, and the exit code is 3. Redpanda reports every
replica as in sync.`,
  examples: [
    ['Size and configs of a topic', 'topic describe orders'],
    ['Only what was set for it', 'topic describe orders -c --changed'],
    ['Its partitions with leaders, replicas and offsets', 'topic describe orders -p'],
    ['All sections of all topics whose names begin with "order"', "topic describe -r 'order.*' --format json"],
  ],
  aliases: ['info'],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    ...sectionFlags,
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    changed: toggle({ help: 'print only the configs that were set for the topic itself' }),
    stable: toggle({ help: 'also print last stable offsets, where they differ from the high watermarks' }),
    page: flag(integer(), { help: 'deprecated: has no effect', hidden: true, fallback: -1 }),
    pageSize: flag(integer(), { help: 'deprecated: has no effect', hidden: true, fallback: 20 }),
    watermarks: toggle({ help: 'deprecated: has no effect', hidden: true, fallback: true }),
    detailed: toggle({ help: 'deprecated: has no effect', hidden: true }),
  },
  row: DescribedTopic,
  async read(context, values) {
    const { topics, regex, stable } = values;
    if (!regex) checkTopicNames(topics);
    const { format } = context.flags;
    const all = values.printAll || format === 'json' || format === 'yaml';
    // Only the answer tells whether a pattern matches several topics.
    const sections = sectionsOf(values, regex || new Set(topics).size > 1);
    const kafka = await context.kafka();
    const rows = await kafka.describeTopics({
      topics,
      regex,
      configs: all || sections.configs,
      partitions: all || sections.partitions,
      stable,
      sizes: sections.sizes,
    });
    if (rows.length === 0) throw await noMatch(context, topics);
    await suggestTopics(
      context,
      missingIn(
        rows.map(({ summary }) => summary),
        ({ name }) => name,
      ),
    );
    // The partitions of a single match of a pattern are not shown, so that their errors do not count.
    const showsPartitions = all || sectionsOf(values, rows.length > 1).partitions;
    return rows.map((row) => ({
      ...row,
      configs: values.changed ? row.configs.filter(({ source }) => source === 'DYNAMIC_TOPIC_CONFIG') : row.configs,
      partitions: showsPartitions ? row.partitions : [],
    }));
  },
  text: (rows, view, values) => descriptions(rows, sectionsOf(values, rows.length > 1), view),
  wide: (rows, view, values) => descriptions(rows, { ...sectionsOf(values, rows.length > 1), isWide: true }, view),
  exitCode(rows, { printSizes }) {
    const items = exitCodeOfItems(rows.flatMap(({ summary, configs_error }) => [summary.error, configs_error ?? null]));
    if (items !== exitCodes.ok) return items;
    const offsets = exitCodeOfOffsets(rows.flatMap(({ partitions }) => partitions));
    if (offsets !== exitCodes.ok) return offsets;
    // Whoever may not describe the cluster did not ask for the sizes that --print-all has added.
    const sizes = printSizes ? rows.flatMap((row) => row.sizes ?? []) : [];
    return exitCodeOfItems(sizes.flatMap(({ replicas }) => replicas.map(({ error }) => error)));
  },
});

/** The sections that text shows, of one topic or of several. */
function sectionsOf(flags: ValuesOf<typeof sectionFlags>, isOneOfMany: boolean) {
  const { printSummary, printConfigs, printPartitions, printSizes, printAll } = flags;
  const isDefault = !(printSummary || printConfigs || printPartitions || printSizes || printAll);
  return {
    summary: isOneOfMany || isDefault || printSummary || printAll,
    configs: isDefault || printConfigs || printAll,
    partitions: (isDefault && isOneOfMany) || printPartitions || printAll,
    sizes: printSizes || printAll,
  };
}

async function noMatch(context: Context, patterns: readonly string[]): Promise<Error> {
  return notFoundError(`unable to describe topics: no topic matches ${patterns.join(' ')}`, {
    hints: [(await partialHint(context, 'topic', patterns)) ?? wholeNameHint],
  });
}
