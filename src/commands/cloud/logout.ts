import { command, toggle } from '../../cli/command.ts';
import { arrayOf } from '../../cli/output/schema.ts';
import { askYesNo } from '../../cli/prompt.ts';
import type { LoginRow } from '../../cloud/auth/logins.ts';
import type { Context } from '../../context.ts';
import { loginSchema } from './auth/login-view.ts';

/** `cloud logout` */
export const logout = command({
  summary: 'Forget the token of the current login',
  examples: [
    ['The current login', 'cloud logout'],
    ['Every login, with kept client secrets', 'cloud logout --all --clear-credentials'],
  ],
  apis: ['cloud'],
  description: `The client id stays, and so does a client secret that was kept with "cloud login --save": with it, the next command
gets a new token. On a terminal, weir offers to remove it; --clear-credentials removes it without a question.`,
  flags: {
    clearCredentials: toggle({ short: 'c', help: 'forget the login with its client id and secret too' }),
    all: toggle({ short: 'a', help: 'every login of this machine' }),
  },
  changes: 'alters',
  async run(context, { all, clearCredentials, dryRun }) {
    const { logins } = await context.cloud();
    if (dryRun) return (await logins.list()).filter(({ current }) => all || current);
    const rows = await logins.logout({ all, clear: clearCredentials });
    const kept = clearCredentials ? [] : rows.filter((row) => row.secret_kept);
    if (kept.length === 0) return rows;
    if (!(await offerRemoval(context, kept))) return rows;
    for (const { name } of kept) await logins.delete(name);
    return rows.map((row) => ({ ...row, secret_kept: false }));
  },
  output: {
    schema: arrayOf(loginSchema),
    text: (rows) => {
      if (rows.length === 0) return 'You are not logged in.\n';
      return rows.some((row) => row.secret_kept) ? 'The token was removed.\n' : 'You are now logged out.\n';
    },
  },
});

/** Says that client secrets are left, and asks whether to remove them, too, where somebody can be asked. */
async function offerRemoval(context: Context, kept: readonly LoginRow[]): Promise<boolean> {
  const { flags, signal, notice } = context;
  const names = kept.map(({ name }) => name).join(', ');
  const what = `the client secret of ${names} is still kept on this machine`;
  if (flags.yes) return true;
  if (flags.noInput) {
    notice(`${what}; remove it with: weir cloud logout --clear-credentials${kept.length > 1 ? ' --all' : ''}`);
    return false;
  }
  const isWanted = await context.openEnded(() => askYesNo(context, `${what}. Remove it as well?`));
  signal.throwIfAborted();
  return isWanted;
}
