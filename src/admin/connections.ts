import type { Api } from './client/api.ts';
import { rpc } from './client/rpc.ts';
import { type ConnectionQuery, KafkaConnections } from './connection-rows.ts';

const needs = { what: 'lists of connections', since: '25.3' } as const;

/** The calls about the connections of Kafka clients. */
export function createConnectionCalls(api: Api) {
  return {
    /** The connections that match. The broker that is asked asks all others, so that one that is down fails the call. */
    connections: ({ filter, orderBy, limit }: ConnectionQuery) =>
      api.call(
        rpc('ClusterService/ListKafkaConnections', {
          ...{ doing: 'list the connections', needs, changes: false },
          body: { filter, orderBy, pageSize: limit },
          answer: KafkaConnections,
          form: 'list of connections',
        }),
      ),
  };
}
