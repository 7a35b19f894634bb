import type { BearerToken } from '../../../net/bearer.ts';
import { describeToken } from '../../../net/jwt.ts';
import { firstOf } from '../chain.ts';
import { hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { fromCli } from './cli.ts';
import { fromEnvironment, fromWorkload } from './entra.ts';
import { isOfEventHubs, scopeFor } from './event-hubs.ts';
import { fromManagedIdentity } from './managed-identity.ts';
import { type AzureParts, type Found, what } from './parts.ts';

/** Opens the identities of Azure: the first of the places where its SDKs look, in their order. */
export function openAzure({ options, requests }: VendorParts): Vendor {
  const { brokers, scope, deadline } = options;
  const rule = hostRule(brokers, scope, isOfEventHubs);
  let from = '';
  async function token(): Promise<BearerToken> {
    const parts: AzureParts = { options, requests, scope: scopeFor(brokers[0]?.host ?? '', rule) };
    const found = await firstOf<Found>(what, [
      { name: 'environment', find: () => fromEnvironment(parts) },
      { name: 'workload identity', find: () => fromWorkload(parts) },
      { name: 'managed identity', find: () => fromManagedIdentity(parts) },
      { name: 'Azure CLI', find: () => fromCli(parts) },
    ]);
    ({ from } = found);
    return found.token;
  }
  return {
    name: 'Azure identity',
    token,
    async identify({ text }) {
      return `from ${from}: ${describeToken(text, deadline.clock.wallTime()).claims}`;
    },
    checkHost: (host) => void scopeFor(host, rule),
  };
}
