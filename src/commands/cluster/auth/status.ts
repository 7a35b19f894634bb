import { getCommand } from '../../../cli/forms/read.ts';
import { exitCodes } from '../../../errors.ts';
import { pairs } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { SignIn } from '../../../sign-in/cluster/sign-in-rows.ts';

/** `cluster auth status` */
export const status = getCommand({
  summary: 'Show how weir signs in to the cluster with OAuth, and the token that is kept',
  description: `No token is requested, none is printed, and the command of oauth.token.command is not run. Exits with 4 if the next
command cannot sign in, as far as that is known here: "weir doctor" tries it.`,
  examples: [
    ['Issuer, client, and what the token says of itself', 'cluster auth status'],
    ['As data', 'cluster auth status --format json'],
  ],
  apis: [],
  row: SignIn,
  async read(context) {
    const row = await (await context.oauth()).logins.status();
    const mechanism = (await context.config()).get('sasl.mechanism');
    if (mechanism === 'OAUTHBEARER' || mechanism === 'AWS_MSK_IAM') return row;
    const unused = `sasl.mechanism is ${mechanism || 'not set'}, so that no OAuth token is used`;
    return { ...row, problem: [unused, ...(row.problem === null ? [] : [row.problem])].join('; ') };
  },
  text: signInText,
  exitCode: ({ problem }) => (problem === null ? exitCodes.ok : exitCodes.auth),
});

/** How weir signs in, line by line. */
export function signInText(row: SignIn, view: View): string {
  return pairs(
    [
      ['issuer', row.issuer || null],
      ['grant', row.grant],
      ['client id', row.client_id || null],
      ['brokers', row.brokers],
      ['token', tokenCell(row)],
      ['kept since', row.kept_since],
      ['subject', row.subject],
      ['audience', row.audience.join(', ') || null],
      ['scope', row.scope],
      ['expires at', row.expires_at],
      ['renewable', row.renewable],
      ...(row.problem === null ? [] : [['problem', row.problem] as const]),
    ],
    view,
  );
}

function tokenCell({ has_token: hasToken, token_from: from }: SignIn): string {
  if (from !== null) return `from ${from}`;
  return hasToken ? 'kept' : 'none';
}
