import {
  nameFields,
  type PartitionMove,
  type PartitionName,
  type PartitionState,
  type TopicName,
} from '../../../admin/partitions/partition-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError } from '../../../errors.ts';
import { showPartition, showTopic } from '../../../format/partition-name.ts';
import { commandText } from '../../../format/shell-word.ts';
import { listOf, maybe, type RowOf, row, whole, word } from '../../../shape/shape.ts';
import { changeEnd, conflictItem, itemRefusal } from './changes.ts';
import { checkOnce, forTopics, type GivenPlacement, type GivenReplica, type OfTopic } from './names.ts';

/** A partition that is or would be moved. */
export const Moved = row({
  ...nameFields,
  old_replicas: listOf(whole),
  /** Null where the broker chooses the core and does not say which while the partition moves. */
  old_cores: listOf(maybe(whole)),
  new_replicas: listOf(whole),
  /** Null where the broker chooses the core. */
  new_cores: listOf(maybe(whole)),
  status: word('OK', 'NOT_NEEDED', 'IN_PROGRESS', 'ERROR'),
  ...changeEnd,
});
export type Moved = RowOf<typeof Moved>;

/** What a move would do now. */
export interface MovePlan {
  readonly rows: readonly Moved[];
  /** Whether each broker chooses the cores of new replicas. */
  readonly choosesCores: boolean;
  /** The number of cores of each broker. */
  readonly coresOf: ReadonlyMap<number, number>;
}

/** What the command line asks for. */
interface MoveChoice {
  readonly topics: readonly TopicName[];
  readonly partition: readonly OfTopic<GivenPlacement>[];
}

interface Wanted extends PartitionName {
  readonly replicas: readonly GivenReplica[];
}

/**
 * Plans the moves of a command line without changing anything.
 * @throws CliError (exit 2) if the line is wrong; partitions that cannot be moved have an error in their row
 */
export async function planMoves(context: Context, { topics, partition }: MoveChoice): Promise<MovePlan> {
  const wanted = forTopics(topics, partition, '--partition').map(({ value, ...topic }) => ({ ...topic, ...value }));
  checkOnce(wanted, '--partition');
  const admin = await context.admin();
  const coresOf = new Map((await admin.brokers()).map(({ id, cores }) => [id, cores]));
  const base = { choosesCores: await admin.choosesCores(), coresOf };
  const states = await admin.partitionStates(wanted);
  const isMoving = states.some((state) => !(state instanceof CliError) && state.is_moving);
  const moves = isMoving ? await admin.moves() : [];
  return { ...base, rows: wanted.map((one, at) => planOne(states[at], { ...base, moves }, one)) };
}

type Base = Omit<MovePlan, 'rows'>;

function planOne(
  state: PartitionState | CliError | undefined,
  base: Base & { readonly moves: readonly PartitionMove[] },
  { replicas, ...name }: Wanted,
): Moved {
  const broken = { old_replicas: [], old_cores: [], new_replicas: replicas.map(({ broker }) => broker) };
  const failed = { ...broken, new_cores: replicas.map(({ core }) => core ?? null), status: 'ERROR' } as const;
  const common = { ...name, dry_run: false, error: null };
  if (state === undefined || state instanceof CliError) return { ...common, ...failed, error: itemRefusal(state) };
  const move = state.is_moving ? base.moves.find((one) => isSame(one, name)) : undefined;
  const old = { old_replicas: state.replicas, old_cores: state.cores };
  const fault = faultOf(state, replicas, base);
  if (fault !== null) return { ...common, ...failed, ...old, error: fault };
  const target = {
    new_replicas: replicas.map(({ broker }) => broker),
    new_cores: replicas.map((one) => coreOf(one, state, base)),
  };
  const status = statusOf(state, target);
  const shown = move === undefined ? old : { old_replicas: move.old_replicas, old_cores: oldCores(move, base) };
  if (!state.is_moving || status === 'NOT_NEEDED')
    return { ...common, ...shown, ...target, status: state.is_moving ? 'IN_PROGRESS' : status };
  return { ...common, ...failed, ...shown, error: movingItem(name, move) };
}

/** The cluster does not know the cores that brokers have chosen. */
function oldCores({ old_cores: cores }: PartitionMove, { choosesCores }: Base): readonly (number | null)[] {
  return choosesCores ? cores.map(() => null) : cores;
}

function isSame(a: PartitionName, b: PartitionName): boolean {
  return showPartition(a) === showPartition(b);
}

function statusOf(
  { replicas, cores }: PartitionState,
  target: Pick<Moved, 'new_replicas' | 'new_cores'>,
): 'OK' | 'NOT_NEEDED' {
  const isThere =
    replicas.length === target.new_replicas.length &&
    target.new_replicas.every(
      (id, at) => replicas.includes(id) && cores[replicas.indexOf(id)] === target.new_cores[at],
    );
  return isThere ? 'NOT_NEEDED' : 'OK';
}

/** The core of a replica: as given, else where it is now, else any. Null if the broker chooses it. */
function coreOf({ broker, core }: GivenReplica, { replicas, cores, partition }: PartitionState, base: Base) {
  if (core !== undefined) return core;
  const at = replicas.indexOf(broker);
  if (at >= 0) return cores[at] ?? null;
  return base.choosesCores ? null : anyCore(base, broker, partition);
}

/** A core of a broker for a new replica: one after the other, so that the partitions of a topic spread. */
export function anyCore({ coresOf }: Pick<MovePlan, 'coresOf'>, broker: number, partition: number): number {
  return partition % Math.max(1, coresOf.get(broker) ?? 1);
}

/** Why a partition cannot be moved there; null if it can. */
function faultOf(state: PartitionState, wanted: readonly GivenReplica[], base: Base): ItemError | null {
  const name = showPartition(state);
  const { length } = state.replicas;
  if (state.disabled === true) return conflictItem('PARTITION_DISABLED', `${name} is disabled; enable it first`);
  for (const { broker, core } of wanted) {
    const cores = base.coresOf.get(broker);
    if (cores === undefined) return noBroker(broker, [...base.coresOf.keys()]);
    if (core === undefined) continue;
    if (core >= cores)
      return conflictItem('NO_SUCH_CORE', `broker ${broker} has no core ${core}, only 0 to ${cores - 1}`);
    if (base.choosesCores && !state.replicas.includes(broker))
      return conflictItem('CORE_NOT_CHOSEN', `broker ${broker} chooses the core of a new replica of ${name} itself`);
  }
  if (wanted.length === length) return null;
  const change =
    state.namespace === 'kafka'
      ? commandText`; change that with: weir topic alter-config ${showTopic(state)} --set replication.factor=${wanted.length}`
      : '';
  return conflictItem('REPLICATION_FACTOR', `${name} has ${length} replicas, not ${wanted.length}${change}`);
}

function noBroker(id: number, ids: readonly number[]): ItemError {
  const message = `the cluster has no broker ${id}, only ${ids.join(', ')}`;
  return { code: 'BROKER_NOT_FOUND', number: null, message, retryable: false, exit_code: exitCodes.notFound };
}

function movingItem(name: PartitionName, move: PartitionMove | undefined): ItemError {
  const where = move === undefined ? 'elsewhere' : `to ${move.new_replicas.join(', ')}`;
  return conflictItem(
    'BEING_MOVED',
    `${showPartition(name)} is being moved ${where} already; wait, or cancel that first`,
  );
}
