import { canHoldSecret, envName, options } from './options.ts';

/** Every variable that may contain a secret: those of secret options, the proxy's, and the token of the control plane. */
const secretVariables: readonly string[] = [
  ...options
    .filter(({ key, kind }) => canHoldSecret(key) || kind.mayHoldSecret === 'after the key')
    .map(({ key }) => envName(key)),
  'WEIR_CLOUD_TOKEN',
];

/** What removes weir's secrets from the environment that a child process inherits. */
export const withoutSecrets: Readonly<Record<string, undefined>> = Object.fromEntries(
  secretVariables.map((name) => [name, undefined]),
);
