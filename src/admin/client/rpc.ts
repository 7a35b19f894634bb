import { type ApiCall, type CallOptions, pathOf } from '../../net/json-api/call.ts';
import type { Shape } from '../../shape/shape.ts';
import type { Needs } from './answer-error.ts';
import { type AdminCallOptions, calls } from './api.ts';

/** What a call of version 2 says besides its service and its method. */
interface RpcOptions<T> extends CallOptions, AdminCallOptions, Pick<ApiCall<T>, 'look'> {
  /** For example `list the connections`. */
  readonly doing: string;
  readonly needs: Needs;
  readonly answer: Shape<T>;
}

/**
 * Declares a call of version 2 of the Admin API: ConnectRPC with JSON, always POST. The server takes the names of fields in
 * both forms, and answers in camel case with every field, with numbers of 64 bits as text and with the full names of enums
 * (redpanda commit 1b95a07c: bazel/pbgen/main.go:1285). A node that may not answer itself asks the one that may.
 * @param method for example `ClusterService/ListKafkaConnections`
 */
export function rpc<T>(
  method: `${string}Service/${string}`,
  { doing, ...more }: RpcOptions<T>,
): ApiCall<T> & AdminCallOptions {
  const [service = '', name = ''] = method.split('/');
  return calls.post(doing, pathOf`/redpanda.core.admin.v2.${service}/${name}`, { body: {}, ...more });
}
