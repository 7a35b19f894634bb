import { type Address, isLocal, showHostPort } from './address.ts';

/** Where a password goes. */
export interface PasswordTarget {
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  /** The option of the addresses, for example `registry.hosts`. */
  readonly key: string;
}

/** Returns the warning if basic authentication sends a password unencrypted to other machines; undefined if not. */
export function plainHttpWarning({ addresses, usesTls, key }: PasswordTarget): string | undefined {
  const plain = addresses.filter((one) => !isLocal(one) && (one.scheme ?? (usesTls ? 'https' : 'http')) === 'http');
  if (plain.length === 0) return undefined;
  const hosts = plain.map(showHostPort).join(', ');
  return `the password (option pass) is sent unencrypted to ${hosts} (option ${key}): use https:// if the server offers it`;
}
