import {
  nameFields,
  type PartitionMove,
  type PartitionName,
  type PartitionState,
  type TopicName,
  type WantedReplica,
} from '../../../admin/partitions/partition-rows.ts';
import type { ItemState } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError } from '../../../errors.ts';
import { showPartition, showTopic } from '../../../format/partition-name.ts';
import { commandText } from '../../../format/shell-word.ts';
import { listOf, maybe, type RowOf, row, whole } from '../../../shape/shape.ts';
import { conflictItem, itemRefusal } from './changes.ts';
import { checkOnce, forTopics, type GivenPlacement, type GivenReplica, type OfTopic } from './names.ts';

/** A partition that is or would be moved. */
export const MovedPartition = row({
  ...nameFields,
  old_replicas: listOf(whole),
  /** Null where the broker chooses the core and does not say which while the partition moves. */
  old_cores: listOf(maybe(whole)),
  new_replicas: listOf(whole),
  /** Null where the broker chooses the core. */
  new_cores: listOf(maybe(whole)),
});
type MovedPartition = RowOf<typeof MovedPartition>;

/** A partition with what moves it. */
export interface PlannedMove extends MovedPartition, ItemState {
  /** Whether an earlier command has started the same move. */
  readonly isMoving: boolean;
  /** Where all its replicas go, with one request; null if it stays on its brokers. */
  readonly placement: readonly WantedReplica[] | null;
  /** The replicas that go to another core of their broker, each with a request. */
  readonly toCores: readonly WantedReplica[];
}

/** What decides where replicas can go. */
interface Cores {
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
export async function planMoves(context: Context, { topics, partition }: MoveChoice): Promise<readonly PlannedMove[]> {
  const wanted = forTopics(topics, partition, '--partition').map(({ value, ...topic }) => ({ ...topic, ...value }));
  checkOnce(wanted, '--partition');
  const admin = await context.admin();
  const coresOf = new Map((await admin.brokers()).map(({ id, cores }) => [id, cores]));
  const cores = { choosesCores: await admin.choosesCores(), coresOf };
  const states = await admin.partitionStates(wanted);
  const isMoving = states.some((state) => !(state instanceof CliError) && state.is_moving);
  const moves = isMoving ? await admin.moves() : [];
  return wanted.map((one, at) => planOne(states[at], { ...cores, moves }, one));
}

function planOne(
  state: PartitionState | CliError | undefined,
  cluster: Cores & { readonly moves: readonly PartitionMove[] },
  { replicas, ...name }: Wanted,
): PlannedMove {
  const asked = {
    new_replicas: replicas.map(({ broker }) => broker),
    new_cores: replicas.map(({ core }) => core ?? null),
  };
  const unmoved = { ...name, old_replicas: [], old_cores: [], ...asked, isMoving: false, placement: null, toCores: [] };
  if (state === undefined || state instanceof CliError) return { ...unmoved, error: itemRefusal(state) };
  const now = { old_replicas: state.replicas, old_cores: state.cores };
  const fault = faultOf(state, replicas, cluster);
  if (fault !== null) return { ...unmoved, ...now, error: fault };
  const target = { ...asked, new_cores: replicas.map((one) => coreOf(one, state, cluster)) };
  const isThere = isAt(state, target);
  if (!state.is_moving) {
    const planned = { ...unmoved, ...now, ...target };
    return isThere ? { ...planned, status: 'NOT_NEEDED' } : { ...planned, ...requestsOf(planned, cluster) };
  }
  const move = cluster.moves.find((one) => isSame(one, name));
  const before = move === undefined ? now : { old_replicas: move.old_replicas, old_cores: oldCores(move, cluster) };
  return isThere
    ? { ...unmoved, ...before, ...target, isMoving: true, status: 'NOT_NEEDED' }
    : { ...unmoved, ...before, error: movingItem(name, move) };
}

/** What to send: the set of brokers, then the cores where the brokers choose them. */
function requestsOf(move: MovedPartition, cluster: Cores): Pick<PlannedMove, 'placement' | 'toCores'> {
  const wanted = move.new_replicas.map((broker, at) => ({
    broker,
    core: move.new_cores[at] ?? anyCore(cluster, broker, move.partition),
  }));
  if (!cluster.choosesCores) return { placement: wanted, toCores: [] };
  const isKept = wanted.every(({ broker }) => move.old_replicas.includes(broker));
  const toCores = wanted.filter(({ broker, core }) => {
    const old = move.old_cores[move.old_replicas.indexOf(broker)];
    return typeof old === 'number' && old !== core;
  });
  return { placement: isKept ? null : wanted, toCores };
}

/** The cluster does not know the cores that brokers have chosen. */
function oldCores({ old_cores: cores }: PartitionMove, { choosesCores }: Cores): readonly (number | null)[] {
  return choosesCores ? cores.map(() => null) : cores;
}

function isSame(a: PartitionName, b: PartitionName): boolean {
  return showPartition(a) === showPartition(b);
}

function isAt(
  { replicas, cores }: PartitionState,
  target: Pick<MovedPartition, 'new_replicas' | 'new_cores'>,
): boolean {
  return (
    replicas.length === target.new_replicas.length &&
    target.new_replicas.every((id, at) => replicas.includes(id) && cores[replicas.indexOf(id)] === target.new_cores[at])
  );
}

/** The core of a replica: as given, else where it is now, else any. Null if the broker chooses it. */
function coreOf({ broker, core }: GivenReplica, { replicas, cores, partition }: PartitionState, cluster: Cores) {
  if (core !== undefined) return core;
  const at = replicas.indexOf(broker);
  if (at >= 0) return cores[at] ?? null;
  return cluster.choosesCores ? null : anyCore(cluster, broker, partition);
}

/** A core of a broker for a new replica: one after the other, so that the partitions of a topic spread. */
function anyCore({ coresOf }: Cores, broker: number, partition: number): number {
  return partition % Math.max(1, coresOf.get(broker) ?? 1);
}

/** Why a partition cannot be moved there; null if it can. */
function faultOf(state: PartitionState, wanted: readonly GivenReplica[], cluster: Cores): ItemError | null {
  const name = showPartition(state);
  const { length } = state.replicas;
  if (state.disabled === true) return conflictItem('PARTITION_DISABLED', `${name} is disabled; enable it first`);
  for (const { broker, core } of wanted) {
    const cores = cluster.coresOf.get(broker);
    if (cores === undefined) return noBroker(broker, [...cluster.coresOf.keys()]);
    if (core === undefined) continue;
    if (core >= cores)
      return conflictItem('NO_SUCH_CORE', `broker ${broker} has no core ${core}, only 0 to ${cores - 1}`);
    if (cluster.choosesCores && !state.replicas.includes(broker))
      return conflictItem('CORE_NOT_CHOSEN', `broker ${broker} chooses the core of a new replica of ${name} itself`);
  }
  if (wanted.length === length) return null;
  const change =
    state.namespace === 'kafka' && wanted.length % 2 === 1
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
