import { command, flag, toggle } from '../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import { isGiven } from '../../config/settings/secret-rule.ts';
import type { Context } from '../../context.ts';
import { path } from '../../kinds.ts';
import { row } from '../../shape/shape.ts';
import { ControlPlaneLogin } from '../../sign-in/control-plane/login-rows.ts';
import { showLoginPage } from '../open-browser.ts';

/** `cloud login` */
export const login = command({
  summary: 'Log in to the control plane',
  description: `Logs in as a service account if cloud.client_id is set, otherwise through a browser, which needs
cloud.device_client_id. Redpanda Cloud creates service accounts under Organization IAM. Prompts for the client
secret unless it is configured or read from standard input or a file. The token is kept in the state directory and
renewed as long as credentials are available. With --save, the client secret is kept there as well, so that later
commands do not need it in their configuration. A login is valid only for the addresses that it was made for.`,
  examples: [
    ['As a service account, with a prompt for its secret', 'cloud login -X cloud.client_id=ID --save'],
    ['With the secret from a file', 'cloud login -X cloud.client_id=ID --client-secret-file secret.txt'],
    ["Through a browser, with your organization's public client", 'cloud login -X cloud.device_client_id=ID'],
  ],
  apis: ['cloud'],
  flags: {
    save: toggle({ help: 'also keep the client id and secret' }),
    clientSecretStdin: toggle({ help: 'read the client secret from standard input' }),
    clientSecretFile: flag(path, { help: 'read the client secret from a file' }),
    noProfile: toggle({ help: 'ignored: a login creates no profile', hidden: true }),
    browser: toggle({ fallback: true, help: 'open a browser; --no-browser only prints the address' }),
  },
  changes: 'alters',
  result: row({ ...ControlPlaneLogin.fields, ...outcomeFields }),
  async run(context, { save, browser, dryRun, clientSecretStdin: stdin, clientSecretFile: file }) {
    const cloud = await context.cloud();
    if (dryRun) return { ...noLogin, api_url: cloud.addresses.apiUrl, ...outcomeOf({}, true) };
    const clientSecret = await secretOf(context, { stdin, file });
    const places = await placesOf(context);
    const login = await cloud.logins.login({
      save,
      clientSecret,
      onPrompt(prompt) {
        context.notice(`logging in to ${places}`);
        showLoginPage(context, prompt, browser);
      },
    });
    return { ...login, ...outcomeOf({}, false) };
  },
  show: {
    text: ({ name, organization, api_url: url }) =>
      name === ''
        ? `Would log in to ${url}\n`
        : `Logged in to ${url} as "${name}"${organization === '' ? '' : `, organization ${organization}`}.\n`,
  },
});

/** Where the secret or the code of a login goes, and its token. */
async function placesOf(context: Context): Promise<string> {
  const config = await context.config();
  const legacy = config.setting('cloud.legacy_url');
  const auth = config.get('cloud.auth_url');
  const apis = [config.get('cloud.api_url'), ...(legacy.source === 'default' ? [] : [legacy.value])];
  const others = [...new Set(apis)].filter((url) => url !== auth);
  return others.length === 0 ? auth : `${auth} (its token is sent to ${others.join(' and ')})`;
}

/** The client secret, if it is not configured; undefined if it is, or if there is no client id. */
async function secretOf(
  context: Context,
  given: { readonly stdin: boolean; readonly file: string | undefined },
): Promise<string | undefined> {
  const config = await context.config();
  const isPassed = given.stdin || given.file !== undefined;
  const clientId = config.get('cloud.client_id');
  const configured = config.setting('cloud.client_secret');
  if (!isPassed && (clientId === '' || isGiven(configured))) return undefined;
  const flags = { stdin: '--client-secret-stdin', file: '--client-secret-file' };
  const what = clientId === '' ? 'client secret' : `client secret of ${clientId}`;
  const { readSecret } = await import('../../cli/secret.ts');
  return await readSecret(context, { what, where: ` for ${await placesOf(context)}`, ...given, flags });
}

const noLogin: Omit<ControlPlaneLogin, 'api_url'> = {
  name: '',
  kind: 'client-credentials',
  organization: '',
  organization_id: '',
  client_id: '',
  secret_kept: false,
  expires_at: null,
  current: false,
};
