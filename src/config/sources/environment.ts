import { variable } from '../../files/locations.ts';
import { envName, optionKeys } from '../options.ts';
import { newDraft, putText, type Reading } from '../resolve/layer.ts';

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

/** Returns a warning for each unknown variable that starts with `WEIR_`, with the nearest name. */
export async function warnOfUnknownVariables(env: Environment): Promise<readonly string[]> {
  const known = new Set([...optionKeys.map(envName), ...plainVariables.map(([name]) => name)]);
  const unknown = Object.keys(env).filter((name) => name.startsWith('WEIR_') && !known.has(name));
  if (unknown.length === 0) return [];
  const { distance, closest } = await import('fastest-levenshtein');
  return unknown.toSorted().map((name) => {
    const meant = closest(name, [...known]);
    const near = distance(name, meant) <= Math.max(2, Math.floor((meant.length - 5) / 3));
    return `ignored ${name}: unknown variable${near ? ` (did you mean ${meant}?)` : ''}`;
  });
}
