import { type Fields, fieldsOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import type { Admin } from '../admin.ts';
import type { Api, Call } from '../client/api.ts';
import {
  itemsOf,
  kafkaName,
  listIn,
  needBoolean,
  needNumber,
  needText,
  numberOr,
  numbersIn,
  partitionName,
  textOrNull,
  textsIn,
} from '../client/read.ts';
import type {
  Broker,
  DecommissionState,
  FormerBroker,
  Health,
  MaintenanceState,
  MovingReplica,
} from './broker-rows.ts';

/** The calls about brokers and the health of the cluster. */
export function openBrokerCalls(
  api: Api,
): Pick<
  Admin,
  | 'brokers'
  | 'formerBrokers'
  | 'decommission'
  | 'decommissionState'
  | 'recommission'
  | 'setMaintenance'
  | 'maintenance'
  | 'health'
> {
  const list = () =>
    api.call({
      doing: 'read the brokers',
      method: 'GET',
      path: '/v1/brokers',
      read(body, what) {
        const items = itemsOf(body, what, 'list of brokers').map((fields) => {
          return { fields, what, id: needNumber(fields, 'node_id', what) };
        });
        // Each once: what is done for every broker must not be done twice.
        return [...new Map(items.map((item) => [item.id, item])).values()].sort((a, b) => a.id - b.id);
      },
    });
  async function formerBrokers(): Promise<readonly FormerBroker[]> {
    const ids = new Set((await list()).map(({ id }) => id));
    const former = [...(await readUuids(api))].filter(([id]) => !ids.has(id)).map(([id, uuid]) => ({ id, uuid }));
    return former.sort((a, b) => a.id - b.id);
  }
  return {
    async brokers() {
      // One after the other: no request is left behind when the first one fails.
      const found = await list();
      const uuids = await readUuids(api);
      return found.map((one) => readBroker(one, uuids));
    },
    formerBrokers,
    maintenance: async () => (await list()).map(readMaintenance),
    ...openChanges(api, list, formerBrokers),
    async decommissionState(id) {
      try {
        return await readDecommission(api, id);
      } catch (error) {
        // Servers differ in whether they still know a broker that has left.
        if (hasStatus(error, 404) && (await formerBrokers()).some((one) => one.id === id)) return hasLeft(id);
        throw error;
      }
    },
    health: () =>
      api.call({ doing: 'read the health', method: 'GET', path: '/v1/cluster/health_overview', read: readHealth }),
  };
}

/** The calls that change brokers. */
function openChanges(
  api: Api,
  list: () => Promise<readonly Item[]>,
  formerBrokers: Admin['formerBrokers'],
): Pick<Admin, 'decommission' | 'recommission' | 'setMaintenance'> {
  const membershipOf = async (id: number): Promise<string | undefined> => {
    const found = (await list()).find((one) => one.id === id);
    return found && needText(found.fields, 'membership_status', found.what);
  };
  return {
    decommission: (id) =>
      api.call({
        ...change(`decommission broker ${id}`, pathOf`/v1/brokers/${id}/decommission`),
        async isDone() {
          const membership = await membershipOf(id);
          if (membership !== undefined) return membership !== 'active';
          // It may have left already, or never have been there.
          return (await formerBrokers()).some((one) => one.id === id);
        },
      }),
    recommission: (id) =>
      api.call({
        ...change(`recommission broker ${id}`, pathOf`/v1/brokers/${id}/recommission`),
        isDone: async () => (await membershipOf(id)) === 'active',
      }),
    setMaintenance: (id, isOn) =>
      api.call({
        ...change(
          `turn the maintenance mode of broker ${id} ${isOn ? 'on' : 'off'}`,
          pathOf`/v1/brokers/${id}/maintenance`,
        ),
        method: isOn ? 'PUT' : 'DELETE',
      }),
  };
}

/** A change of a broker; repeating it changes nothing more, but may be refused because it is made. */
function change(doing: string, path: string): Call<void> {
  return { doing, method: 'PUT', path, to: 'leader', repeats: true, read: () => undefined };
}

/** An item of the list of brokers. */
interface Item {
  readonly id: number;
  readonly fields: Fields;
  /** The request, for errors. */
  readonly what: string;
}

function readBroker({ id, fields, what }: Item, uuids: ReadonlyMap<number, string>): Broker {
  const disks = listIn(fields, 'disk_space', what)
    .map(({ free, total }) => ({ free: numberOr(free, null), total: numberOr(total, null) }))
    .sort((a, b) => (a.free ?? 0) - (b.free ?? 0));
  return {
    id,
    host: needText(fields, 'internal_rpc_address', what),
    port: needNumber(fields, 'internal_rpc_port', what),
    rack: textOrNull(fields.rack),
    cores: needNumber(fields, 'num_cores', what),
    membership: needText(fields, 'membership_status', what),
    is_alive: typeof fields.is_alive === 'boolean' ? fields.is_alive : null,
    version: textOrNull(fields.version),
    uuid: uuids.get(id) ?? null,
    in_maintenance: fieldsOf(fields.maintenance_status).draining === true,
    disk_free: disks[0]?.free ?? null,
    disk_total: disks[0]?.total ?? null,
  };
}

/** Older versions have no UUIDs. */
async function readUuids(api: Api): Promise<ReadonlyMap<number, string>> {
  try {
    return await api.call({
      doing: 'read the UUIDs of brokers',
      method: 'GET',
      path: '/v1/broker_uuids',
      read(body, what) {
        const items = itemsOf(body, what).map((one) => [needNumber(one, 'node_id', what), needText(one, 'uuid', what)]);
        const byId = Map.groupBy(items as [number, string][], ([id]) => id);
        return new Map([...byId].map(([id, own]) => [id, own.map(([, uuid]) => uuid).join(', ')]));
      },
    });
  } catch (error) {
    if (hasStatus(error, 404)) return new Map();
    throw error;
  }
}

function readMaintenance({ id, fields }: Item): MaintenanceState {
  const status = fieldsOf(fields.maintenance_status);
  return {
    id,
    enabled: status.draining === true,
    finished: typeof status.finished === 'boolean' ? status.finished : null,
    errors: typeof status.errors === 'boolean' ? status.errors : null,
    partitions: numberOr(status.partitions, null),
    eligible: numberOr(status.eligible, null),
    transferring: numberOr(status.transferring, null),
    failed: numberOr(status.failed, null),
  };
}

/** The state of a decommission that has ended. */
export function hasLeft(id: number): DecommissionState {
  return { id, finished: true, replicas_left: 0, without_place: [], replicas: [] };
}

/** The server answers 400 for a broker that is not being decommissioned. */
async function readDecommission(api: Api, id: number): Promise<DecommissionState | undefined> {
  try {
    return await api.call({
      doing: `read how far the decommission of broker ${id} is`,
      method: 'GET',
      path: pathOf`/v1/brokers/${id}/decommission`,
      to: 'leader',
      read: (body, what) => decommissionIn(fieldsOf(body), what, id),
    });
  } catch (error) {
    if (hasStatus(error, 400)) return undefined;
    throw error;
  }
}

function decommissionIn(fields: Fields, what: string, id: number): DecommissionState {
  return {
    id,
    finished: needBoolean(fields, 'finished', what),
    replicas_left: needNumber(fields, 'replicas_left', what),
    without_place: textsIn(fields.allocation_failures).map(partitionName),
    replicas: listIn(fields, 'partitions', what).map((one): MovingReplica => {
      return {
        topic: kafkaName(needText(one, 'ns', what), needText(one, 'topic', what)),
        partition: needNumber(one, 'partition', what),
        to: numberOr(fieldsOf(one.moving_to).node_id, null),
        size: numberOr(one.partition_size, 0),
        bytes_moved: numberOr(one.bytes_moved, 0),
        bytes_left: numberOr(one.bytes_left_to_move, 0),
      };
    }),
  };
}

function readHealth(body: unknown, what: string): Health {
  const fields = fieldsOf(body);
  const controller = needNumber(fields, 'controller_id', what);
  const leaderless = textsIn(fields.leaderless_partitions).map(partitionName);
  const under = textsIn(fields.under_replicated_partitions).map(partitionName);
  return {
    healthy: needBoolean(fields, 'is_healthy', what),
    reasons: textsIn(fields.unhealthy_reasons),
    controller: controller < 0 ? null : controller,
    brokers: numbersIn(fields.all_nodes),
    down: numbersIn(fields.nodes_down),
    in_recovery_mode: numbersIn(fields.nodes_in_recovery_mode),
    leaderless,
    leaderless_count: numberOr(fields.leaderless_count, leaderless.length),
    under_replicated: under,
    under_replicated_count: numberOr(fields.under_replicated_count, under.length),
  };
}
