import {
  nameFields,
  type PartitionName,
  type PlacedPartition,
  type TopicName,
} from '../../../admin/partitions/partition-rows.ts';
import { list, optional, toggle, type ValuesOf } from '../../../cli/command.ts';
import type { ItemState } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { showPartition, showTopic } from '../../../format/partition-name.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { maybe, type RowOf, row, truth } from '../../../shape/shape.ts';
import { changeInTurn, itemRefusal } from './changes.ts';
import { forTopics, noPartition, partitionList, topicPath } from './names.ts';

/** A partition that is or would be disabled or enabled. */
export const DisabledPartition = row({
  ...nameFields,
  /** Null if the partition does not exist. */
  old_disabled: maybe(truth),
  new_disabled: truth,
});
export type DisabledPartition = RowOf<typeof DisabledPartition>;

interface PlannedPartition extends DisabledPartition, ItemState {
  /** The topic, if all its partitions are to be changed. */
  readonly whole: TopicName | undefined;
}

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
): Promise<readonly PlannedPartition[]> {
  const chosen = chosenIn(choice);
  const admin = await context.admin();
  if ('whole' in chosen)
    return (await admin.partitionsOf(chosen.whole)).map((one) => planned(one, isDisabled, chosen.whole));
  const partitions: PlannedPartition[] = [];
  for (const names of Map.groupBy(chosen.names, showTopic).values()) {
    const [first] = names;
    if (first === undefined) continue;
    try {
      const placed = new Map((await admin.partitionsOf(first)).map((one) => [one.partition, one]));
      for (const name of names) {
        const one = placed.get(name.partition);
        const missing = () => failed(name, isDisabled, noPartition(showTopic(name), name.partition));
        partitions.push(one === undefined ? missing() : planned(one, isDisabled));
      }
    } catch (error) {
      const refusal = itemRefusal(error);
      partitions.push(...names.map((name) => failed(name, isDisabled, refusal)));
    }
  }
  return partitions;
}

function planned(
  { namespace, topic, partition, disabled }: PlacedPartition,
  isDisabled: boolean,
  whole?: TopicName,
): PlannedPartition {
  if (disabled === null)
    throw new CliError(exitCodes.failure, 'the cluster cannot disable partitions, which needs a newer version', {
      code: 'UNSUPPORTED',
    });
  const status = disabled === isDisabled ? 'NOT_NEEDED' : undefined;
  return { namespace, topic, partition, old_disabled: disabled, new_disabled: isDisabled, whole, status };
}

function failed({ namespace, topic, partition }: PartitionName, isDisabled: boolean, error: ItemError) {
  return { namespace, topic, partition, old_disabled: null, new_disabled: isDisabled, whole: undefined, error };
}

/** Disables or enables what was planned; a whole topic with one request, which includes partitions that are new. */
export async function setDisabled(
  context: Context,
  partitions: readonly PlannedPartition[],
): Promise<readonly ItemState[]> {
  const admin = await context.admin();
  const whole = partitions[0]?.whole;
  let isSent = false;
  return await changeInTurn(context, partitions, {
    doing: (one) =>
      `${one.new_disabled ? 'disabling' : 'enabling'} ${whole === undefined ? showPartition(one) : showTopic(whole)}`,
    checkWith: `weir cluster partitions list ${whole === undefined ? '--all' : shellWord(showTopic(whole))}`,
    async send(one) {
      if (whole === undefined) await admin.setDisabled(one, one.new_disabled);
      else if (!isSent) await admin.setDisabled(whole, one.new_disabled);
      isSent = true;
    },
  });
}
