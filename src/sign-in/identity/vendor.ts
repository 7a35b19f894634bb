import type { BearerToken } from '../../net/bearer.ts';
import type { IdentityOptions } from './options.ts';
import type { Requests } from './requests.ts';

/** What a vendor's identity is made from. */
export interface VendorParts {
  readonly options: IdentityOptions;
  readonly requests: Requests;
}

/** The identities of one vendor. */
export interface Vendor {
  /** Makes a new token; `isRefused`: what is known was refused. */
  token(isRefused: boolean): Promise<BearerToken>;
  /** Makes the message of a mechanism of the vendor's own, for one broker; absent if there is none. */
  sign?(host: string): Promise<BearerToken>;
  /** Says whose identity a token proves, which may need a request. */
  identify(token: BearerToken): Promise<string>;
  /** Ensures that a host may get a token. @throws CliError if it is not one of the vendor, and no option says that it may */
  checkHost(host: string): void;
}

/** An option that lets hosts which are not of the vendor get what an identity proves. */
export interface HostRule {
  /** The value of the option; empty: not set. */
  readonly option: string;
  /** Whether it does: brokers of the vendor have no reason to announce others. */
  readonly freesOthers: boolean;
}

/** The rule for the hosts of a configuration. */
export function hostRule(
  brokers: IdentityOptions['brokers'],
  option: string,
  isOwn: (host: string) => boolean,
): HostRule {
  return { option, freesOthers: option !== '' && brokers.some(({ host }) => !isOwn(host)) };
}

/** The hint for a host that is not of the vendor, although an option is set. */
export function announcedHint(key: string): string {
  return `${key} does not allow it, because the addresses in brokers are those of the service`;
}
