import {
  nameFields,
  type PartitionName,
  type PlacedPartition,
  type TopicName,
} from '../../../admin/partitions/partition-rows.ts';
import { list, optional, toggle, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { changeCell } from '../../../format/columns.ts';
import { showPartition, showTopic } from '../../../format/partition-name.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { listOf, maybe, type RowOf, row, truth, word } from '../../../shape/shape.ts';
import { changeEnd, itemRefusal, sendChanges } from './changes.ts';
import { forTopics, noPartition, partitionList, topicPath } from './names.ts';

/** A partition that is or would be disabled or enabled. */
const Disabled = row({
  ...nameFields,
  /** Null if the partition does not exist. */
  old_disabled: maybe(truth),
  new_disabled: truth,
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  ...changeEnd,
});
export type Disabled = RowOf<typeof Disabled>;

/** The result of both commands. */
export const disabledResult = listOf(Disabled);

/** The arguments of both commands. */
export const disabledArgs = { topic: optional(topicPath, 'TOPIC', 'name of the topic') };

/** The flags of both commands. */
export const disabledFlags = {
  all: toggle({ short: 'a', help: 'all partitions of TOPIC' }),
  partitions: list(partitionList, {
    short: 'p',
    help: 'partitions of TOPIC as in 0,1, or of another topic as in orders/0,1',
    aliases: ['partition'],
  }),
};

/** What a command line asks for. */
type Choice = ValuesOf<typeof disabledArgs & typeof disabledFlags>;

/** A choice whose form is right: one topic, or partitions. */
type Chosen = { readonly whole: TopicName } | { readonly names: readonly PartitionName[] };

/** @throws CliError (exit 2) if the line names nothing, or too much */
function chosenIn({ topic, all, partitions }: Choice): Chosen {
  if (all && partitions.length > 0) throw usageError('--all cannot be combined with --partitions', { target: '--all' });
  if (all && topic === undefined) throw usageError('--all needs TOPIC', { target: '--all' });
  if (all && topic !== undefined) return { whole: topic };
  if (partitions.length === 0)
    throw usageError('missing --partitions', { target: '--partitions', hints: ['name partitions, or use --all'] });
  const named = forTopics(topic === undefined ? [] : [topic], partitions, '--partitions');
  const names = named.flatMap(({ value, ...own }) => value.map((partition) => ({ ...own, partition })));
  return { names: [...new Map(names.map((name) => [showPartition(name), name])).values()] };
}

/** Reads which partitions would change, without changing anything. */
export async function planDisabled(
  context: Context,
  choice: Choice,
  isDisabled: boolean,
): Promise<readonly Disabled[]> {
  const chosen = chosenIn(choice);
  const admin = await context.admin();
  if ('whole' in chosen) return (await admin.partitionsOf(chosen.whole)).map((one) => rowOf(one, isDisabled));
  const rows: Disabled[] = [];
  for (const [topic, names] of Map.groupBy(chosen.names, showTopic)) {
    const [first] = names;
    if (first === undefined) continue;
    try {
      const found = await admin.partitionsOf(first);
      for (const name of names) {
        const own = found.find(({ partition }) => partition === name.partition);
        rows.push(
          own === undefined ? failed(name, isDisabled, noPartition(topic, name.partition)) : rowOf(own, isDisabled),
        );
      }
    } catch (error) {
      const refusal = itemRefusal(error);
      rows.push(...names.map((name) => failed(name, isDisabled, refusal)));
    }
  }
  return rows;
}

function rowOf({ namespace, topic, partition, disabled }: PlacedPartition, isDisabled: boolean): Disabled {
  if (disabled === null)
    throw new CliError(exitCodes.failure, 'the cluster cannot disable partitions, which needs a newer version', {
      code: 'UNSUPPORTED',
    });
  return {
    namespace,
    topic,
    partition,
    old_disabled: disabled,
    new_disabled: isDisabled,
    status: disabled === isDisabled ? 'NOT_NEEDED' : 'OK',
    dry_run: false,
    error: null,
  };
}

function failed({ namespace, topic, partition }: PartitionName, isDisabled: boolean, error: ItemError): Disabled {
  const name = { namespace, topic, partition };
  return { ...name, old_disabled: null, new_disabled: isDisabled, status: 'ERROR', dry_run: false, error };
}

/** Disables or enables what was planned; a whole topic with one request, which includes partitions that are new. */
export async function setDisabled(
  context: Context,
  choice: Choice,
  rows: readonly Disabled[],
): Promise<readonly Disabled[]> {
  const chosen = chosenIn(choice);
  const admin = await context.admin();
  let isSent = false;
  return await sendChanges(context, rows, {
    doing: (row) =>
      `${row.new_disabled ? 'disabling' : 'enabling'} ${'whole' in chosen ? showTopic(row) : showPartition(row)}`,
    checkWith: `weir cluster partitions list ${'whole' in chosen ? shellWord(showTopic(chosen.whole)) : '--all'}`,
    async send(row) {
      if (!('whole' in chosen)) await admin.setDisabled(row, row.new_disabled);
      else if (!isSent) await admin.setDisabled(chosen.whole, row.new_disabled);
      isSent = true;
    },
  });
}

/** The partitions as a table. */
export function disabledTable(rows: readonly Disabled[], view: View): string {
  return table(
    ['namespace', 'topic', 'partition', 'old disabled', 'new disabled', 'status'],
    rows.map((one) => [one.namespace, one.topic, one.partition, one.old_disabled, one.new_disabled, changeCell(one)]),
    view,
  );
}
