import { command } from '../../../cli/command.ts';
import { pairs } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { type SignIn, signIn } from '../../../oauth/sign-in-rows.ts';

/** `cluster auth status` */
export const status = command({
  summary: 'Show how weir signs in to the cluster with OAuth, and the token that is kept',
  description: 'No token is requested, and none is printed. "weir doctor" tries to sign in.',
  examples: [
    ['Issuer, client, and what the token says of itself', 'cluster auth status'],
    ['As data', 'cluster auth status --format json'],
  ],
  apis: [],
  changes: 'reads',
  result: signIn,
  run: async (context) => (await context.oauth()).logins.status(),
  show: { text: signInText },
});

/** How weir signs in, line by line. */
export function signInText(row: SignIn, view: View): string {
  return pairs(
    [
      ['issuer', row.issuer || null],
      ['grant', row.grant],
      ['client id', row.client_id || null],
      ['brokers', row.brokers],
      ['token', row.has_token ? 'kept' : 'none'],
      ['subject', row.subject],
      ['audience', row.audience.join(', ') || null],
      ['scope', row.scope],
      ['expires at', row.expires_at],
      ['renewable', row.renewable],
    ],
    view,
  );
}
