import { usageError } from '../errors.ts';
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

/** Whether the URL is unencrypted and refers to another machine. */
export function isPlainElsewhere(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(url);
}

/** Whether the URL refers to this machine. */
export function isLoopback(url: string): boolean {
  return isLocal({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') });
}

/** Which unencrypted addresses are allowed. */
export interface PlainHttpRule {
  /** Whether all are. */
  readonly insecureHttp: boolean;
  /** The option that allows it. */
  readonly allowedBy: 'cloud.insecure_http' | 'oauth.insecure_http';
  /** What the address is: an option key, or words. */
  readonly what: string;
}

/**
 * Rejects `http:` to another machine, because the data could be read and changed in transit.
 * @throws CliError (exit 2) unless the rule allows it
 */
export function checkPlainHttp(url: string, { insecureHttp, allowedBy, what }: PlainHttpRule): void {
  if (insecureHttp || !isPlainElsewhere(url)) return;
  const { origin } = new URL(url);
  throw usageError(`${what} is ${origin}, which is not encrypted`, {
    code: 'CONFIG_INVALID',
    target: what.includes(' ') ? origin : what,
    hints: ['use https://', `allow it, for tests only, with: -X ${allowedBy}=true`],
  });
}
