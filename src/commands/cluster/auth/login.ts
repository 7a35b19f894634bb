import { toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { SignIn } from '../../../sign-in/cluster/sign-in-rows.ts';
import { showLoginPage } from '../../open-browser.ts';
import { signInText } from './status.ts';

/** `cluster auth login` */
export const login = change({
  summary: 'Get a new OAuth token for the cluster and keep it',
  description: `How is set in oauth.grant: through a browser on any machine (device_code) or on this one (authorization_code), or with
the credentials of a program, which other commands also do by themselves. The token is kept in the state directory, and
renewed if the issuer allows it (many require the scope offline_access). It is valid only for the issuer, the client and
the addresses that it was made for.`,
  examples: [
    ['Through a browser on any machine', 'cluster auth login -X oauth.grant=device_code'],
    ['Print the address only', 'cluster auth login -X oauth.grant=authorization_code --no-browser'],
  ],
  apis: [],
  flags: {
    browser: toggle({ fallback: true, help: 'open a browser; --no-browser only prints the address' }),
  },
  changes: 'alters',
  noun: 'login',
  isOne: true,
  item: SignIn,
  plan: async (context) => [await (await context.oauth()).logins.status()],
  async applyEach(context, _login, { browser }) {
    const { logins } = await context.oauth();
    const login = await logins.login((prompt) => {
      context.notice(`the token will be sent to ${prompt.sentTo}`);
      showLoginPage(context, prompt, browser);
    });
    const mechanism = (await context.config()).get('sasl.mechanism');
    if (mechanism !== 'OAUTHBEARER') context.noticeAfter('set sasl.mechanism=OAUTHBEARER to use the token');
    return login;
  },
  text: (logins, view) =>
    logins.map((one) => (one.dry_run ? `Would log in to ${one.issuer}\n` : signInText(one, view))).join(''),
});
