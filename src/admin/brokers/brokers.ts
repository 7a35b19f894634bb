import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { at, inside, listOf, mapped, row, type Shape, sorted, string, whole } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import {
  type DecommissionState,
  decommission,
  type FormerBroker,
  Health,
  listedBroker,
  MaintenanceState,
  RestartRisks,
} from './broker-rows.ts';

const readHealth = calls.get('read the health', pathOf`/v1/cluster/health_overview`, Health);

const uuids = mapped(listOf(row({ id: at('node_id', whole), uuid: string })), (all) => {
  const byId = Map.groupBy(all, ({ id }) => id);
  return new Map([...byId].map(([id, rows]) => [id, rows.map(({ uuid }) => uuid).join(', ')]));
});

const readUuids = calls.get('read the UUIDs of brokers', pathOf`/v1/broker_uuids`, uuids, {
  form: 'list of broker UUIDs',
});

const risks = inside('risks', RestartRisks);
const share = inside('load_reclaimed_pc', whole);

const restartChecks = { what: 'restart checks', since: '25.1' };

/** The most partitions for each risk: all of them, where the server lists 128 by default. */
const mostNames = 1_000_000;

/** Creates the read of what a shape has of each broker. Each once: what is done for every broker must not be done twice. */
function readBrokers<T extends { readonly id: number }>(broker: Shape<T>) {
  const once = mapped(listOf(broker), (all) => [...new Map(all.map((one) => [one.id, one])).values()]);
  const inOrder = sorted(once, (a, b) => a.id - b.id);
  return calls.get('read the brokers', pathOf`/v1/brokers`, inOrder, { form: 'list of brokers' });
}

const readMembers = readBrokers(listedBroker);
const readIds = readBrokers(row({ id: at('node_id', whole) }));
const readMemberships = readBrokers(row({ id: at('node_id', whole), membership: at('membership_status', string) }));
const readMaintenance = readBrokers(MaintenanceState);

/** The calls about brokers and the health of the cluster. */
export function createBrokerCalls(api: Api) {
  async function formerBrokers(): Promise<readonly FormerBroker[]> {
    const ids = new Set((await api.call(readIds)).map(({ id }) => id));
    const former = [...(await uuidsOf(api))].filter(([id]) => !ids.has(id)).map(([id, uuid]) => ({ id, uuid }));
    return former.sort((a, b) => a.id - b.id);
  }
  return {
    /** The brokers, sorted by id. */
    async brokers() {
      // One after the other: no request is left behind when the first one fails.
      const members = await api.call(readMembers);
      const uuids = await uuidsOf(api);
      return members.map((one) => ({ ...one, uuid: uuids.get(one.id) ?? null }));
    },
    /** The brokers that have left the cluster, sorted by id; none if older versions do not list them. */
    formerBrokers,
    /** The maintenance mode of each broker, sorted by id. */
    maintenance: () => api.call(readMaintenance),
    ...createChanges(api, formerBrokers),
    /**
     * How far a decommission is, also of a broker that has left; undefined if the broker is not being decommissioned.
     * @throws ApiError (404, exit 3) for an unknown broker
     */
    async decommissionState(id: number) {
      try {
        return await readDecommission(api, id);
      } catch (error) {
        // Servers differ in whether they still know a broker that has left.
        if (hasStatus(error, 404) && (await formerBrokers()).some((one) => one.id === id)) return hasLeft(id);
        throw error;
      }
    },
    /** The partitions that the restart of a broker would harm, as the broker sees it. */
    restartRisks: (id: number) =>
      api.call(
        calls.get(`check the restart of broker ${id}`, pathOf`/v1/broker/pre_restart_probe`, risks, {
          query: { limit: mostNames },
          to: { node: id },
          needs: restartChecks,
        }),
      ),
    /** The percentage of the replicas of a broker that are in sync, as the broker sees it. */
    inSyncPercent: (id: number) =>
      api.call(
        calls.get(`read the state of broker ${id} after its restart`, pathOf`/v1/broker/post_restart_probe`, share, {
          to: { node: id },
          needs: restartChecks,
        }),
      ),
    /** What the controller knows of the health of the cluster. */
    health: () => api.call(readHealth),
  };
}

/** Repeating the change of a broker changes nothing more, but may be refused because it is made. */
const change = { to: 'leader', repeats: true } as const;

/** The calls that change brokers. */
function createChanges(api: Api, formerBrokers: () => Promise<readonly FormerBroker[]>) {
  const membershipOf = async (id: number): Promise<string | undefined> =>
    (await api.call(readMemberships)).find((one) => one.id === id)?.membership;
  return {
    /** Starts to move everything away from a broker; it leaves the cluster when that is done. */
    decommission: (id: number) =>
      api.call(
        calls.put(`decommission broker ${id}`, pathOf`/v1/brokers/${id}/decommission`, {
          ...change,
          async isDone() {
            const membership = await membershipOf(id);
            if (membership !== undefined) return membership !== 'active';
            // It may have left already, or never have been there.
            return (await formerBrokers()).some((one) => one.id === id);
          },
        }),
      ),
    /** Stops a decommission. */
    recommission: (id: number) =>
      api.call(
        calls.put(`recommission broker ${id}`, pathOf`/v1/brokers/${id}/recommission`, {
          ...change,
          isDone: async () => (await membershipOf(id)) === 'active',
        }),
      ),
    /** Turns the maintenance mode of a broker on (its leaderships move away) or off. */
    setMaintenance: (id: number, isOn: boolean) => {
      const doing = `turn the maintenance mode of broker ${id} ${isOn ? 'on' : 'off'}`;
      return api.call(calls[isOn ? 'put' : 'delete'](doing, pathOf`/v1/brokers/${id}/maintenance`, change));
    },
  };
}

/** Older versions have no UUIDs. */
async function uuidsOf(api: Api): Promise<ReadonlyMap<number, string>> {
  try {
    return await api.call(readUuids);
  } catch (error) {
    if (hasStatus(error, 404)) return new Map();
    throw error;
  }
}

/** The state of a decommission that has ended. */
export function hasLeft(id: number): DecommissionState {
  return { id, finished: true, replicas_left: 0, without_place: [], place_failures: [], replicas: [] };
}

/** The server answers 400 for a broker that is not being decommissioned. */
async function readDecommission(api: Api, id: number): Promise<DecommissionState | undefined> {
  try {
    const doing = `read how far the decommission of broker ${id} is`;
    const path = pathOf`/v1/brokers/${id}/decommission`;
    return { id, ...(await api.call(calls.get(doing, path, decommission, { to: 'leader' }))) };
  } catch (error) {
    if (hasStatus(error, 400)) return undefined;
    throw error;
  }
}
