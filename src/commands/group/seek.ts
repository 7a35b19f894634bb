import { command, flag, list, one, toggle } from '../../cli/command.ts';
import { arrayOf, integerSchema, itemErrorSchema, nullable, object, string } from '../../cli/output/schema.ts';
import type { Context } from '../../context.ts';
import { CliError, withHints } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shellWord } from '../../format/shell-word.ts';
import type { SeekPlan } from '../../kafka/group-admin/seek-rows.ts';
import { path } from '../../kinds.ts';
import { newPath, writeNewFile } from '../topic/new-file.ts';
import { topicName } from '../topic/topic-name.ts';
import { groupName } from './group-name.ts';
import { planOf } from './seek-choice.ts';
import { seekPlace } from './seek-place.ts';
import { plannedRows, planText, soughtText, warnOutside } from './seek-text.ts';
import { undoFile } from './undo-file.ts';

/** `group seek` */
export const seek = command({
  summary: 'Move the committed offsets of a group',
  description: `The group must have no members (exit code 6): stop them first. On a terminal, the plan is shown before the question.

--to moves all partitions of the topics that the group has committed offsets of, or of the topics in --topics. A TIME moves
to the first record at or after it, or to the log end if there is none. It is 10 digits (seconds since the epoch), 13
(milliseconds), 19 (nanoseconds), a date such as 2024-01-31, RFC 3339 such as 2024-01-31T15:04:05Z, or a duration back from
now such as -1h30m.

A group that does not exist is an error (exit code 3), because its name may be misspelled: --allow-new-group creates it.

--to-group copies the committed offsets of another group. --to-file reads lines of TOPIC PARTITION OFFSET [TOPIC-ID], or a
JSON or YAML list of objects with the keys topic, partition, offset and topic_id. An offset of - removes the committed
offset; # begins a comment. The id may be left out. If it is that of a topic that was deleted and created again, nothing
is moved (exit code 6).

--undo-file writes the offsets from before the seek to a new file, with the topic ids, for --to-file.`,
  examples: [
    ['Read everything again', 'group seek billing --to start'],
    [
      'Go back an hour in one topic, and keep a way back',
      'group seek billing --to -1h --topics orders --undo-file undo.txt',
    ],
    ['Undo that', 'group seek billing --to-file undo.txt'],
    ['Show where another group is, without changing anything', 'group seek billing --to-group billing-old --dry-run'],
  ],
  apis: ['kafka'],
  args: { group: one(groupName, 'GROUP') },
  flags: {
    to: flag(seekPlace, { help: 'where to move: start, end, a time, or a duration back from now' }),
    toGroup: flag(groupName, { help: 'copy the committed offsets of this group' }),
    toFile: flag(path, { help: 'commit the offsets in this file (- for standard input)' }),
    topics: list(topicName, { help: 'only these topics', splits: true }),
    allowNewTopics: toggle({ help: 'with --to, also commit offsets of topics that have none yet' }),
    allowNewGroup: toggle({ help: 'if no group has this name, create it with its first offsets' }),
    undoFile: flag(newPath, { help: 'write the offsets from before the seek to this new file' }),
  },
  changes: 'destroys',
  plan: planOf,
  confirm(_context, { group }, plan) {
    const moved = plan.moves.filter(({ error }) => error === null);
    const what = `${count(moved.length, 'partition')} of group "${group}"`;
    return { question: `Move the committed offsets of ${what}`, name: group, preview: planText(plan) };
  },
  dryRun(context, _values, plan) {
    warnOutside(context, plan);
    return plannedRows(plan);
  },
  async run(context, values, plan) {
    warnOutside(context, plan);
    const undo = values.undoFile === undefined ? undefined : await keepUndo(context, values.undoFile, plan);
    const kafka = await context.kafka();
    return kafka.seekGroup(plan).catch((error: unknown) => {
      throw undo !== undefined && context.signal.aborted && error instanceof CliError
        ? withHints(error, [undo])
        : error;
    });
  },
  output: {
    schema: arrayOf(
      object({
        topic: string,
        partition: integerSchema,
        prior_offset: nullable(integerSchema),
        current_offset: nullable(integerSchema),
        error: itemErrorSchema,
      }),
    ),
    text: soughtText,
  },
});

/** Writes the undo file; returns a hint that says how to use it. */
async function keepUndo(context: Context, file: string, { group, moves }: SeekPlan): Promise<string | undefined> {
  const moved = moves.filter(({ error }) => error === null);
  // A file without partitions would be refused by --to-file.
  if (moved.length === 0) {
    context.notice(`there is nothing to undo: ${file} is not written`);
    return undefined;
  }
  await writeNewFile(context, file, undoFile(file, { group, moves: moved }));
  return `go back with: weir group seek ${shellWord(group)} --to-file ${shellWord(file)}`;
}
