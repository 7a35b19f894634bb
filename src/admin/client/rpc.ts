import { type ApiCall, type CallOptions, pathOf } from '../../net/json-api/call.ts';
import { converted, exact, filled, maybe, type Shape, string, whole } from '../../shape/shape.ts';
import type { Needs } from './answer-error.ts';
import { type AdminCallOptions, calls } from './api.ts';

/** What a call of version 2 says besides its service and its method. */
interface RpcOptions<T> extends CallOptions, AdminCallOptions {
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

/** The name of an enum's value without the prefix that all its values have; null for `…_UNSPECIFIED`. */
export function enumName(prefix: string): Shape<string | null> {
  const short = (name: unknown): unknown =>
    typeof name === 'string' && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return converted((name) => (short(name) === 'UNSPECIFIED' ? null : short(name)), maybe(filled));
}

/** A whole number of 64 bits, which answers have as text. */
export const int64Text: Shape<number | bigint> = converted((value) => {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value ?? 0;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
}, exact);

/** A time as RFC 3339; null for none, which the server writes as the epoch. */
export const timestamp: Shape<string | null> = converted((value) => {
  const ms = typeof value === 'string' ? Date.parse(value) : 0;
  return Number.isNaN(ms) || ms === 0 ? null : new Date(ms).toISOString();
}, maybe(string));

/** A duration in milliseconds, which answers have as text such as `1.5s`. */
export const durationMs: Shape<number> = converted((value) => {
  return typeof value === 'string' ? Math.round(Number(value.replace(/s$/, '')) * 1000) : (value ?? 0);
}, whole);
