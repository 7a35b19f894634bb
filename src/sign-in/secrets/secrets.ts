import type { SecretSource } from '../../config/config.ts';
import type { SecretKey } from '../../config/options.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { secretLine } from '../../format/secret-line.ts';
import { type SecretParts, secretFault, type WantedSecret } from './parts.ts';

/** The values of the secret options. Nothing else may be used to sign in, because a value may be somewhere else. */
export interface Secrets {
  /**
   * The value of a secret option; empty if no source gives one. A command runs once, also if several ask at the same time;
   * a file is read each time.
   * @throws CliError if the value cannot be read
   */
  get(key: SecretKey): Promise<string>;
  /** The same, but a command runs again and the keychain is asked again: the last value was refused, or has expired. */
  renew(key: SecretKey): Promise<string>;
  /**
   * The value of a secret that no option has.
   * @param what what it is, for errors: `the password of user "ana"`
   * @throws CliError (exit 4) if it cannot be read
   */
  from(what: string, source: SecretSource | { readonly way: 'env'; readonly text: string }): Promise<string>;
}

/** The secrets of a configuration. Nothing is read yet. */
export function openSecrets(parts: SecretParts): Secrets {
  const cache = new Map<SecretKey, Promise<string>>();
  const read = (key: SecretKey): Promise<string> => {
    const { value, origin, from } = parts.config.setting(key);
    if (from === undefined) return Promise.resolve(String(value));
    const secret = look(parts, { key, option: key, from, origin });
    cache.set(key, secret);
    return secret;
  };
  return {
    async get(key) {
      const isFile = parts.config.setting(key).from?.way === 'file';
      return await ((isFile ? undefined : cache.get(key)) ?? read(key));
    },
    renew: async (key) => await read(key),
    async from(what, source) {
      if (source.way === 'env') return fromEnvironment(parts, what, source.text);
      return await look(parts, {
        key: what,
        option: undefined,
        from: { way: source.way, text: source.text },
        origin: '',
      });
    },
  };
}

function fromEnvironment({ host }: SecretParts, what: string, name: string): string {
  const value = host.env[name];
  const details = { code: 'SECRET_UNAVAILABLE', target: name };
  if (value === undefined || value === '')
    throw new CliError(exitCodes.auth, `unable to get ${what}: the variable ${name} is not set`, details);
  return secretLine(value);
}

async function look(parts: SecretParts, secret: WantedSecret): Promise<string> {
  if (secret.from.way === 'file') return await (await import('./secret-file.ts')).readSecretFile(parts, secret);
  if (!parts.mayRun) throw secretFault(secret, 'programs are not run here');
  if (secret.from.way === 'command') return await (await import('./command.ts')).runSecretCommand(parts, secret);
  return await (await import('./keychain.ts')).readKeychain(parts, secret);
}
