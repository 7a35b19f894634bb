import { command, flag, list, one, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { CliError, type ItemError, usageError, withHints } from '../../errors.ts';
import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { count } from '../../format/count.ts';
import { shellWord } from '../../format/shell-word.ts';
import type { View } from '../../format/view.ts';
import { parseOffsetRange } from '../../kafka/consume/offset-range.ts';
import { type SeekPlan, type SeekTarget, type SoughtRow, soughtPartition } from '../../kafka/group-admin/seek-rows.ts';
import { type Kind, outputPath, path } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { adviseGroup } from '../missing.ts';
import { isDataFile } from '../text-file.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import { topicName } from '../topic/topic-name.ts';
import { groupName } from './group-name.ts';

/** A place in time or at an end of the log; `back` is a number of milliseconds before now. */
type SeekPlace =
  | Extract<SeekTarget, { readonly to: 'start' | 'end' | 'time' }>
  | { readonly to: 'back'; readonly milliseconds: number };

const forms =
  'use start, end, a time (10, 13 or 19 digits, 2024-01-31, 2024-01-31T15:04:05Z) or a duration back such as -1h30m';

/** The value of `group seek --to`. */
const seekPlace: Kind<SeekPlace> = {
  name: 'place',
  hint: 'start|end|TIME',
  parse(value) {
    if (value === 'start' || value === 'end') return { to: value };
    // 19 digits are nanoseconds, as in rpk.
    if (/^\d{19}$/.test(value)) return { to: 'time', timestamp: Number(BigInt(value) / 1_000_000n) };
    // A time in topic consume begins with @.
    const time = value.replace(/^@/, '');
    const timestamp = timeOf(time);
    if (timestamp === undefined) throw new Error(`not a place (${forms})`);
    return time.startsWith('-') ? { to: 'back', milliseconds: -timestamp } : { to: 'time', timestamp };
  },
  show: (place) => (place.to === 'time' ? new Date(place.timestamp).toISOString() : place.to),
};

/** Milliseconds since the epoch, or a negative number of milliseconds for a duration back. */
function timeOf(value: string): number | undefined {
  try {
    const { start, end } = parseOffsetRange(`@${value}`, 0);
    return start.at === 'time' && end === undefined && !value.includes(' ') ? start.timestamp : undefined;
  } catch {
    return undefined;
  }
}

const args = { group: one(groupName, 'GROUP') };
const flags = {
  to: flag(seekPlace, { help: 'where to move: start, end, a time, or a duration back from now' }),
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
  // Negative times have other meanings in the protocol; no record is older than 1970.
  if (to?.to === 'back') return { to: 'time', timestamp: Math.max(0, context.host.now() - to.milliseconds) };
  if (to !== undefined) return to;
  const offsets = await readPartitionFile(context, toFile ?? '', {
    flag: '--to-file',
    offsets: 'numbers and -',
    topicIds: true,
  });
  return { to: 'offsets', offsets };
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
