import { command, flag, list, one, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { CliError, type ItemError, usageError, withHints } from '../../errors.ts';
import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { count } from '../../format/count.ts';
import { shellWord } from '../../format/shell-word.ts';
import type { View } from '../../format/view.ts';
import { type SeekPlan, type SeekTarget, type SoughtRow, soughtPartition } from '../../kafka/group-admin/seek-rows.ts';
import { type Kind, outputPath, path, text } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { adviseGroup } from '../missing.ts';
import { timeToChange } from '../moment.ts';
import { isDataFile } from '../text-file.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import { topicName } from '../topic/topic-name.ts';
import { groupName } from './group-name.ts';

/** The value of `group seek --to`. */
const seekPlace: Kind<string> = {
  ...text,
  name: 'place',
  hint: 'start|end|TIME',
  offers: ['start', 'end', '-1h', 'yesterday 9:00'],
};

const args = { group: one(groupName, 'GROUP') };
const flags = {
  to: flag(seekPlace, { help: 'where to move: start, end, or a time such as -1h' }),
  toGroup: flag(groupName, { help: 'copy the committed offsets of this group' }),
  toFile: flag(path, { help: 'commit the offsets in this file (- for standard input)' }),
  topics: list(topicName, { help: 'only these topics', splits: true }),
  allowNewTopics: toggle({ help: 'with --to, also commit offsets of topics that have none yet' }),
  allowNewGroup: toggle({ help: 'if no group has this name, create it with its first offsets' }),
  undoFile: flag(outputPath, { help: 'write the offsets from before the seek to this new file' }),
};

/** `group seek` */
export const seek = command({
  summary: 'Move the committed offsets of a group',
  description: `The group must have no members (exit code 6): stop them first. On a terminal, the plan is shown before the question.

--to moves all partitions of the topics that the group has committed offsets of, or of the topics in --topics. A TIME moves
to the first record at or after it, or to the log end if there is none: -1h30m, "yesterday 9:00", 2024-01-31T15:04:05 in
the time zone of this machine, 2024-01-31T15:04:05Z, and others (weir help offsets). A time in the future is refused.

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
  args,
  flags,
  changes: 'destroys',
  result: listOf(soughtPartition),
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
  show: {
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
  await writeNewFile(context, file, undoText(file, { group, moves: moved }));
  return `go back with: weir group seek ${shellWord(group)} --to-file ${shellWord(file)}`;
}

/**
 * An undo file: the offsets that are committed before a seek, as `group seek --to-file` reads a file with this name. That
 * takes a name such as undo.json for JSON, which is YAML too. The topic ids keep the offsets from those of a topic that is
 * created again with the same name.
 */
function undoText(path: string, { group, moves }: SeekPlan): string {
  const places = moves.map(({ topic, topic_id: id, partition, prior_offset: prior }) => ({
    topic,
    partition,
    offset: prior === null ? '-' : String(prior),
    ...(id !== null && { topic_id: id }),
  }));
  if (isDataFile(path)) return `[\n${places.map((place) => `  ${JSON.stringify(place)}`).join(',\n')}\n]\n`;
  return [
    `# committed offsets of group ${JSON.stringify(group)} before a seek: topic, partition, offset, topic id`,
    ...places.map((place) => Object.values(place).join(' ')),
    '',
  ].join('\n');
}

/** Plans the seek that the command line describes. */
async function planOf(context: Context, values: ValuesOf<typeof args & typeof flags>): Promise<SeekPlan> {
  const { group, topics, allowNewTopics, allowNewGroup } = values;
  const target = await targetOf(context, values);
  const kafka = await context.kafka();
  return kafka.planSeek({ group, target, topics, allowNewTopics, allowNewGroup }).catch(async (error: unknown) => {
    const isOther = error instanceof CliError && error.target !== group;
    throw await adviseGroup(error, context, isOther ? [] : ['give --allow-new-group to create the group']);
  });
}

async function targetOf(context: Context, { to, toGroup, toFile }: ValuesOf<typeof flags>): Promise<SeekTarget> {
  const given = [to, toGroup, toFile].filter((one) => one !== undefined).length;
  if (given !== 1) {
    const message = given === 0 ? 'no place to seek to' : '--to, --to-group and --to-file exclude each other';
    throw usageError(message, { hints: ['give one of --to, --to-group and --to-file'] });
  }
  if (toGroup !== undefined) return { to: 'group', group: toGroup };
  if (to !== undefined) return placeOf(context, to);
  const offsets = await readPartitionFile(context, toFile ?? '', {
    flag: '--to-file',
    offsets: 'numbers and -',
    topicIds: true,
  });
  return { to: 'offsets', offsets };
}

/** @throws CliError (exit 2) for a text that is no place, and for a time in the future */
function placeOf(context: Context, given: string): SeekTarget {
  if (given === 'start' || given === 'end') return { to: given };
  return { to: 'time', timestamp: timeToChange(context, given, '--to') };
}

interface Move {
  readonly topic: string;
  readonly partition: number;
  readonly error: ItemError | null;
}

/** The result of a seek, with a column ERROR if a partition has one. */
function soughtText(rows: readonly SoughtRow[], view: View): string {
  return moveTable(rows, ['current offset', (row) => row.current_offset], view);
}

/** What a seek would do, as if it had been done. */
function plannedRows({ moves }: SeekPlan): SoughtRow[] {
  return moves.map(({ topic, partition, prior_offset, new_offset, error }) => ({
    topic,
    partition,
    prior_offset,
    current_offset: error === null ? new_offset : prior_offset,
    error,
  }));
}

/** The plan, as the question shows it. */
function planText({ moves }: SeekPlan): string {
  return moveTable(moves, ['new offset', (row) => row.new_offset]);
}

function moveTable<T extends Move & { readonly prior_offset: bigint | null }>(
  rows: readonly T[],
  offset: Column<T>,
  view?: View,
): string {
  return columnTable(
    rows,
    [
      ['topic', ({ topic }) => topic],
      ['partition', ({ partition }) => partition],
      ['prior offset', (row) => row.prior_offset],
      offset,
      errorColumn(rows),
    ],
    view,
  );
}

/** Warns about offsets that are not in the log: consumers would begin where their auto.offset.reset says. */
function warnOutside(context: Pick<Context, 'warn'>, { moves }: SeekPlan): void {
  const outside = moves.filter(({ new_offset: offset, log_start_offset: start, log_end_offset: end }) => {
    return offset !== null && ((start !== null && offset < start) || (end !== null && offset > end));
  });
  const [first] = outside;
  if (first === undefined) return;
  const { topic, partition, new_offset: offset, log_start_offset: start, log_end_offset: end } = first;
  const more = outside.length > 1 ? `, and ${count(outside.length - 1, 'other offset')} too` : '';
  context.warn(
    `offset ${offset} is outside the log of topic "${topic}" partition ${partition} (${start} to ${end})${more}`,
  );
}
