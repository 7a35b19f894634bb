import type { ContextParts } from '../context.ts';
import { type Address, isLocal, showHostPort } from '../net/address.ts';

/** Where credentials go. */
export interface CredentialTarget {
  readonly addresses: readonly Address[];
  /** Whether addresses without a scheme use TLS. */
  readonly usesTls: boolean;
  /** The option of the addresses, for example `registry.hosts`. */
  readonly key: string;
}

/** Warns if basic authentication sends a password unencrypted to other machines. */
export function warnOfPlainHttp(
  { warn }: Pick<ContextParts['messages'], 'warn'>,
  { addresses, usesTls, key }: CredentialTarget,
): void {
  const plain = addresses.filter((one) => !isLocal(one) && (one.scheme ?? (usesTls ? 'https' : 'http')) === 'http');
  if (plain.length === 0) return;
  const hosts = plain.map(showHostPort).join(', ');
  warn(
    `the password (option pass) is sent unencrypted to ${hosts} (option ${key}): use https:// if the server offers it`,
  );
}
