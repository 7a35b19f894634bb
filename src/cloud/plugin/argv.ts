import { usageError } from '../../errors.ts';

/** Whose cloud a BYOC cluster runs in, as the plugin spells it. */
export type PluginProvider = 'aws' | 'azure' | 'gcp';

/** What the plugin is asked to do. */
export type PluginVerb = 'apply' | 'destroy' | 'validate';

/** The three providers of the plugin. */
export const pluginProviders: readonly PluginProvider[] = ['aws', 'azure', 'gcp'];

/** The vendor's names of the two flags that weir itself puts at the end. */
const tokenFlag = '--cloud-api-token';
const clusterFlag = '--redpanda-id';

/** A call of the plugin, without the token. */
export interface PluginCall {
  readonly provider: PluginProvider;
  readonly verb: PluginVerb;
  /** Undefined for `validate` alone. */
  readonly clusterId: string | undefined;
  readonly projectId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Words that are not weir's, in their order. */
  readonly rest: readonly string[];
}

/**
 * Makes sure, before anything is asked or downloaded, that a call has what its provider demands.
 * @throws CliError (exit 2) when a flag is missing, or one is given that only weir sets
 */
export function checkCall(call: PluginCall): void {
  for (const flag of [tokenFlag, clusterFlag]) {
    if (!call.rest.some((word) => word === flag || word.startsWith(`${flag}=`))) continue;
    throw usageError(`${flag} cannot be given by hand: weir itself hands it to the plugin`, {
      target: flag,
      hints: flag === tokenFlag ? ['a ready token belongs into WEIR_CLOUD_TOKEN'] : ['use --cluster-id before "--"'],
    });
  }
  const missing = missingFlag(call);
  if (missing !== undefined)
    throw usageError(`${missing} is required for ${call.provider} ${call.verb}`, { target: missing });
}

function missingFlag({ provider, verb, clusterId, projectId, subscriptionId }: PluginCall): string | undefined {
  if (verb === 'validate') return undefined;
  if (!clusterId) return '--cluster-id';
  if (provider === 'gcp' && !projectId) return '--project-id';
  return provider === 'azure' && verb === 'apply' && !subscriptionId ? '--subscription-id' : undefined;
}

/**
 * The words the plugin is started with: provider and verb first, `--cloud-api-token TOKEN --redpanda-id ID` last, as
 * the vendor's plugin demands. It takes the token in no other way; the client secret never stands here.
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

/** The same call as a person types it, on one line; a flag whose value weir does not know has a word in its place. */
export function commandLineOf(call: PluginCall): string {
  const { provider, verb, clusterId, projectId } = call;
  const known = provider === 'gcp' && verb !== 'validate' && !projectId ? { ...call, projectId: 'PROJECT_ID' } : call;
  const words = [
    'weir',
    'cloud',
    'byoc',
    provider,
    verb,
    ...(clusterId === undefined ? [] : ['--cluster-id', clusterId]),
  ];
  return [...words, ...ownFlags(known), ...call.rest].map(quote).join(' ');
}

function ownFlags({ projectId, subscriptionId }: PluginCall): readonly string[] {
  return [
    ...(subscriptionId ? [`--subscription-id=${subscriptionId}`] : []),
    ...(projectId ? [`--project-id=${projectId}`] : []),
  ];
}

/** Quotes a word for a shell where it must be. */
function quote(word: string): string {
  return /^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The plugin's word for a provider as the API spells it; undefined for one that has no plugin. */
export function providerOf(cloudProvider: string): PluginProvider | undefined {
  const word = cloudProvider.replace(/^CLOUD_PROVIDER_/, '').toLowerCase();
  return pluginProviders.find((provider) => provider === word);
}
