import { envName, secretKeys } from './options.ts';

/** Every variable that contains a secret: those of secret options, and the token of the control plane. */
const secretVariables: readonly string[] = [...secretKeys.map(envName), 'WEIR_CLOUD_TOKEN'];

/** What removes weir's secrets from the environment that a child process inherits. */
export const withoutSecrets: Readonly<Record<string, undefined>> = Object.fromEntries(
  secretVariables.map((name) => [name, undefined]),
);
