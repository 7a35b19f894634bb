import { isMissing } from '../../../cloud/api/api-error.ts';
import { commandLineOf, type PluginCall, providerOf } from '../../../cloud/plugin/argv.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';

/**
 * Checks, before any prompt or download, that the cluster of a call is at the provider of the call. A cluster that does
 * not exist is reported by the request for its plugin.
 * @throws CliError (exit 2) with the command for the provider of the cluster
 */
export async function checkProvider(context: Context, call: PluginCall): Promise<void> {
  const { provider, verb, clusterId, rest } = call;
  if (clusterId === undefined) return;
  const cluster = await (await context.cloud()).getCluster(clusterId).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const actual = cluster && providerOf(cluster.cloud_provider);
  if (cluster === undefined || actual === undefined || actual === provider) return;
  const right = commandLineOf({ provider: actual, verb, clusterId, rest });
  throw usageError(`unable to run ${provider} ${verb}: the cluster "${cluster.name}" (${clusterId}) is on ${actual}`, {
    code: 'WRONG_PROVIDER',
    target: clusterId,
    hints: [`use: ${right}`],
  });
}
