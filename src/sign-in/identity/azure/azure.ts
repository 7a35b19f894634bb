import { usageError } from '../../../errors.ts';
import { variable } from '../../../files/locations.ts';
import type { BearerToken } from '../../../net/bearer.ts';
import { describeToken } from '../../../net/jwt.ts';
import { firstOf } from '../chain.ts';
import { tokenIn } from '../token-endpoint.ts';
import { runTool } from '../tool.ts';
import { announcedHint, type HostRule, hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { fromEnvironment, fromWorkload } from './entra.ts';
import { fromManagedIdentity } from './managed-identity.ts';
import { type AzureParts, type AzureToken, resourceOf, what } from './parts.ts';

/** Opens the identities of Azure: the first of the places where its SDKs look, in their order. */
export function openAzure({ options, requests }: VendorParts): Vendor {
  const { brokers, scope, deadline } = options;
  const rule = hostRule(brokers, scope, isOfEventHubs);
  let from = '';
  async function token(): Promise<BearerToken> {
    const parts: AzureParts = { options, requests, scope: scopeFor(brokers[0]?.host ?? '', rule) };
    const credential = await firstOf<AzureToken>(what, [
      { name: 'environment', find: () => fromEnvironment(parts) },
      { name: 'workload identity', find: () => fromWorkload(parts) },
      { name: 'managed identity', find: () => fromManagedIdentity(parts) },
      { name: 'Azure CLI', find: () => fromCli(parts) },
    ]);
    ({ from } = credential);
    return credential.token;
  }
  return {
    token,
    async identify({ text }) {
      return `from ${from}: ${describeToken(text, deadline.clock.wallTime()).claims}`;
    },
    checkHost: (host) => void scopeFor(host, rule),
  };
}

/** A token of whoever is logged in to the Azure CLI, or why there is none. */
async function fromCli({ options, scope }: AzureParts): Promise<AzureToken | string> {
  const { machine, deadline } = options;
  const tenant = variable(machine, 'AZURE_TENANT_ID');
  const ofTenant = tenant === undefined ? [] : ['--tenant', tenant];
  const words = ['account', 'get-access-token', '--output', 'json', '--resource', resourceOf(scope), ...ofTenant];
  const now = deadline.clock.wallTime();
  const fields = await runTool(machine, what, { file: 'az', args: words, logIn: 'az login' });
  if (typeof fields === 'string') return fields;
  const { accessToken, expires_on: expiresOn } = fields;
  const expiresIn = typeof expiresOn === 'number' ? Math.floor(expiresOn - now / 1000) : undefined;
  return { token: tokenIn({ access_token: accessToken, expires_in: expiresIn }, 'az', now), from: 'the Azure CLI' };
}

/** The addresses of Event Hubs namespaces, in each of the clouds. */
const ofEventHubs = /^[a-z\d.-]+\.servicebus\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)\.?$/i;

/** Whether a host is one of Event Hubs. */
function isOfEventHubs(host: string): boolean {
  return ofEventHubs.test(host);
}

/**
 * What a token for a broker is for. A token for a namespace of Event Hubs is of no use elsewhere; for any other address,
 * somebody must have decided what it may get.
 * @throws CliError (exit 2) if neither the address nor the option says it
 */
function scopeFor(host: string, { option, freesOthers }: HostRule): string {
  const isOwn = isOfEventHubs(host);
  if (option !== '' && (isOwn || freesOthers)) return option;
  if (isOwn) return `https://${host.toLowerCase().replace(/\.$/, '')}/.default`;
  throw usageError(`unable to sign in to ${host} with an Azure identity: it is not an address of Event Hubs`, {
    code: 'NOT_OF_AZURE',
    target: 'oauth.scope',
    hints: [
      option === ''
        ? 'if a token of yours may go there, say what for: -X oauth.scope=https://NAMESPACE.servicebus.windows.net/.default'
        : announcedHint('oauth.scope'),
      'whoever answers there could use the token as you until it expires',
    ],
  });
}
