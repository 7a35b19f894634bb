import { flag, optional, toggle, type ValuesOf } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { typedWord } from '../../../cloud/api/cloud-words.ts';
import type { Cluster } from '../../../cloud/cloud-rows.ts';
import type { Config } from '../../../config/config.ts';
import { sandboxOf } from '../../../config/profile/sandbox-mark.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, invalidError, missingError, usageError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { commandText } from '../../../format/shell-word.ts';
import { pairs, table } from '../../../format/table.ts';
import { text } from '../../../kinds.ts';
import { parseAddress, showHostPort } from '../../../net/address.ts';
import { at, filled, fitting, listOf, maybe, type RowOf, read, row, string, truth } from '../../../shape/shape.ts';
import { clusters, readOne } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { byName } from '../list-filters.ts';
import { describeProfile } from './profile-of-cluster.ts';

const SelectedCluster = row({
  profile: string,
  cluster_id: string,
  cluster_name: string,
  brokers: listOf(string),
  registry: maybe(string),
  replaced: truth,
});
type SelectedCluster = RowOf<typeof SelectedCluster>;

const flags = {
  name: flag(text, { help: 'name of the profile (default: the name of the cluster)' }),
  replace: toggle({ help: 'replace an existing profile of that name' }),
};

/** `cloud cluster select` */
export const select = change({
  summary: 'Create a profile for a cluster and select it',
  description: `The profile contains the addresses of the cluster's brokers and schema registry, with TLS, and the settings for
the control plane from the profile in use, except the client secret: the profile refers to the login that "weir cloud
login" keeps. The profile has the name of the cluster unless --name sets another.`,
  examples: [
    ['A cluster, by its name', 'cloud cluster select first'],
    ['A cluster from a list on the terminal', 'cloud cluster select'],
    [
      'With another name, replacing an existing profile',
      'cloud cluster select cjb5vehc4vs19qc11pjg --name prod --replace',
    ],
  ],
  aliases: ['use'],
  apis: ['cloud'],
  args: { id: optional(clusterWord, 'ID', 'id or name of the cluster (default: a choice on the terminal)') },
  flags,
  changes: 'creates',
  noun: 'cluster',
  isOne: true,
  item: SelectedCluster,
  async plan(context, { id: word, ...choice }) {
    const cluster = word === undefined ? await chooseCluster(context) : await readOne(context, clusters, word);
    return [await planSelection(context, cluster, choice)];
  },
  async applyEach(context, selection) {
    await applySelection(context, selection);
    return {};
  },
  text: (rows, view) =>
    rows
      .map(({ profile, brokers, registry }) =>
        pairs(
          [
            ['profile', profile],
            ['brokers', brokers.join(',')],
            ['registry', registry],
          ],
          view,
        ),
      )
      .join(''),
});

/**
 * Asks on the terminal for a cluster.
 * @throws CliError (exit 2) when no prompt is possible, or the answer names no cluster
 */
async function chooseCluster(context: Context): Promise<Cluster> {
  if (context.flags.noInput) throw missingError('ID');
  const clusters = byName(await (await context.cloud()).listClusters());
  if (clusters.length === 0) {
    throw usageError('there is no cluster to select', { hints: ['create one with: weir cloud cluster create'] });
  }
  const rows = clusters.map(({ name, id, region }, at) => [at + 1, name, id, region]);
  const question = `${table(['', 'name', 'id', 'region'], rows)}Which cluster? [1-${clusters.length}] `;
  const { askLine } = await import('../../../cli/prompt.ts');
  const answer = await (await context.deadline()).openEnded(() => askLine(context, question));
  const chosen = clusters[Number(answer?.trim()) - 1] ?? clusters.find(({ name }) => name === answer?.trim());
  if (chosen !== undefined) return await (await context.cloud()).getCluster(chosen.id);
  throw invalidError(`invalid choice "${printable(answer?.trim() ?? '')}": it names no cluster of the list`);
}

/** Creates a profile for a cluster and selects it. @throws CliError if the cluster has no addresses, or the name is taken */
export async function selectCluster(context: Context, cluster: Cluster): Promise<void> {
  await applySelection(context, await planSelection(context, cluster, { name: undefined, replace: false }));
}

async function planSelection(
  context: Context,
  cluster: Cluster,
  { name, replace }: ValuesOf<typeof flags>,
): Promise<SelectedCluster> {
  const { brokers, registry } = read(addresses, cluster);
  checkBrokers(cluster, brokers);
  const profile = name ?? cluster.name;
  const { checkProfileName } = await import('../../../config/sources/assignments.ts');
  checkProfileName(profile);
  const replaced = (await (await context.profiles()).names()).names.includes(profile);
  if (replaced && !replace) throw takenError(profile);
  return { profile, cluster_id: cluster.id, cluster_name: cluster.name, brokers, registry, replaced };
}

