import { command, toggle } from '../../cli/command.ts';
import type { DevicePrompt } from '../../cloud/auth/logins.ts';
import type { Context } from '../../context.ts';
import { tellRoughTime } from '../../format/rough-time.ts';
import { loginSchema } from './auth/login-view.ts';

/** `cloud login` */
export const login = command({
  summary: 'Log in to the control plane',
  description: `With credentials of a service account (cloud.client_id and cloud.client_secret) or, without them, through a
browser. The token is kept in the state directory and renewed as long as there are credentials; --save keeps the
client secret there too, so that later commands need none in their configuration.`,
  examples: [
    ['Through a browser', 'cloud login'],
    ['As a service account', 'cloud login -X cloud.client_id=ID -X cloud.client_secret=SECRET --save'],
  ],
  apis: ['cloud'],
  flags: {
    save: toggle({ help: 'keep the client id and secret as well' }),
    browser: toggle({ fallback: true, help: 'open a browser; --no-browser only prints the page' }),
  },
  changes: 'alters',
  async run(context, { save, browser, dryRun }) {
    const cloud = await context.cloud();
    if (dryRun) return { ...nobody, api_url: cloud.place.apiUrl };
    return await cloud.logins.login({ save, onPrompt: (prompt) => show(context, prompt, browser) });
  },
  output: {
    schema: loginSchema,
    text: ({ name, organization, api_url: url }) =>
      name === ''
        ? `Would log in to ${url}\n`
        : `Logged in to ${url} as "${name}"${organization === '' ? '' : `, organization ${organization}`}.\n`,
  },
});

const nobody = {
  name: '',
  kind: 'client-credentials' as const,
  organization: '',
  organization_id: '',
  client_id: '',
  expires_at: null,
  current: false,
};

function show(context: Context, { verificationUrl, userCode, expiresInMs }: DevicePrompt, browser: boolean): void {
  context.notice(`open ${verificationUrl} and check the code ${userCode} (good for ${tellRoughTime(expiresInMs)})`);
  if (browser && !context.flags.noInput) void openBrowser(context, verificationUrl);
}

/** Opens the page; where that fails, the person has its address already. */
async function openBrowser({ host, step }: Context, url: string): Promise<void> {
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [file, ...args] = openers[host.platform] ?? ['xdg-open'];
  await host.spawn(file, [...args, url], { stdio: 'capture' }).catch(() => step(`${file} did not start`));
}
