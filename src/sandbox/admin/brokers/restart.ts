import type { Reply } from '../../http/reply.ts';
import { isOn, nameOf, voters } from '../partitions/partition.ts';
import { type AdminRequest, by, numberQuery, ok, type Route, route } from '../request.ts';
import type { Node, Partition } from '../state.ts';
import { isAlive, type World } from '../world.ts';

/**
 * What a broker knows of its own restart (redpanda 26: src/v/redpanda/admin/server.cc:3065, and
 * src/v/cluster/health_monitor_backend.cc:435 and 631). Redpanda 25.1 is the first.
 */
export const restartRoutes: readonly Route[] = [
  { ...route('broker.restart.before', 'GET /v1/broker/pre_restart_probe', by.open, before), since: '25.3' },
  { ...route('broker.restart.after', 'GET /v1/broker/post_restart_probe', by.open, after), since: '25.3' },
];

type Risk = 'rf1_offline' | 'full_acks_produce_unavailable' | 'unavailable' | 'acks1_data_loss';

/** The partitions that the broker reports: a disabled one is not open on any broker. */
function heldBy({ state }: World, { id }: Node): readonly Partition[] {
  return [...state.partitions.values()].filter((one) => !one.disabled && isOn(one, id));
}

/** A replica that does not lead is behind while its broker lags. */
function isInSync(world: World, { leader }: Partition, id: number): boolean {
  return leader === id || (isAlive(world, id) && world.state.nodes.get(id)?.lags !== true);
}

function risksOf(world: World, partition: Partition, self: number): readonly Risk[] {
  const all = voters(partition).map(({ nodeId }) => nodeId);
  if (all.length === 1) return ['rf1_offline'];
  if (partition.leader === null) return ['acks1_data_loss', 'unavailable'];
  const others = all.filter((id) => id !== self);
  const majority = Math.floor(all.length / 2) + 1;
  const inSync = others.filter((id) => isInSync(world, partition, id)).length;
  const isAvailable = others.filter((id) => isAlive(world, id)).length >= majority;
  // A partition is listed for the worst that can happen to it.
  if (inSync === 0) return isAvailable ? ['acks1_data_loss'] : ['acks1_data_loss', 'unavailable'];
  if (!isAvailable) return ['unavailable'];
  return inSync < majority ? ['full_acks_produce_unavailable'] : [];
}

const usualLimit = 128;

function before(world: World, request: AdminRequest): Reply {
  const limit = numberQuery(request, 'limit') ?? usualLimit;
  const found = heldBy(world, request.node).map((one) => ({ one, risks: risksOf(world, one, request.node.id) }));
  const at = (risk: Risk) =>
    found
      .filter(({ risks }) => risks.includes(risk))
      .map(({ one }) => nameOf(one))
      .slice(0, limit);
  const risks = {
    rf1_offline: at('rf1_offline'),
    full_acks_produce_unavailable: at('full_acks_produce_unavailable'),
    unavailable: at('unavailable'),
    acks1_data_loss: at('acks1_data_loss'),
  };
  return ok({ risks }, Object.keys(risks));
}

function after(world: World, { node }: AdminRequest): Reply {
  const held = heldBy(world, node);
  const inSync = held.filter((one) => one.leader !== null && isInSync(world, one, node.id));
  const share = held.length === 0 ? 1 : inSync.length / held.length;
  return ok({ load_reclaimed_pc: Math.floor(100 * share) });
}