async function applySelection(context: Context, selection: SelectedCluster): Promise<void> {
  const { profile, cluster_id: id, cluster_name: name } = selection;
  const options = await optionsOf(context, selection);
  await (await context.profiles()).put({ name: profile, description: describeProfile({ id, name }), options });
  context.noticeAfter(
    `profile "${profile}" is now selected; if the cluster requires a user, add one with: weir profile set user=NAME pass`,
  );
}

const brokerForm = { defaultPort: 9092, scheme: 'none' } as const;

/** Where clients connect to a cluster. */
const addresses = row({
  brokers: at('kafka_api.seed_brokers', fitting(string)),
  registry: at('schema_registry.url', maybe(filled)),
});

type Addresses = RowOf<typeof addresses>;

function checkBrokers({ id, state }: Cluster, brokers: readonly string[]): void {
  for (const one of brokers) checkBroker(id, one);
  if (brokers.length > 0) return;
  const shown = typedWord('state', state);
  throw new CliError(exitCodes.conflict, `unable to select the cluster ${id}: it has no addresses yet (${shown})`, {
    code: 'CLUSTER_NOT_READY',
    target: id,
    hints: [commandText`see its progress with: weir cloud operation list --resource-id ${id}`],
  });
}

/** Rejects an address that would make the profile unusable. */
function checkBroker(id: string, address: string): void {
  try {
    parseAddress(address, brokerForm);
  } catch (error) {
    // A password in it is not shown.
    const shown = address.replace(/^.*@/s, '…@');
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(
      exitCodes.failure,
      `unable to select the cluster ${id}: the control plane sent the broker address "${shown}": ${reason}`,
      { code: 'ADDRESS_INVALID', target: id, cause: error },
    );
  }
}

async function optionsOf(context: Context, given: Addresses) {
  const { brokers, registry } = given;
  const config = await context.config();
  const isSecret = (key: string) => key === 'cloud.client_secret';
  const ofCloud = config.settings.filter(({ key, source }) => key.startsWith('cloud.') && source === 'profile');
  const settings = ofCloud.filter(({ key }) => !isSecret(key));
  if (settings.length < ofCloud.length)
    context.noticeAfter((await isSecretKept(context, config)) ? secretKept : secretStays);
  return {
    brokers: brokers.join(','),
    ...(await accessOf(context, config, given)),
    ...(registry === null ? {} : { 'registry.hosts': registry }),
    ...Object.fromEntries(settings.map(({ key, value }) => [key, String(value)])),
  };
}

/**
 * The options to connect to the brokers: TLS, or what the sandbox in use was made with, if its own control plane names its
 * brokers. No other control plane may say where credentials go, whatever a profile says of itself.
 */
async function accessOf(
  context: Context,
  config: Config,
  { brokers, registry }: Addresses,
): Promise<Readonly<Record<string, string>>> {
  const name = sandboxOf(config);
  const sandbox = name === undefined ? undefined : await sandboxOptions(context, name);
  const isOwn =
    sandbox?.['cloud.api_url'] === config.get('cloud.api_url') && sameBrokers(sandbox.brokers ?? '', brokers.join(','));
  if (sandbox === undefined || !isOwn) return { 'tls.enabled': 'true' };
  const access = Object.entries(sandbox).filter(([key]) => /^(tls\.|user$|pass$|sasl\.)/.test(key));
  const isElsewhere = access.length > 0 && registry !== null && registry !== sandbox['registry.hosts'];
  return { ...Object.fromEntries(access), ...(isElsewhere ? { 'registry.user': '' } : {}) };
}

async function sandboxOptions(context: Context, name: string) {
  const { ownOptions } = await import('../../sandbox/own-options.ts');
  return await ownOptions(context, name);
}

function sameBrokers(configured: string, answered: string): boolean {
  const shown = (list: string) => list.split(',').map((one) => showHostPort(parseAddress(one, brokerForm)));
  return shown(answered).every((one) => shown(configured).includes(one));
}

/** Whether the current login keeps the secret of the configured client, so that the new profile works without it. */
async function isSecretKept(context: Context, config: Config): Promise<boolean> {
  const [clientId, apiUrl] = [config.get('cloud.client_id'), config.get('cloud.api_url')];
  const logins = await (await context.cloud()).logins.list();
  return logins.some((one) => one.current && one.secret_kept && one.client_id === clientId && one.api_url === apiUrl);
}

const secretKept = 'the client secret was not copied into the new profile, which uses the saved login';
const secretStays =
  'the client secret was not copied into the new profile, which refers to the login; save it with: weir cloud login --save';

function takenError(profile: string): CliError {
  return new CliError(exitCodes.conflict, `profile "${profile}" already exists`, {
    code: 'PROFILE_EXISTS',
    target: profile,
    hints: ['choose another name with --name NAME, or replace it with --replace'],
  });
}
