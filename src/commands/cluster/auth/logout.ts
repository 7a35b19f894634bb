import { command, toggle } from '../../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../../cli/forms/outcome.ts';
import { listOf, nothing, row } from '../../../shape/shape.ts';
import { SignIn } from '../../../sign-in/cluster/sign-in-rows.ts';

/** `cluster auth logout` */
export const logout = command({
  summary: 'Remove the OAuth token that is kept for the cluster',
  description: `A login of a person is ended at the issuer as well, if that announces how (RFC 7009); with --all, only at the one
that is configured. A program gets a new token with its next command.`,
  examples: [
    ['That of this cluster', 'cluster auth logout'],
    ['Those of all clusters', 'cluster auth logout --all'],
  ],
  apis: [],
  flags: { all: toggle({ short: 'a', help: 'remove the tokens of all clusters' }) },
  changes: 'alters',
  // A logout fails as a whole.
  result: listOf(row({ ...SignIn.fields, ...outcomeFields, error: nothing })),
  async run(context, { all, dryRun }) {
    const { logins } = await context.oauth();
    // A logout also removes what cannot be read as a token, which no plan would list.
    const tokens = dryRun ? await logins.stored(all) : await logins.logout(all);
    return tokens.map((one) => ({ ...one, ...outcomeOf({}, dryRun), error: null }));
  },
  show: {
    text(rows, _view, { dryRun }) {
      if (rows.length === 0) return 'No token is kept.\n';
      const what = rows.length === 1 ? 'The token' : `${rows.length} tokens`;
      const were = rows.length === 1 ? 'was' : 'were';
      return dryRun ? `${what} would be removed.\n` : `${what} ${were} removed.\n`;
    },
  },
});
