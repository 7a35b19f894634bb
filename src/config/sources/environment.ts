import { variable } from '../../files/locations.ts';
import { newDraft, putText, type Reading } from '../layer.ts';
import { envName, type OptionKey, type OptionValue, optionKeys, optionOf } from '../options.ts';
import { splitWord } from './flags.ts';

/** The `WEIR_` variables that are not options. */
export const plainVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['WEIR_CONFIG', 'profile file to use, like --config'],
  ['WEIR_PROFILE', 'profile to use, like --profile'],
  ['WEIR_BROKER_CONFIG', 'broker configuration file to use, like --broker-config'],
  ['WEIR_CLOUD_TOKEN', 'token for the control plane; used as is and never stored'],
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads options from the environment; an invalid value is an error even if a flag overrides it. */
export function readEnvironment(env: Environment): Reading {
  const draft = newDraft('env');
  for (const key of optionKeys) {
    const name = envName(key);
    const text = variable({ env }, name);
    if (text !== undefined) putText(draft, key, text, name);
  }
  return draft;
}

/** rpk's variables for weir's, besides those that differ only in their prefix: `RPK_BROKERS`, `RPK_CLOUD_TOKEN`. */
const rpkVariables: ReadonlyMap<string, string> = new Map([
  ['REDPANDA_BROKERS', 'WEIR_BROKERS'],
  ['REDPANDA_TLS_TRUSTSTORE', 'WEIR_TLS_CA'],
  ['REDPANDA_TLS_CA', 'WEIR_TLS_CA'],
  ['REDPANDA_TLS_CERT', 'WEIR_TLS_CERT'],
  ['REDPANDA_TLS_KEY', 'WEIR_TLS_KEY'],
  ['REDPANDA_SASL_MECHANISM', 'WEIR_SASL_MECHANISM'],
  ['REDPANDA_SASL_USERNAME', 'WEIR_USER'],
  ['REDPANDA_SASL_PASSWORD', 'WEIR_PASS'],
  ['REDPANDA_API_ADMIN_ADDRS', 'WEIR_ADMIN_HOSTS'],
  ['REDPANDA_ADMIN_TLS_TRUSTSTORE', 'WEIR_ADMIN_TLS_CA'],
  ['REDPANDA_ADMIN_TLS_CA', 'WEIR_ADMIN_TLS_CA'],
  ['REDPANDA_ADMIN_TLS_CERT', 'WEIR_ADMIN_TLS_CERT'],
  ['REDPANDA_ADMIN_TLS_KEY', 'WEIR_ADMIN_TLS_KEY'],
]);

/** A variable of rpk, and the one that weir reads instead. */
interface IgnoredVariable {
  readonly name: string;
  readonly weirName: string;
}

/** The variables of rpk whose counterpart is one of these and is not set. */
function ignoredOfRpk(env: Environment, variables: ReadonlySet<string>): readonly IgnoredVariable[] {
  return Object.keys(env)
    .toSorted()
    .flatMap((name) => {
      const weirName = rpkVariables.get(name) ?? name.replace(/^RPK_/, 'WEIR_');
      const isRead =
        weirName === name || !variables.has(weirName) || env[name] === undefined || env[weirName] !== undefined;
      return isRead ? [] : [{ name, weirName }];
    });
}

/** The variables that choose a cluster. */
const clusterVariables: ReadonlySet<string> = new Set([
  'WEIR_PROFILE',
  ...(['brokers', 'admin.hosts', 'registry.hosts'] as const).map(envName),
]);

/** The first variable of rpk that chooses a cluster and whose counterpart is not set; undefined if there is none. */
export function ignoredClusterVariable(env: Environment): IgnoredVariable | undefined {
  return ignoredOfRpk(env, clusterVariables)[0];
}

/**
 * Returns a warning for each unknown variable that starts with `WEIR_`, with the nearest name, and for each variable of
 * rpk whose counterpart is not set.
 */
export async function warnOfUnknownVariables(env: Environment): Promise<readonly string[]> {
  const variables = new Set([...optionKeys.map(envName), ...plainVariables.map(([name]) => name)]);
  const ofRpk = ignoredOfRpk(env, variables).map(
    ({ name, weirName }) => `ignored ${name}, a variable of rpk: use ${weirName}`,
  );
  const unknown = Object.keys(env).filter((name) => name.startsWith('WEIR_') && !variables.has(name));
  if (unknown.length === 0) return ofRpk;
  const { distance, closest } = await import('fastest-levenshtein');
  const misspelled = unknown.toSorted().map((name) => {
    const meant = closest(name, [...variables]);
    const near = distance(name, meant) <= Math.max(2, Math.floor((meant.length - 5) / 3));
    return `ignored ${name}: unknown variable${near ? ` (did you mean ${meant}?)` : ''}`;
  });
  return [...misspelled, ...ofRpk];
}

/**
 * Returns an option's value from the `-X` words or the environment, before any file is read. Undefined if neither sets
 * it, or if the value is invalid; resolving the configuration reports that.
 */
export function earlyValue<K extends OptionKey>(
  key: K,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OptionValue<K> | undefined {
  const pair = words.map(splitWord).findLast((one) => one?.key.toLowerCase() === key);
  const text = pair?.value ?? variable({ env }, envName(key));
  try {
    // The kind of this key returns the key's type.
    const value: unknown = text === undefined ? undefined : optionOf(key).kind.parse(text);
    return value as OptionValue<K> | undefined;
  } catch {
    return undefined;
  }
}

/** Where `earlyValue` finds a value, as the resolved configuration names it. */
export function earlyOrigin(key: OptionKey, words: readonly string[]): string {
  const isFlag = words.some((word) => splitWord(word)?.key.toLowerCase() === key);
  return isFlag ? `-X ${key}` : envName(key);
}
