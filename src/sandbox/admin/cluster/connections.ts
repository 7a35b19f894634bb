import { object, optional, type Reader, text } from '../../http/readers.ts';
import { lacksLicense, licenseStatus } from '../config/license.ts';
import type { Route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import { membersOf, type World } from '../world.ts';
import { filterOf, orderOf } from './connection-query.ts';

const size: Reader<number> = (value) => (value === undefined ? 0 : Number(value));

/** The route of the connections of Kafka clients, which exist as they are seeded. */
export const connectionRoutes: readonly Route[] = [
  rpc('v2.connections.list', 'ClusterService/ListKafkaConnections', {
    since: '25.3',
    body: object({ pageSize: size, filter: optional(text), orderBy: optional(text) }),
    handle: list,
  }),
];

const defaultSize = 1000;

interface Query {
  readonly pageSize: number;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
}

/** In the order of redpanda commit 1b95a07c: src/v/redpanda/admin/services/cluster.cc:46. */
function list(world: World, { pageSize, filter = '', orderBy = '' }: Query) {
  if (lacksLicense(world))
    throw rpcError('failed_precondition', `Invalid license: ${licenseStatus(world).replace('_', ' ')}`);
  if (pageSize < 0) throw rpcError('invalid_argument', 'page_size must be non-negative');
  const order = orderOf(orderBy);
  // The node asks all others, and one that does not answer fails the call.
  if (membersOf(world).some(({ alive }) => !alive)) throw rpcError('unavailable', 'Service unavailable');
  const matches = world.state.connections.filter(filterOf(filter)).toSorted(order);
  return { connections: matches.slice(0, pageSize || defaultSize), totalSize: `${matches.length}` };
}
