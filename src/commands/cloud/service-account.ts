import { flag, noun } from '../../cli/command.ts';
import { type NewServiceAccount, pathOfAll, serviceAccount as resource } from '../../cloud/cloud-rows.ts';
import type { OptionKey } from '../../config/options.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { text } from '../../kinds.ts';
import { bodyFlags, fileFlag, readBody } from './body.ts';
import { cloudChange } from './change.ts';
import { serviceAccounts } from './find-id.ts';
import { identifier } from './kinds.ts';
import { deleteResource, getResource, listResources } from './resource-verbs.ts';
import { serviceAccountShape } from './shapes.ts';
import { serviceAccountView } from './views.ts';

const verbs = { resource, findable: serviceAccounts, word: [identifier, 'id or name of the service account'] } as const;

const create = cloudChange({
  summary: 'Create an account for a program and show its secret',
  description: `The client secret is shown only this once: save it, or use --save-profile. The account has the role Admin for
everything in the organization.`,
  examples: [
    ['An account for a pipeline', 'cloud service-account create --name pipeline --description "for CI"'],
    ['Save its credentials in a profile', 'cloud service-account create --name pipeline --save-profile ci'],
  ],
  flags: {
    ...bodyFlags(serviceAccountShape),
    file: fileFlag,
    saveProfile: flag(text, { help: 'save the credentials in this profile, which is created if it does not exist' }),
  },
  changes: 'creates',
  resource,
  async plan(context, values) {
    const body = await readBody(context, serviceAccountShape, values);
    if (values.saveProfile !== undefined) {
      const { checkProfileName } = await import('../../config/sources/assignments.ts');
      checkProfileName(values.saveProfile);
    }
    return body;
  },
  request: (body) => ({ method: 'POST', path: pathOfAll(resource), body: { service_account: body } }),
  async apply(context, body, { saveProfile }) {
    // Reports an unusable profile file before there is a secret to lose.
    if (saveProfile !== undefined) await (await context.profiles()).names();
    const made = await (await context.cloud()).createServiceAccount(body);
    if (saveProfile !== undefined) await save(context, made, saveProfile);
    return made;
  },
});

/** The addresses of the control plane, also the defaults, because the profile may have others: credentials are valid only there. */
const placeKeys: readonly OptionKey[] = ['cloud.api_url', 'cloud.auth_url', 'cloud.audience', 'cloud.legacy_url'];

async function save(context: Context, made: NewServiceAccount, profile: string): Promise<void> {
  const config = await context.config();
  const place = placeKeys.map((key) => config.setting(key));
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
    // The account exists, and its secret is shown only once: better a warning than a lost secret.
    context.warn(`unable to save the credentials in profile "${profile}": ${error.message}`);
    return;
  }
  context.noticeAfter(`the credentials are saved in profile "${profile}"; use it with: --profile ${profile}`);
}

/** `cloud service-account` */
export const serviceAccount = noun({
  summary: 'Create, list and delete accounts for programs',
  commands: {
    create,
    list: listResources(serviceAccountView, {
      summary: 'List the service accounts',
      examples: [
        ['All service accounts', 'cloud service-account list'],
        ['As data', 'cloud service-account list --format json'],
      ],
      read: (cloud) => cloud.listServiceAccounts(),
    }),
    get: getResource(verbs, {
      examples: [
        ['By its id', 'cloud service-account get cjb5uh9c4vs1td8emmcg'],
        ['As data', 'cloud service-account get cjb5uh9c4vs1td8emmcg --format json'],
      ],
    }),
    delete: deleteResource(
      verbs,
      {
        description: 'Its client secret and its role bindings stop working at once.',
        examples: [
          ['By its name', 'cloud service-account delete pipeline'],
          ['By its id, without a prompt', 'cloud service-account delete cjb5uh9c4vs1td8emmcg --yes'],
        ],
      },
      (cloud, id) => cloud.deleteServiceAccount(id),
    ),
  },
});
