import { command, flag } from '../../../cli/command.ts';
import type { NewServiceAccount } from '../../../cloud/rows.ts';
import type { OptionKey } from '../../../config/options.ts';
import type { Context } from '../../../context.ts';
import { CliError } from '../../../errors.ts';
import { text } from '../../../kinds.ts';
import { bodyFlags, fileFlag, readBody } from '../body.ts';
import { changeOutput, plan } from '../change.ts';
import { serviceAccountShape } from '../shapes.ts';
import { serviceAccountView } from '../views.ts';

/** `cloud service-account create` */
export const create = command({
  summary: 'Create an account for a program and show its secret, once',
  description: `The client id and secret are told this one time: keep them, or let --save-profile do it. The account has
the role Admin for everything in the organization.`,
  examples: [
    ['An account for a pipeline', 'cloud service-account create --name pipeline --description "for CI"'],
    ['Its credentials go into a profile', 'cloud service-account create --name pipeline --save-profile ci'],
  ],
  apis: ['cloud'],
  flags: {
    ...bodyFlags(serviceAccountShape),
    file: fileFlag,
    saveProfile: flag(text, { help: 'keep the credentials in this profile, which is made where there is none' }),
  },
  changes: 'creates',
  async run(context, values) {
    const body = await readBody(context, serviceAccountShape, values);
    if (values.dryRun) return await plan(context, 'POST', '/v1/service-accounts', { body: { service_account: body } });
    // A profile file that cannot be used is found out before there is a secret to lose.
    if (values.saveProfile !== undefined) await (await context.profiles()).names();
    const made = await (await context.cloud()).createServiceAccount(body);
    if (values.saveProfile !== undefined) await save(context, made, values.saveProfile);
    return made;
  },
  output: changeOutput(serviceAccountView),
});

/** Where the control plane is, as far as it is not the usual one: credentials are good for nothing elsewhere. */
const placeKeys: readonly OptionKey[] = ['cloud.api_url', 'cloud.auth_url', 'cloud.audience', 'cloud.legacy_url'];

async function save(context: Context, made: NewServiceAccount, profile: string): Promise<void> {
  const config = await context.config();
  const place = placeKeys.map((key) => config.setting(key)).filter(({ source }) => source !== 'default');
  const options = {
    ...Object.fromEntries(place.map(({ key, value }) => [key, String(value)])),
    'cloud.client_id': made.client_id,
    'cloud.client_secret': made.client_secret,
  };
  try {
    const description = `credentials of the service account ${made.name}`;
    await (await context.profiles()).set({ name: profile, description, options });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The account exists and its secret is told once: better shown with a warning than lost.
    context.warn(`the credentials are not in the profile "${profile}": ${error.message}`);
    return;
  }
  context.notice(`the credentials are in the profile "${profile}": use it with --profile ${profile}`);
}
