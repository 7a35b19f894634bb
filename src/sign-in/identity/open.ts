import { CliError, exitCodes } from '../../errors.ts';
import { isLocal } from '../../net/address.ts';
import type { BearerSource, BearerToken, Peer } from '../../net/bearer.ts';
import { once } from '../../once.ts';
import { renewedSource } from '../tokens/renewed-source.ts';
import type { IdentityOptions, Provider } from './options.ts';
import { openRequests } from './requests.ts';
import type { Vendor, VendorParts } from './vendor.ts';

/** The source of what a cloud identity proves itself with. Nothing of it is stored. */
export interface Identity extends BearerSource {
  /** Makes the message of the vendor's own mechanism for one broker. */
  sign(host: string): Promise<BearerToken>;
  /** Ensures that a broker may get it. @throws CliError (exit 2) before anything is sent */
  checkPeer(peer: Peer): Promise<void>;
  /** Closes all connections immediately. */
  close(): void;
}

const vendors: Readonly<Record<Provider, (parts: VendorParts) => Promise<Vendor>>> = {
  aws: async (parts) => (await import('./aws/aws.ts')).openAws(parts),
  azure: async (parts) => (await import('./azure/azure.ts')).openAzure(parts),
  google: async (parts) => (await import('./google/google.ts')).openGoogle(parts),
};

const names: Readonly<Record<Provider, string>> = { aws: 'AWS', azure: 'Azure', google: 'Google' };

/** Opens the source without reading anything, and without loading what a vendor needs. */
export function openIdentity(options: IdentityOptions): Identity {
  const requests = openRequests(options);
  const { provider, deadline, warn } = options;
  const vendor = once(() => vendors[provider]({ options, requests }));
  const read = async (isRefused: boolean): Promise<BearerToken> => await (await vendor()).token(isRefused);
  const source = renewedSource({
    given: { origin: names[provider], read: () => read(false), renew: () => read(true), isVolatile: false },
    now: () => deadline.clock.wallTime(),
    warn,
  });
  return {
    ...source,
    clockSkewMs: requests.clockSkewMs,
    identify: async () => (await vendor()).identify(await source.get()),
    async sign(host) {
      const { sign } = await vendor();
      if (sign === undefined) throw new Error(`${names[provider]} has no mechanism of its own`);
      return await sign(host);
    },
    async checkPeer(peer) {
      (await vendor()).checkHost(peer.host);
      requireTls(peer, provider);
    },
    close: requests.close,
  };
}

/** @throws CliError (exit 2) before anything is sent */
function requireTls({ host, tls }: Peer, provider: Provider): void {
  if (tls || isLocal({ host })) return;
  const message = `unable to sign in to ${host} with an ${names[provider]} identity: the connection is not encrypted`;
  throw new CliError(exitCodes.usage, message, {
    code: 'UNENCRYPTED',
    target: 'tls.enabled',
    hints: ['turn on TLS: -X tls.enabled=true', 'whoever reads it on the way could use it as you'],
  });
}
