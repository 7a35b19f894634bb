import { command, flag, optional, toggle } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import type { Cluster, Fields } from '../../../cloud/rows.ts';
import type { Config } from '../../../config/config.ts';
import { checkProfileName } from '../../../config/sources/assignments.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { pairs } from '../../../format/table.ts';
import { text } from '../../../kinds.ts';
import { isLocal, parseAddress } from '../../../net/address.ts';
import { chooseCluster, idOf } from '../find-id.ts';
import { identifier } from '../identifier.ts';

interface SelectedRow {
  readonly profile: string;
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly brokers: readonly string[];
  readonly registry: string | null;
  readonly replaced: boolean;
}

/** `cloud cluster select` */
export const select = command({
  summary: 'Make a profile from the addresses of a cluster and select it',
  description: `The profile has the cluster's brokers and registry, with TLS, and how the control plane is reached, as far as
that is in the profile in use, except for the client secret. The profile refers to the login kept by "weir cloud login".
Its name is the cluster's unless --name gives another.`,
  examples: [
    ['A cluster, by its name', 'cloud cluster select first'],
    ['One of a list, chosen on the terminal', 'cloud cluster select'],
    [
      'Under another name, in place of one that is there',
      'cloud cluster select cjb5vehc4vs19qc11pjg --name prod --replace',
    ],
  ],
  aliases: ['use'],
  apis: ['cloud'],
  args: { id: optional(identifier, 'ID', 'id or name of the cluster; asked for on a terminal when left out') },
  flags: {
    name: flag(text, { help: "name of the profile; the cluster's unless said" }),
    replace: toggle({ help: 'replace a profile of that name' }),
  },
  changes: 'creates',
  async run(context, { id: word, name, replace, dryRun }): Promise<SelectedRow> {
    const id = word === undefined ? await chooseCluster(context) : await idOf(context, 'cluster', word);
    const cluster = await (await context.cloud()).getCluster(id);
    const brokers = brokersOf(cluster);
    const registry = urlOf(cluster.schema_registry);
    const profile = name ?? cluster.name;
    checkProfileName(profile);
    const profiles = await context.profiles();
    const replaced = (await profiles.names()).names.includes(profile);
    if (replaced && !replace) throw taken(profile);
    if (!dryRun) {
      const options = await optionsOf(context, brokers, registry);
      await profiles.put({ name: profile, description: `cloud cluster ${printable(cluster.name)} (${id})`, options });
      context.notice(
        `the profile "${profile}" is selected now; if the cluster asks for a user, add one with: weir profile set user=NAME pass`,
      );
    }
    return { profile, cluster_id: id, cluster_name: cluster.name, brokers, registry: registry ?? null, replaced };
  },
  output: {
    schema: object({
      profile: string,
      cluster_id: string,
      cluster_name: string,
      brokers: arrayOf(string),
      registry: nullable(string),
      replaced: booleanSchema,
    }),
    text: ({ profile, brokers, registry }, view) =>
      pairs(
        [
          ['profile', profile],
          ['brokers', brokers.join(',')],
          ['registry', registry],
        ],
        view,
      ),
  },
});

function brokersOf({ id, state, kafka_api: api }: Cluster): readonly string[] {
  const brokers = fields(api).seed_brokers;
  const found = Array.isArray(brokers) ? brokers.filter((one) => typeof one === 'string') : [];
  if (found.length > 0) return found;
  throw new CliError(exitCodes.conflict, `unable to select the cluster ${id}: it has no addresses yet (${state})`, {
    code: 'CLUSTER_NOT_READY',
    target: id,
    hints: [`see what is going on: weir cloud operation list --resource-id ${id}`],
  });
}

async function optionsOf(context: Context, brokers: readonly string[], registry: string | undefined) {
  const config = await context.config();
  const isSecret = (key: string) => key === 'cloud.client_secret';
  const ofCloud = config.settings.filter(({ key, source }) => key.startsWith('cloud.') && source === 'profile');
  const kept = ofCloud.filter(({ key }) => !isSecret(key));
  if (kept.length < ofCloud.length) context.notice(secretStays);
  return {
    brokers: brokers.join(','),
    ...accessOf(config, brokers),
    ...(registry === undefined ? {} : { 'registry.hosts': registry }),
    ...Object.fromEntries(kept.map(({ key, value }) => [key, String(value)])),
  };
}

/**
 * Clusters are reached with TLS. Brokers on this machine are those of a simulated control plane: they are reached as
 * the profile in use says.
 */
function accessOf({ settings }: Config, brokers: readonly string[]): Readonly<Record<string, string>> {
  const isLocalBroker = (broker: string) => isLocal(parseAddress(broker, { defaultPort: 9092, scheme: 'none' }));
  if (!brokers.every(isLocalBroker)) return { 'tls.enabled': 'true' };
  const kept = settings.filter(({ key, source }) => source === 'profile' && /^(tls\.|user$|pass$|sasl\.)/.test(key));
  return Object.fromEntries(kept.map(({ key, value }) => [key, String(value)]));
}
const secretStays =
  'the client secret was not copied into the new profile, which refers to the login: keep one with: weir cloud login --save';

function taken(profile: string): CliError {
  return new CliError(exitCodes.conflict, `there is a profile "${profile}" already`, {
    code: 'PROFILE_EXISTS',
    target: profile,
    hints: ['choose another name with --name NAME, or replace it with --replace'],
  });
}

function urlOf(part: unknown): string | undefined {
  const { url } = fields(part);
  return typeof url === 'string' && url !== '' ? url : undefined;
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
