import { many, toggle, type ValuesOf } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfItems, exitCodes, notFoundError, usageError } from '../../errors.ts';
import { GroupDescription } from '../../kafka/cluster/groups/group-rows.ts';
import { checkGroupNames, groupOrPattern } from '../group-name.ts';
import { missingIn, partialHint, suggestGroups, wholeNameHint } from '../not-found.ts';
import { descriptions, lagPerTopic, type Parts, summaries } from './describe-text.ts';

const partFlags = {
  printSummary: toggle({ short: 's', help: 'print only the summaries' }),
  printCommits: toggle({ short: 'c', help: 'print only the partitions with offsets and lag' }),
  printMembers: toggle({ short: 'm', help: 'print the members and what is assigned to them' }),
  printLagPerTopic: toggle({ short: 't', help: 'print the summaries and a table with the lag of each topic' }),
};

/** `group describe` */
export const describe = listCommand({
  summary: 'Describe groups: state, members, committed offsets and lag',
  description: `Prints the summary of each group and, below it, the partitions with a committed offset or a member.
LAG is the number of records from the committed offset, or else from the log start, to the log end.

Share groups have no lag: CURRENT-OFFSET is the first offset that is not acknowledged or archived. The members of
streams groups and their tasks are not shown.

json and yaml contain every part. A group that does not exist has an error in its summary, and the exit code is 3.`,
  examples: [
    ['State, offsets and lag of a group', 'group describe billing'],
    ['Only the summaries of all groups whose names begin with "bill"', "group describe -s -r 'bill.*'"],
    ['The members of a group with what is assigned to them', 'group describe billing -m'],
    ['The lag of each topic', 'group describe billing -t'],
  ],
  apis: ['kafka'],
  args: { groups: many(groupOrPattern, 'GROUP', 'names of groups, or regular expressions with -r') },
  flags: {
    ...partFlags,
    instanceId: toggle({
      short: 'i',
      help: 'ignored: members that have an instance id are shown with it',
      aliases: ['instance-ID'],
      hidden: true,
    }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  row: GroupDescription,
  async read(context, { groups, regex, ...flags }) {
    if (!regex) checkGroupNames(groups);
    partsOf(flags);
    const kafka = await context.kafka();
    const rows = await kafka.describeGroups({ groups, regex });
    if (rows.length === 0) throw await noMatch(context, groups);
    await suggestGroups(
      context,
      missingIn(rows, ({ group }) => group),
    );
    for (const { group, type } of rows)
      if (type === 'streams')
        context.notice(`group "${group}" is a streams group: its members and tasks are not shown`);
    return rows;
  },
  text(rows, view, flags) {
    const parts = partsOf(flags);
    if (parts === 'lag per topic') return [...summaries(rows, view), `\n${lagPerTopic(rows, view)}`];
    return parts === 'summary' ? summaries(rows, view) : descriptions(rows, parts, view);
  },
  exitCode(rows) {
    const items = exitCodeOfItems(rows.map(({ error }) => error));
    const isPartial = rows.some(({ partitions }) => partitions.some(({ error }) => error !== null));
    return items === exitCodes.ok && isPartial ? exitCodes.failure : items;
  },
});

function partsOf({ printSummary, printCommits, printMembers, printLagPerTopic }: ValuesOf<typeof partFlags>): Parts {
  const chosen: readonly (readonly [boolean, string, Parts])[] = [
    [printLagPerTopic, '--print-lag-per-topic', 'lag per topic'],
    [printSummary, '--print-summary', 'summary'],
    [printCommits, '--print-commits', 'commits'],
    [printMembers, '--print-members', 'members'],
  ];
  const sections = chosen.filter(([isGiven]) => isGiven);
  const [first, second] = sections;
  // The lag per topic comes with the summaries, so -s changes nothing there.
  if (first && second && !(printLagPerTopic && printSummary && sections.length === 2)) {
    throw usageError(`${first[1]} and ${second[1]} exclude each other`, { hints: ['give one of them'] });
  }
  return first?.[2] ?? 'summary and commits';
}

async function noMatch(context: Context, patterns: readonly string[]): Promise<Error> {
  return notFoundError(`unable to describe groups: no group matches ${patterns.join(' ')}`, {
    hints: [(await partialHint(context, 'group', patterns)) ?? wholeNameHint],
  });
}
