import type { Admin } from '../../admin/open.ts';
import { type ChosenApi, chooseApi } from '../../cli/by-api.ts';
import type { Context } from '../../context.ts';
import { count } from '../../format/count.ts';
import { showTopic } from '../../format/partition-name.ts';
import type { Kafka } from '../../kafka/open.ts';
import type { AdminSubject, ClusterSubject } from '../../kinds.ts';
import { showAddress } from '../../net/address.ts';
import { byName } from '../cloud/list-filters.ts';
import type { Name } from './name-cache.ts';

/** Asks an API of a cluster for the names of one kind; sorted. */
export type Ask = (context: Context) => Promise<readonly Name[]>;

/** What `weir __complete` asks a cluster for, by the word for it. */
export const clusterSubjects: ReadonlyMap<string, Ask> = new Map(
  Object.entries({
    topics: async ({ kafka }) =>
      (await (await kafka()).listTopics({ topics: [], regex: false, internal: true })).map(
        ({ name, partitions }): Name => {
          return [name, count(partitions, 'partition')];
        },
      ),
    groups: async ({ kafka }) => await listGroups(await kafka()),
    users: (context) => listUsers(context),
    'admin-users': (context) => listUsers(context, 'admin'),
    'kafka-users': (context) => listUsers(context, 'kafka'),
    roles: async ({ admin }) => await (await admin()).roles(),
    brokers: async ({ kafka }) =>
      (await (await kafka()).clusterInfo('none')).brokers.map(
        ({ id, host, port }): Name => [String(id), showAddress({ host, port })],
      ),
    configs: (context) => configKeys(context),
    'admin-configs': (context) => configKeys(context, 'admin'),
    'kafka-configs': (context) => configKeys(context, 'kafka'),
    'admin-brokers': async ({ admin }) => (await brokerIds(await admin())).map(String),
    'admin-topics': async ({ admin }) => adminTopics(await admin()),
    subjects: async ({ registry }) => await (await registry()).subjects(false),
    migrations: async ({ admin }) =>
      (await (await admin()).migrations()).map(({ id, type, state }): Name => [String(id), `${type}, ${state}`]),
    'mountable-topics': async ({ admin }) => mountableTopics(await admin()),
    'bundle-jobs': async ({ admin }) => bundleJobs(await admin()),
    'cloud-clusters': async ({ cloud }) => byName(await (await cloud()).listClusters()).map(nameAndState),
    'cloud-networks': async ({ cloud }) => byName(await (await cloud()).listNetworks()).map(nameAndState),
    'resource-groups': async ({ cloud }) => byName(await (await cloud()).listResourceGroups()).map(({ name }) => name),
    transforms: async ({ admin }) =>
      (await (await admin()).transforms()).map(({ name, input_topic: input }): Name => [name, `reads ${input}`]),
    'shadow-links': async ({ admin }) =>
      (await (await admin()).shadowLinks()).map(({ name, state, topics }): Name => {
        return [name, `${state?.toLowerCase() ?? 'unknown'}, ${count(topics.length, 'topic')}`];
      }),
  } satisfies Record<`${ClusterSubject | AdminSubject}s` | `${ChosenApi}-${'users' | 'configs'}`, Ask>),
);

function nameAndState({ name, state }: { readonly name: string; readonly state: string }): Name {
  return [name, state.replace(/^STATE_/, '').toLowerCase()];
}

async function listUsers(context: Context, api?: ChosenApi): Promise<readonly Name[]> {
  if ((await chooseApi(context, api)) === 'admin') return await (await context.admin()).users();
  return (await (await context.kafka()).listUsers('all')).map(({ user, credentials }): Name => {
    return [user, credentials.map(({ mechanism }) => mechanism).join(', ')];
  });
}

async function configKeys(context: Context, api?: ChosenApi): Promise<readonly Name[]> {
  if ((await chooseApi(context, api)) === 'admin') {
    const properties = (await (await context.admin()).configSchema()).values();
    return [...properties].map(({ name, description }): Name => [name, firstSentence(description)]);
  }
  const rows = await (await context.kafka()).describeBrokerConfigs({ scope: undefined, key: undefined });
  return [...new Set(rows.flatMap(({ key }) => key ?? []))].sort();
}

async function adminTopics(admin: Admin): Promise<readonly string[]> {
  return [...new Set((await admin.allPartitions()).map(showTopic))].sort();
}

/** The names; of topics that share one, the locations, because only these tell them apart. */
async function mountableTopics(admin: Admin): Promise<readonly string[]> {
  const byName = Map.groupBy(await admin.mountableTopics(), showTopic);
  return [...byName].flatMap(([name, topics]) =>
    topics.length === 1
      ? [name]
      : topics.map(({ namespace, topic_location: location }) => showTopic({ namespace, topic: location })),
  );
}

/** With one request, unlike the list of brokers. */
async function brokerIds(admin: Admin): Promise<readonly number[]> {
  return (await admin.maintenance()).map(({ id }) => id);
}

async function bundleJobs(admin: Admin): Promise<readonly string[]> {
  const answers = await admin.bundles(await brokerIds(admin));
  const jobs = new Set(answers.flatMap(({ state }) => state?.job_id ?? []));
  // The jobs of the brokers that answered are better than none.
  if (jobs.size === 0 && answers.some(({ error }) => error !== null)) throw new Error('no broker has said its job');
  return [...jobs].sort();
}

/** Of a description that may have paragraphs. */
function firstSentence(text: string): string {
  return /^.*?(?=\.(?:\s|$)|\n|$)/.exec(text)?.[0] ?? '';
}

async function listGroups(kafka: Kafka): Promise<readonly Name[]> {
  const rows = await kafka.listGroups({ states: [], types: [] });
  const names = rows.flatMap(({ group, state }): readonly Name[] => {
    return group === null ? [] : [state === null ? group : [group, state]];
  });
  // The groups of the brokers that answered are better than none.
  if (names.length === 0 && rows.some(({ error }) => error !== null)) throw new Error('no broker listed its groups');
  return names;
}
