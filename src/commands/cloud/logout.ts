import { command, toggle } from '../../cli/command.ts';
import { arrayOf } from '../../cli/output/schema.ts';
import type { LoginRow } from '../../cloud/auth/logins.ts';
import type { Context } from '../../context.ts';
import { type ChangedLogin, loginSchema, planned } from './auth/login-view.ts';

/** `cloud logout` */
export const logout = command({
  summary: 'Remove the token of the current login',
  examples: [
    ['The current login', 'cloud logout'],
    ['All logins, with their client secrets', 'cloud logout --all --clear-credentials'],
  ],
  apis: ['cloud'],
  description: `The client id is kept, and so is a client secret that was saved with "cloud login --save": the next command uses it
to get a new token. On a terminal, weir offers to remove it; --clear-credentials removes it without a prompt.`,
  flags: {
    clearCredentials: toggle({ short: 'c', help: 'also remove the client id and secret of the login' }),
    all: toggle({ short: 'a', help: 'log out of all logins on this machine' }),
  },
  changes: 'alters',
  async run(context, { all, clearCredentials, dryRun }): Promise<readonly ChangedLogin[]> {
    const { logins } = await context.cloud();
    const chosen = (await logins.list()).filter(({ current }) => all || current);
    if (dryRun) return chosen.map((row) => planned({ ...row, secret_kept: row.secret_kept && !clearCredentials }));
    const hadToken = chosen.some((row) => row.expires_at !== null);
    const rows = withHad(await logins.logout({ all, clear: clearCredentials }), hadToken);
    const kept = clearCredentials ? [] : rows.filter((row) => row.secret_kept);
    if (kept.length === 0) return rows;
    if (!(await offerRemoval(context, kept))) return rows;
    for (const { name } of kept) await logins.delete(name);
    return withHad(
      rows.map((row) => ({ ...row, secret_kept: false })),
      hadToken,
    );
  },
  output: {
    schema: arrayOf(loginSchema),
    text: (rows) => {
      if (rows.length === 0) return 'You are not logged in.\n';
      const isPlanned = rows.some(({ dry_run: isDryRun }) => isDryRun);
      if (!rows.some((row) => row.secret_kept))
        return isPlanned ? 'You would be logged out.\n' : 'You are now logged out.\n';
      if ('hadToken' in rows && rows.hadToken === false) return 'There is no token.\n';
      return isPlanned ? 'The token would be removed.\n' : 'The token was removed.\n';
    },
  },
});

/** Notes for the text whether there was a token; JSON does not show it. */
function withHad(rows: readonly LoginRow[], hadToken: boolean): readonly LoginRow[] {
  return Object.defineProperty([...rows], 'hadToken', { value: hadToken });
}

/** Reports client secrets that are still kept and, if a prompt is possible, offers to remove them. */
async function offerRemoval(context: Context, kept: readonly LoginRow[]): Promise<boolean> {
  const { flags, signal, notice } = context;
  const names = kept.map(({ name }) => name).join(', ');
  const what = `the client secret of ${names} is still kept on this machine`;
  if (flags.yes) return true;
  if (flags.noInput) {
    notice(`${what}; remove it with: weir cloud logout --clear-credentials${kept.length > 1 ? ' --all' : ''}`);
    return false;
  }
  const { askYesNo } = await import('../../cli/prompt.ts');
  const isWanted = await context.openEnded(() => askYesNo(context, `${what}. Remove it as well?`));
  signal.throwIfAborted();
  return isWanted;
}
