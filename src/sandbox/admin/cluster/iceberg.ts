import { list, object, optional, text } from '../../http/readers.ts';
import { valueIn } from '../config/effective.ts';
import type { AdminRequest, Route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import type { Translation } from '../state.ts';
import type { World } from '../world.ts';

/** The route of the state of Iceberg. */
export const icebergRoutes: readonly Route[] = [
  rpc('v2.iceberg.status', 'IcebergService/GetIcebergStatus', {
    since: '26.2',
    body: object({ topicsFilter: optional(list(text)) }),
    handle: status,
  }),
];

/** In the order of redpanda commit 1b95a07c: src/v/redpanda/admin/services/iceberg/iceberg.cc:84. */
function status(
  { state: { iceberg } }: World,
  { topicsFilter: names = [] }: { readonly topicsFilter: readonly string[] | undefined },
  { node }: AdminRequest,
) {
  if (valueIn(node.booted, 'iceberg_enabled') !== true)
    throw rpcError('unavailable', 'Datalake coordinator frontend not initialized');
  // The topic of the coordinator is created with the first table.
  if (iceberg === null) {
    const what = names[0] === undefined ? 'count' : `for ${names[0]}`;
    throw rpcError('unavailable', `Datalake coordinator couldn't get coordinator partition ${what}`);
  }
  const { topics, failure } = iceberg;
  return {
    catalog: { reachable: failure === undefined, ...(failure ?? { errorCode: '', errorMessage: '' }) },
    topics: topics
      .filter(({ topic }) => names.length === 0 || names.includes(topic))
      .map(({ topic, state = 'LIVE', partitions }) => ({
        topic,
        lifecycleState: `ICEBERG_LIFECYCLE_STATE_${state}`,
        partitions: partitions.map((one, partition) => ({ partition, ...offsetsOf(one) })),
      })),
  };
}

/** The offsets are left out where there are none, unlike other fields. */
function offsetsOf({ committed, pending }: Translation) {
  const translated = pending?.[1] ?? committed;
  const before = committed ?? (pending === undefined ? -1 : pending[0] - 1);
  return {
    ...(translated !== undefined && { lastTranslatedOffset: `${translated}` }),
    ...(committed !== undefined && { lastCommittedOffset: `${committed}` }),
    commitLag: `${translated === undefined ? 0 : translated - before}`,
  };
}
