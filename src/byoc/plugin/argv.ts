import { missingError, usageError } from '../../errors.ts';
import { shellWord } from '../../format/shell-word.ts';

/** The cloud provider of a BYOC cluster, in the plugin's spelling. */
export type PluginProvider = 'aws' | 'azure' | 'gcp';

/** The commands of the plugin. */
export type PluginVerb = 'apply' | 'destroy' | 'validate';

/** The three providers that the plugin supports. */
export const pluginProviders: readonly PluginProvider[] = ['aws', 'azure', 'gcp'];

/** The names of the plugin's two flags that weir appends. */
const tokenFlag = '--cloud-api-token';
const clusterFlag = '--redpanda-id';

/** A call of the plugin, without the token. */
export interface PluginCall {
  readonly provider: PluginProvider;
  readonly verb: PluginVerb;
  /** The cluster's id; undefined only for `validate`. */
  readonly clusterId: string | undefined;
  readonly projectId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** The other arguments for the plugin, in order. */
  readonly rest: readonly string[];
}

/**
 * Checks, before any prompt or download, that a call has the flags that its provider requires.
 * @throws CliError (exit 2) if a flag is missing, or if a flag is given that only weir sets
 */
export function checkCall(call: PluginCall): void {
  for (const flag of [tokenFlag, clusterFlag]) {
    if (!call.rest.some((word) => word === flag || word.startsWith(`${flag}=`))) continue;
    throw usageError(`unable to pass ${flag} to the plugin: weir sets it`, {
      target: flag,
      hints: flag === tokenFlag ? ['set a token with WEIR_CLOUD_TOKEN'] : ['use --cluster-id before "--"'],
    });
  }
  const missing = missingFlag(call);
  if (missing !== undefined) throw missingError(missing);
}

function missingFlag({ provider, verb, clusterId, projectId, subscriptionId }: PluginCall): string | undefined {
  if (verb === 'validate') return undefined;
  if (!clusterId) return '--cluster-id';
  if (provider === 'gcp' && !projectId) return '--project-id';
  return provider === 'azure' && verb === 'apply' && !subscriptionId ? '--subscription-id' : undefined;
}

/**
 * The arguments of the plugin: provider and verb first, `--cloud-api-token TOKEN --redpanda-id ID` last, as the
 * plugin requires. It accepts the token in no other way. The client secret is never an argument.
 */
export function pluginArgv(call: PluginCall, token: string): readonly string[] {
  const { clusterId } = call;
  return [
    call.provider,
    call.verb,
    ...ownFlags(call),
    ...call.rest,
    tokenFlag,
    token,
    ...(clusterId === undefined || call.verb === 'validate' ? [] : [clusterFlag, clusterId]),
  ];
}

/** The same call as a command line for the user; an unknown value is shown as a placeholder. */
export function commandLineOf(call: PluginCall): string {
  const { provider, verb, clusterId } = call;
  const missing = missingFlag(call);
  const placeholders = {
    ...(missing === '--project-id' ? { projectId: 'PROJECT' } : {}),
    ...(missing === '--subscription-id' ? { subscriptionId: 'SUBSCRIPTION' } : {}),
  };
  const words = [
    'weir',
    'cloud',
    'byoc',
    provider,
    verb,
    ...(clusterId === undefined ? [] : ['--cluster-id', clusterId]),
  ];
  return [...words, ...ownFlags({ ...call, ...placeholders }), ...call.rest].map(shellWord).join(' ');
}

function ownFlags({ projectId, subscriptionId }: PluginCall): readonly string[] {
  return [
    ...(subscriptionId ? [`--subscription-id=${subscriptionId}`] : []),
    ...(projectId ? [`--project-id=${projectId}`] : []),
  ];
}

/** Converts a provider from the API's spelling to the plugin's; undefined if the provider has no plugin. */
export function providerOf(cloudProvider: string): PluginProvider | undefined {
  const word = cloudProvider.replace(/^CLOUD_PROVIDER_/, '').toLowerCase();
  return pluginProviders.find((provider) => provider === word);
}
