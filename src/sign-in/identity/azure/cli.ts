import { variable } from '../../../files/locations.ts';
import { tokenIn } from '../token-endpoint.ts';
import { runTool } from '../tool.ts';
import { type AzureParts, type Found, resourceOf, what } from './parts.ts';

/** A token of whoever is logged in to the Azure CLI, or why there is none. */
export async function fromCli({ options, scope }: AzureParts): Promise<Found | string> {
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
