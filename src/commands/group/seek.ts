import { flag, list, many, toggle, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { type ItemState, notNeededIf } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { CliError, missingError, usageError, withHints } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { inNumber, shortList } from '../../format/name-lists.ts';
import { shellWord } from '../../format/shell-word.ts';
import {
  offsetAfter,
  type PlannedSeek,
  type SeekPlan,
  type SeekTarget,
  SoughtOffset,
} from '../../kafka/cluster/groups/seek-rows.ts';
import { type Kind, outputPath, path, text } from '../../kinds.ts';
import { groupName, groupOrPattern } from '../group-name.ts';
import { adviseGroup } from '../not-found.ts';
import { isDataFile } from '../text-file.ts';
import { timeToChange } from '../times.ts';
import { writeNewFile } from '../topic/new-file.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import { chosenGroups } from './chosen-groups.ts';
import { selectedTopics, topicOrPartition } from './topic-partitions.ts';

/** An offset of a partition. */
const offset: Kind<bigint> = {
  name: 'offset',
  hint: 'N',
  parse(value) {
    if (!/^\d{1,19}$/.test(value)) throw new Error('not an offset');
    return BigInt(value);
  },
  show: String,
};

/** The value of `group seek --to`. */
const seekPlace: Kind<string> = {
  ...text,
  name: 'place',
  hint: 'start|end|N|+N|-N|TIME',
  offers: ['start', 'end', '+1', '-1h', 'yesterday 9:00'],
};

const args = { groups: many(groupOrPattern, 'GROUP', 'names of groups, or regular expressions with -r') };
const flags = {
  to: flag(seekPlace, { help: 'where to move: start, end, offset N, +N or -N records, or a time such as -1h' }),
  toOffset: flag(offset, { help: 'move to this offset; for numbers that --to reads as times' }),
  toGroup: flag(groupName, { help: 'copy the committed offsets of this group' }),
  toFile: flag(path, { help: 'commit the offsets in this file (- for standard input)' }),
  topics: list(topicOrPartition, { help: 'only these topics, or some of their partitions: orders:0,3', splits: true }),
  regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  allowNewTopics: toggle({ help: 'with --to, also commit offsets of topics that have none yet' }),
  allowNewGroup: toggle({ help: 'if no group has this name, create it with its first offsets' }),
  undoFile: flag(outputPath, { help: 'write the offsets from before the seek to this new file' }),
};

/** `group seek` */
export const seek = change({
  summary: 'Move the committed offsets of groups',
  description: `The groups must have no members (exit code 6): stop them first.

--to moves all partitions with committed offsets, or those in --topics. N, +N and -N are offsets: that one, N after
the committed one, and N before it. A TIME moves to the first record at or after it: -1h30m, "yesterday 9:00",
2024-01-31T15:04:05Z, and others (see weir help offsets). SHIFT is how many offsets a partition moves: +3 skips up to
three records.

--to-group copies the committed offsets of another group. --to-file reads lines of TOPIC PARTITION OFFSET [TOPIC-ID],
or a JSON or YAML list of objects with these fields; an offset of - removes the committed one. --undo-file writes the
offsets from before the seek to a file for --to-file.

A group that does not exist is an error (exit code 3), unless --allow-new-group is given. With several groups, nothing
is moved if one of them cannot be.`,
  examples: [
    ['Replay: read everything again', 'group seek billing --to start'],
    ['Skip one bad record of partition 3', 'group seek billing --topics orders:3 --to +1'],
    ['Reprocess everything since yesterday morning', "group seek billing --to 'yesterday 9:00' --dry-run"],
    [
      'Go back an hour in one topic, and keep a way back',
      'group seek billing --to -1h --topics orders --undo-file undo.txt',
    ],
    ['Undo that', 'group seek billing --to-file undo.txt'],
    ['Skip what all groups of a team have not read', "group seek -r 'billing-.*' --to end"],
    ['Show where another group is, without changing anything', 'group seek billing --to-group billing-old --dry-run'],
  ],
  apis: ['kafka'],
  args,
  flags,
  changes: 'destroys',
  namesAll: ({ regex }) => !regex,
  noun: 'partition',
  item: SoughtOffset,
  plan: movesOf,
  asks(moves) {
    const groups = [...new Set(moves.map(({ group }) => group))];
    const whose = `${inNumber(groups, 'group', 'groups')} ${shortList(groups.map((group) => `"${group}"`))}`;
    return {
      question: `Move the committed offsets of ${count(moves.length, 'partition')} of ${whose}`,
      name: groups.length === 1 ? String(groups[0]) : count(groups.length, 'group'),
    };
  },
  previews: true,
  async apply(context, moves, { undoFile }) {
    const undo = undoFile === undefined ? undefined : await keepUndo(context, undoFile, moves);
    const kafka = await context.kafka();
    const moved: Awaited<ReturnType<typeof kafka.seekGroup>>[number][] = [];
    for (const [group, groupMoves] of Map.groupBy(moves, (move) => move.group)) {
      const outcomes = kafka.seekGroup({ group, moves: groupMoves }).catch((error: unknown) => {
        throw undo !== undefined && context.signal.aborted && error instanceof CliError
          ? withHints(error, [undo])
          : error;
      });
      moved.push(...(await outcomes));
    }
    return moved;
  },
  columns: [
    ['group', ({ group }) => group, (rows) => rows.some(({ group }) => group !== rows[0]?.group)],
    'topic',
    'partition',
    'prior_offset',
    'new_offset',
    ['shift', ({ shift }) => (shift !== null && shift > 0n ? `+${shift}` : shift)],
  ],
  would: 'be moved',
  notNeeded: 'is there already',
  ends: 'error',
});

/** A planned move, with its group. */
type Move = PlannedSeek & SoughtOffset & ItemState;

/** Writes the undo file; returns a hint that says how to use it. */
async function keepUndo(context: Context, file: string, moves: readonly Move[]): Promise<string> {
  const group = moves[0]?.group ?? '';
  await writeNewFile(context, file, undoText(file, { group, moves }));
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

/** Plans the moves that the command line describes; none, if one of the groups cannot be moved. */
async function movesOf(context: Context, values: ValuesOf<typeof args & typeof flags>): Promise<readonly Move[]> {
  const { undoFile, allowNewTopics, allowNewGroup } = values;
  const topics = selectedTopics(values.topics, '--topics');
  const target = await targetOf(context, values);
  const groups = await chosenGroups(context, values, 'seek groups');
  if (undoFile !== undefined && groups.length > 1) {
    throw usageError('--undo-file holds the offsets of one group', {
      target: '--undo-file',
      hints: ['seek the groups one at a time'],
    });
  }
  const kafka = await context.kafka();
  const moves: Move[] = [];
  for (const group of groups) {
    const call = { group, target, topics, allowNewTopics, allowNewGroup };
    const plan = await kafka.planSeek(call).catch((error: unknown) => rethrow(error, context, group));
    moves.push(
      ...plan.moves.map((move) => {
        const isThere = move.error === null && move.new_offset === move.prior_offset;
        const status = notNeededIf(isThere);
        return { group, ...move, ...offsetAfter(move, move.error), status };
      }),
    );
  }
  warnOutside(context, moves);
  // A file without partitions would be refused by --to-file.
  if (undoFile !== undefined && moves.every(({ error, status }) => error !== null || status !== undefined))
    context.notice(`there is nothing to undo: ${undoFile} is not written`);
  return moves;
}

async function rethrow(error: unknown, context: Context, group: string): Promise<never> {
  const isOther = error instanceof CliError && error.target !== group;
  throw await adviseGroup(error, context, isOther ? [] : ['give --allow-new-group to create the group']);
}

async function targetOf(context: Context, values: ValuesOf<typeof flags>): Promise<SeekTarget> {
  const { to, toOffset, toGroup, toFile } = values;
  const targets = [to, toOffset, toGroup, toFile].filter((one) => one !== undefined).length;
  if (targets !== 1) {
    if (targets === 0) throw missingError('--to, --to-offset, --to-group or --to-file');
    throw usageError('--to, --to-offset, --to-group and --to-file exclude each other', { hints: ['give one of them'] });
  }
  if (toGroup !== undefined) return { to: 'group', group: toGroup };
  if (toOffset !== undefined) return { to: 'offset', offset: toOffset };
  if (to !== undefined) return placeOf(context, to);
  const offsets = await readPartitionFile(context, toFile ?? '', {
    flag: '--to-file',
    offsets: 'numbers and -',
    topicIds: true,
  });
  return { to: 'offsets', offsets };
}

/** @throws CliError (exit 2) for a text that is no place, and for a time in the future */
function placeOf(context: Context, text: string): SeekTarget {
  const word = placeWords.get(text);
  if (word !== undefined) return { to: word };
  if (/^[+-]\d{1,19}$/.test(text)) return { to: 'shift', by: BigInt(text) };
  // Numbers of 10, 13 and 19 digits are times, as in rpk.
  if (/^\d+$/.test(text) && ![10, 13, 19].includes(text.length)) return { to: 'offset', offset: offset.parse(text) };
  const timestamp = timeToChange(context, text, '--to');
  if (/^\d+$/.test(text)) context.notice(`for the offset ${text}, use --to-offset`);
  return { to: 'time', timestamp };
}

const placeWords: ReadonlyMap<string, 'start' | 'end'> = new Map([
  ['start', 'start'],
  ['earliest', 'start'],
  ['end', 'end'],
  ['latest', 'end'],
]);

/**
 * Warns about offsets that are not in the log. Those of a file or another group are committed all the same: consumers would
 * begin where their auto.offset.reset says.
 */
function warnOutside(context: Pick<Context, 'warn'>, moves: readonly PlannedSeek[]): void {
  const outside = moves.filter(
    ({ new_offset: offset, asked_offset: requested, log_start_offset: start, log_end_offset: end }) => {
      const isOutside = offset !== null && ((start !== null && offset < start) || (end !== null && offset > end));
      return requested !== null || isOutside;
    },
  );
  const [first] = outside;
  if (first === undefined) return;
  const { topic, partition, new_offset: offset, asked_offset: asked } = first;
  const more = outside.length > 1 ? `, and ${count(outside.length - 1, 'other offset')} too` : '';
  const instead = asked === null ? '' : `: moving to ${offset}`;
  const log = `${first.log_start_offset} to ${first.log_end_offset}`;
  context.warn(
    `offset ${asked ?? offset} is outside the log of topic "${topic}" partition ${partition} (${log})${instead}${more}`,
  );
}
