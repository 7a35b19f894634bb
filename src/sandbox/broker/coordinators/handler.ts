import type { WrittenResponseOf } from '../../../kafka/wire/api.ts';
import { findCoordinator } from '../../../kafka/wire/apis/find-coordinator.ts';
import type { Cluster } from '../cluster-parts.ts';
import { codes } from '../error-codes.ts';
import { type Handler, handler } from '../serve/handler.ts';

type Response = WrittenResponseOf<typeof findCoordinator>;
type Found = NonNullable<Response['coordinators']>[number];
const kinds = ['group', 'transaction'] as const;

/** FindCoordinator. The first request for a kind creates the internal topic and fails: COORDINATOR_NOT_AVAILABLE. */
export const findCoordinatorHandler: Handler = handler(findCoordinator, {
  handle({ cluster, broker, version }, request) {
    const keys = version >= 4 ? request.coordinatorKeys : [request.key];
    return responseOf(keys.map((key) => find(cluster, { broker, keyType: request.keyType, key })));
  },
  refuse: (request, code, version) =>
    responseOf((version >= 4 ? request.coordinatorKeys : [request.key]).map((key) => missing(key, code))),
});

function find(cluster: Cluster, asked: { broker: number; keyType: number; key: string }): Found {
  const { key } = asked;
  const kind = kinds[asked.keyType];
  if (kind === undefined || (kind === 'transaction' && key === '')) return missing(key, codes.INVALID_REQUEST);
  const coordinator = cluster.coordinators.coordinatorOf(kind, key);
  if (coordinator === undefined) cluster.coordinators.prepare(kind);
  const known = cluster.image(asked.broker).alive;
  const broker = cluster.brokers.find(({ id }) => id === coordinator && known.has(id));
  if (broker === undefined) return missing(key, codes.COORDINATOR_NOT_AVAILABLE);
  const { id, host, port } = broker;
  return { key, nodeId: id, host, port, errorCode: codes.NONE, errorMessage: undefined };
}

function missing(key: string, errorCode: number): Found {
  return { key, nodeId: -1, host: '', port: -1, errorCode, errorMessage: undefined };
}

/** Builds a response. Up to version 3 it has one coordinator, in top-level fields. */
function responseOf(coordinators: readonly Found[]): Response {
  const [first] = coordinators;
  const { nodeId = -1, host = '', port = -1, errorCode = codes.COORDINATOR_NOT_AVAILABLE } = first ?? {};
  return { nodeId, host, port, errorCode, errorMessage: first?.errorMessage, coordinators };
}
