import { type Address, isLocal, showHostPort } from './address.ts';

/** Where a password goes. */
export interface PasswordTarget {
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  /** The option of the addresses, for example `registry.hosts`. */
  readonly key: string;
  /** The password, for the warning (default: that of the option `pass`). */
  readonly what?: string | undefined;
}

/** Returns the warning if a password is sent unencrypted to other machines; undefined if not. */
export function plainHttpWarning(target: PasswordTarget): string | undefined {
  const { addresses, usesTls, key, what = 'the password (option pass)' } = target;
  const plain = addresses.filter((one) => !isLocal(one) && (one.scheme ?? (usesTls ? 'https' : 'http')) === 'http');
  if (plain.length === 0) return undefined;
  const hosts = plain.map(showHostPort).join(', ');
  return `${what} is sent unencrypted to ${hosts} (option ${key}): use https:// if the server offers it`;
}
