import type { Deadline } from '../../deadline.ts';
import { showPartition } from '../../format/partition-name.ts';
import type { Fields } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import type { WaitOptions } from '../../net/poll.ts';
import { poll } from '../../net/poll.ts';
import type { RetryWorld } from '../../net/retry.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, listIn, needNumber, needText, numberOr, textOrNull } from '../client/read.ts';
import type {
  CanceledMove,
  MovesState,
  PartitionCalls,
  PartitionMove,
  PartitionName,
  Reconciliation,
  WantedMove,
} from './partition-rows.ts';
import { inOrder, readPartition, replicasIn } from './placement.ts';

/** What waits need. */
interface WaitParts {
  readonly deadline: Deadline;
  readonly world: RetryWorld;
}

/** The calls that move partitions, and the wait for them. */
export function openMoveCalls(
  api: Api,
  parts: WaitParts,
): Pick<
  PartitionCalls,
  'moves' | 'choosesCores' | 'movePartition' | 'moveToCore' | 'cancelMoves' | 'waitForMoves' | 'waitForNoMoves'
> {
  const moves = () => readMoves(api);
  return {
    moves,
    ...openChanges(api),
    async choosesCores() {
      try {
        return await readChoosesCores(api);
      } catch (error) {
        if (hasStatus(error, 404)) return false;
        throw error;
      }
    },
    waitForMoves: (wanted, options) => wait({ ...parts, ...options, read: arrivals(api, wanted) }),
    waitForNoMoves(names, options) {
      const own = new Set(names.map(showPartition));
      const read = async (): Promise<MovesState> => {
        const moving = (await moves()).filter((one) => own.has(showPartition(one)));
        return { moving, left: moving.length, stopped: [] };
      };
      return wait({ ...parts, ...options, read });
    },
  };
}

function openChanges(api: Api): Pick<PartitionCalls, 'movePartition' | 'moveToCore' | 'cancelMoves'> {
  return {
    movePartition: (name, replicas) =>
      api.call({
        doing: `move partition ${showPartition(name)}`,
        method: 'POST',
        path: pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/replicas`,
        body: replicas.map(({ broker, core }) => ({ node_id: broker, core })),
        to: 'leader',
        // A move to where the partition is or goes already is accepted and changes nothing.
        repeats: true,
        read: () => undefined,
      }),
    moveToCore: (name, { broker, core }) =>
      api.call({
        doing: `move the replica of ${showPartition(name)} on broker ${broker} to core ${core}`,
        method: 'POST',
        path: pathOf`/v1/partitions/${name.namespace}/${name.topic}/${name.partition}/replicas/${broker}`,
        body: { core },
        to: 'leader',
        repeats: true,
        read: () => undefined,
      }),
    cancelMoves: (broker) =>
      api.call({
        doing: broker === undefined ? 'cancel the moves' : `cancel the moves of broker ${broker}`,
        method: 'POST',
        path:
          broker === undefined
            ? '/v1/cluster/cancel_reconfigurations'
            : pathOf`/v1/brokers/${broker}/cancel_partition_moves`,
        to: 'leader',
        // What an earlier attempt has canceled is not moving any more.
        repeats: true,
        read: canceledIn,
      }),
  };
}

function readChoosesCores(api: Api): Promise<boolean> {
  return api.call({
    doing: 'read the features',
    method: 'GET',
    path: '/v1/features',
    read: (body, what) =>
      listIn(body, 'features', what).some(
        ({ name, state }) => name === 'node_local_core_assignment' && state === 'active',
      ),
  });
}

function readMoves(api: Api): Promise<readonly PartitionMove[]> {
  return api.call({
    doing: 'list the partitions that are moving',
    method: 'GET',
    path: '/v1/partitions/reconfigurations',
    // Other nodes learn of a change later.
    to: 'leader',
    read: (body, what) =>
      itemsOf(body, what, 'list of moves')
        .map((fields) => readMove(fields, what))
        .sort(inOrder),
  });
}

function readName(fields: Fields, what: string): PartitionName {
  return {
    namespace: needText(fields, 'ns', what),
    topic: needText(fields, 'topic', what),
    partition: needNumber(fields, 'partition', what),
  };
}

function readMove(fields: Fields, what: string): PartitionMove {
  const previous = replicasIn(fields, 'previous_replicas', what);
  const current = replicasIn(fields, 'current_replicas', what);
  return {
    ...readName(fields, what),
    old_replicas: previous.replicas,
    old_cores: previous.cores,
    new_replicas: current.replicas,
    new_cores: current.cores,
    size: numberOr(fields.partition_size, 0),
    bytes_moved: numberOr(fields.bytes_moved, 0),
    bytes_left: numberOr(fields.bytes_left_to_move, 0),
    policy: textOrNull(fields.reconfiguration_policy),
    status: textOrNull(fields.status),
    reconciliation: listIn(fields, 'reconciliation_statuses', what).map((one) => readReconciliation(one, what)),
  };
}

function readReconciliation(fields: Fields, what: string): Reconciliation {
  return {
    broker: needNumber(fields, 'node_id', what),
    operations: listIn(fields, 'operations', what).map((one) => ({
      type: textOrNull(one.type),
      core: numberOr(one.core, null),
      retry_number: numberOr(one.retry_number, null),
      revision: numberOr(one.revision, null),
      status: textOrNull(one.status),
    })),
  };
}

function canceledIn(body: unknown, what: string): readonly CanceledMove[] {
  return itemsOf(body, what, 'list of moves')
    .map((fields) => ({ ...readName(fields, what), result: needText(fields, 'result', what) }))
    .sort(inOrder);
}

function wait(options: WaitOptions<MovesState> & WaitParts & { read(): Promise<MovesState> }): Promise<MovesState> {
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
    const moving = (await readMoves(api)).filter((one) => pending.has(showPartition(one)));
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
export function isSameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
