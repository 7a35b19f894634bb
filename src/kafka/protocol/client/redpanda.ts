import { CliError, rephrased } from '../../../errors.ts';
import { codes } from '../wire/error-codes.ts';

/**
 * Whether a cluster id is one of Redpanda; undefined if there is no id. Redpanda puts `redpanda.` before every id, and
 * sends one before the cluster has its own, so that clients can tell it from other implementations
 * (`kafka/server/handlers/metadata.cc`).
 */
export function isRedpandaId(clusterId: string | null | undefined): boolean | undefined {
  return clusterId?.startsWith('redpanda.');
}

/** What to use instead of requests that Redpanda does not know (`kafka/server/handlers/handlers.h`; 26.1 has SCRAM users). */
const instead: ReadonlyMap<string, string> = new Map([
  ['ElectLeaders', 'use weir cluster partitions transfer-leadership'],
  ['WriteTxnMarkers', 'it aborts a transaction itself when its timeout is over'],
  ['DescribeUserScramCredentials', 'use the Admin API, with --api admin'],
  ['AlterUserScramCredentials', 'use the Admin API, with --api admin'],
]);

/** The error of a request that Redpanda does not know; undefined for other errors and requests. */
export function missingOnRedpanda(error: unknown, api: string): CliError | undefined {
  const hint = instead.get(api);
  if (!(error instanceof CliError) || error.code !== 'UNSUPPORTED_VERSION' || hint === undefined) return undefined;
  return rephrased(error, `this version of Redpanda does not support ${api}: ${hint}`, { hints: [] });
}

/**
 * Whether a partition without a leader is disabled, which Redpanda reports with this code
 * (`kafka/server/handlers/metadata.cc`): it gets none by waiting.
 */
export function isDisabled(code: number): boolean {
  return code === codes.REPLICA_NOT_AVAILABLE;
}
