import { partlyShown, toggle } from '../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import { isGiven } from '../../config/settings/secret-rule.ts';
import type { Context } from '../../context.ts';
import { stoppedError } from '../../errors.ts';
import { listOf, nothing, type RowOf, row } from '../../shape/shape.ts';
import { ControlPlaneLogin } from '../../sign-in/control-plane/login-rows.ts';

// A logout fails as a whole.
const EndedLogin = row({ ...ControlPlaneLogin.fields, ...outcomeFields, error: nothing });
type EndedLogin = RowOf<typeof EndedLogin>;

/** The logins that are or would be ended. */
interface LoggedOut {
  readonly rows: readonly EndedLogin[];
  /** Whether one of them had a token. */
  readonly hadToken: boolean;
}

/** `cloud logout` */
export const logout = partlyShown({
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
  result: listOf(EndedLogin),
  async plan(context, { all }): Promise<LoggedOut> {
    const logins = await (await context.cloud()).logins.list();
    const rows = logins.filter(({ current }) => all || current).map(ended);
    return { rows, hadToken: rows.some((row) => row.expires_at !== null) };
  },
  dryRun: (_context, { clearCredentials }, { rows, hadToken }) => ({
    rows: rows.map((row) => ({ ...row, secret_kept: row.secret_kept && !clearCredentials, dry_run: true })),
    hadToken,
  }),
  async run(context, { all, clearCredentials }, { hadToken }) {
    const { logins } = await context.cloud();
    const rows = (await logins.logout({ all, clear: clearCredentials })).map(ended);
    await noticeCredentials(context);
    const withSecret = clearCredentials ? [] : rows.filter((row) => row.secret_kept);
    if (withSecret.length === 0) return { rows, hadToken };
    if (!(await offerRemoval(context, withSecret))) return { rows, hadToken };
    for (const { name } of withSecret) await logins.delete(name);
    return { rows: rows.map((row) => ({ ...row, secret_kept: false })), hadToken };
  },
  show: {
    json: ({ rows }) => rows,
    text({ rows, hadToken }, _view, { dryRun }) {
      if (rows.length === 0) return 'You are not logged in.\n';
      if (!rows.some((row) => row.secret_kept))
        return dryRun ? 'You would be logged out.\n' : 'You are now logged out.\n';
      if (!hadToken) return 'There is no token.\n';
      return dryRun ? 'The token would be removed.\n' : 'The token was removed.\n';
    },
  },
});

function ended(login: ControlPlaneLogin): EndedLogin {
  return { ...login, ...outcomeOf({}, false), error: null };
}

/** Says that the configuration has credentials, with which the next command logs in again. */
async function noticeCredentials(context: Context): Promise<void> {
  const config = await context.config();
  const secret = config.setting('cloud.client_secret');
  if (config.get('cloud.client_id') === '' || !isGiven(secret)) return;
  context.notice(`commands still log in with the service account of cloud.client_id (secret from ${secret.origin})`);
}

/** Reports client secrets that are still kept and, if a prompt is possible, offers to remove them. */
async function offerRemoval(context: Context, withSecret: readonly ControlPlaneLogin[]): Promise<boolean> {
  const { flags, signal, notice } = context;
  const names = withSecret.map(({ name }) => name).join(', ');
  const what = `the client secret of ${names} is still kept on this machine`;
  const removal = `remove it with: weir cloud logout --clear-credentials${withSecret.length > 1 ? ' --all' : ''}`;
  if (flags.yes) return true;
  if (flags.noInput) {
    notice(`${what}; ${removal}`);
    return false;
  }
  context.onInterrupt(stoppedError(`logged out; ${what}`, [removal]));
  const { askYesNo } = await import('../../cli/prompt.ts');
  const isWanted = await context.openEnded(() => askYesNo(context, `${what}. Remove it as well?`));
  signal.throwIfAborted();
  return isWanted;
}
