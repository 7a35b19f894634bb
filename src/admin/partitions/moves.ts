import { showPartition } from '../../format/partition-name.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import { anything, fitting, inside, listOf, mapped, row, sorted } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import {
  CanceledMove,
  inOrder,
  type MovesState,
  PartitionMove,
  type PartitionName,
  type WantedMove,
  type WantedReplica,
} from './partition-rows.ts';
import { readPartition } from './placement.ts';

const form = 'list of moves';

/** Other nodes than the leader learn of a change later. */
const readMoves = calls.get(
  'list the partitions that are moving',
  pathOf`/v1/partitions/reconfigurations`,
  sorted(listOf(PartitionMove), inOrder),
  { to: 'leader', form },
);

const canceledMoves = sorted(listOf(CanceledMove), inOrder);

/** Whether the brokers choose the cores of new replicas. */
const choosesCores = mapped(inside('features', fitting(row({ name: anything, state: anything }))), (features) =>
  features.some(({ name, state }) => name === 'node_local_core_assignment' && state === 'active'),
);

const readChoosesCores = calls.get('read the features', pathOf`/v1/features`, choosesCores, { form: 'features' });

/** The calls that move partitions, and the wait for them. */
export function createMoveCalls(api: Api, parts: PollParts) {
  const moves = () => api.call(readMoves);
  return {
    /** The partitions that are being moved, as the controller knows them, by namespace, topic and number. */
    moves,
    ...createChanges(api),
    /** Whether each broker chooses the cores of its replicas (feature `node_local_core_assignment`). */
    async choosesCores() {
      try {
        return await api.call(readChoosesCores);
      } catch (error) {
        if (hasStatus(error, 404)) return false;
        throw error;
      }
    },
    /**
     * Polls until all partitions are where they should be, or their move has ended elsewhere (`stopped`).
     * @throws CliError (exit 3) if a partition is gone, (exit 5) on a timeout
     */
    waitForMoves: (wanted: readonly WantedMove[], options: WaitOptions<MovesState>) =>
      wait({ ...parts, ...options, read: arrivals(api, wanted) }),
    /** Polls until none of these partitions is being moved. @throws CliError (exit 5) on a timeout */
    async waitForNoMoves(names: readonly PartitionName[], options: WaitOptions<MovesState>) {
      const partitions = new Set(names.map(showPartition));
      const read = async (): Promise<MovesState> => {
        const moving = (await moves()).filter((one) => partitions.has(showPartition(one)));
        return { moving, left: moving.length, stopped: [] };
      };
      return await wait({ ...parts, ...options, read });
    },
  };
}

function createChanges(api: Api) {
  return {
    /** Starts to move a partition; the same set of brokers changes nothing. */
    movePartition: (name: PartitionName, replicas: readonly WantedReplica[]) =>
      api.call(
        calls.post(
          `move partition ${showPartition(name)}`,
          pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/replicas`,
          // A move to where the partition is or goes already is accepted and changes nothing.
          { body: replicas.map(({ broker, core }) => ({ node_id: broker, core })), to: 'leader', repeats: true },
        ),
      ),
    /** Moves the replica of a broker to another of its cores, where brokers choose cores themselves. */
    moveToCore: (name: PartitionName, { broker, core }: WantedReplica) =>
      api.call(
        calls.post(
          `move the replica of ${showPartition(name)} on broker ${broker} to core ${core}`,
          pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/replicas/${broker}`,
          { body: { core }, to: 'leader', repeats: true },
        ),
      ),
    /** Cancels all moves, or those to or from one broker; they return to where they were. */
    cancelMoves: (broker?: number) =>
      api.call(
        calls.post(
          broker === undefined ? 'cancel the moves' : `cancel the moves of broker ${broker}`,
          broker === undefined
            ? pathOf`/v1/cluster/cancel_reconfigurations`
            : pathOf`/v1/brokers/${broker}/cancel_partition_moves`,
          // What an earlier attempt has canceled is not moving any more.
          { to: 'leader', repeats: true, answer: canceledMoves, form },
        ),
      ),
  };
}

function wait(options: WaitOptions<MovesState> & PollParts & { read(): Promise<MovesState> }): Promise<MovesState> {
  return poll({ ...options, what: 'the move of partitions', isDone: ({ left }) => left === 0 });
}

/** How many polls a node may take to learn of a move that another one has accepted. */
const mostLate = 5;

/**
 * Creates the read of a wait: a partition has arrived when it is where it should be and does not move. One that is
 * elsewhere and does not move was canceled, once its move was seen or had the time to show.
 */
function arrivals(api: Api, wanted: readonly WantedMove[]) {
  const pending = new Map(wanted.map((one) => [showPartition(one), { one, polls: 0, isSeen: false }]));
  const stopped: PartitionName[] = [];
  return async (): Promise<MovesState> => {
    const moving = (await api.call(readMoves)).filter((one) => pending.has(showPartition(one)));
    const names = new Set(moving.map(showPartition));
    for (const [name, entry] of pending) {
      entry.polls += 1;
      entry.isSeen ||= names.has(name);
      if (names.has(name)) continue;
      const state = await readPartition(api, entry.one);
      const isThere = isSameSet(state.replicas, entry.one.new_replicas);
      if (state.is_moving || (!isThere && !entry.isSeen && entry.polls <= mostLate)) continue;
      if (!isThere) stopped.push(entry.one);
      pending.delete(name);
    }
    return { moving, left: pending.size, stopped };
  };
}

/** Whether two lists have the same brokers; their order means nothing. */
function isSameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
