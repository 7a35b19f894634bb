import { fieldsOf, valueAt } from '../../../shape/object.ts';
import { tokenIn } from '../token-endpoint.ts';
import { runTool } from '../tool.ts';
import { type Found, type GoogleParts, what } from './parts.ts';

/** A token of whoever is logged in to gcloud, or why there is none. */
export async function fromCli({ options: { machine, deadline } }: GoogleParts): Promise<Found | string> {
  const now = deadline.clock.wallTime();
  const args = ['config', 'config-helper', '--format=json'];
  const fields = await runTool(machine, what, { file: 'gcloud', args, logIn: 'gcloud auth login' });
  if (typeof fields === 'string') return fields;
  const { access_token, token_expiry: expiry } = fieldsOf(fields.credential);
  const email = valueAt(fields, ['configuration', 'properties', 'core', 'account']);
  if (typeof email !== 'string') return 'gcloud has no account (log in with: gcloud auth login)';
  const expiresIn = Math.floor((Date.parse(String(expiry)) - now) / 1000);
  const { text, expiresAt } = tokenIn({ access_token, expires_in: expiresIn }, 'gcloud', now);
  return { access: { text, expiresAt, email }, from: 'gcloud' };
}
