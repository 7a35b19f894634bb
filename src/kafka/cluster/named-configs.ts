import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import type { Client } from '../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../protocol/client/question.ts';
import { untilVisible } from '../protocol/client/visibility.ts';
import { kafkaError, kafkaErrorText } from '../protocol/errors.ts';
import { configSources, describeConfigs, resourceTypes } from '../protocol/wire/apis/describe-configs.ts';
import { incrementalAlterConfigs } from '../protocol/wire/apis/incremental-alter-configs.ts';
import { listConfigResources } from '../protocol/wire/apis/list-config-resources.ts';
import { writtenChange } from './topics/alter-configs.ts';
import type { ConfigChange } from './topics/topic-rows.ts';

/**
 * The resources that are nothing but a name with configs, as far as their configs are concerned: a group can have some
 * before its first member (Kafka 4.0 and newer), and a subscription of client metrics is its configs (KIP-714).
 */
const resources = {
  group: {
    type: resourceTypes.group,
    source: configSources.DYNAMIC_GROUP_CONFIG,
    /** The versions of ListConfigResources that list them. */
    listedBy: [1, 1],
    one: (name: string) => `group "${name}"`,
    all: 'groups with configs',
  },
  clientMetrics: {
    type: resourceTypes.clientMetrics,
    source: configSources.DYNAMIC_CLIENT_METRICS_CONFIG,
    listedBy: [0, 1],
    one: (name: string) => `the client metrics "${name}"`,
    all: 'client metrics',
  },
} as const;

/** A type of such resources. */
export type NamedResource = keyof typeof resources;

/** The configs that were set on a resource, by key, or why they could not be read. */
export interface NamedConfigs {
  readonly name: string;
  readonly set: ReadonlyMap<string, string>;
  readonly error: ItemError | null;
}

/** Changes of the configs of one resource. */
export interface NamedAlteration {
  readonly name: string;
  readonly changes: readonly ConfigChange[];
}

/**
 * Lists the names of the resources of a type that have configs; undefined if the brokers do not list them, or not for
 * this principal (DESCRIBE_CONFIGS on the cluster is needed).
 */
export async function namesWithConfigs(client: Client, type: NamedResource): Promise<readonly string[] | undefined> {
  const { type: resourceType, listedBy, all } = resources[type];
  try {
    const api = { ...listConfigResources, versions: listedBy };
    const { errorCode, configResources } = await client.request(api, { resourceTypes: [resourceType] });
    if (errorCode !== 0) throw kafkaError(errorCode, `unable to list ${all}: ${kafkaErrorText(errorCode)}`);
    return configResources.filter((one) => one.resourceType === resourceType).map((one) => one.resourceName);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'UNSUPPORTED_VERSION' || error.exitCode === exitCodes.auth) return undefined;
    throw error;
  }
}

/** Reads what was set on resources, with one request. */
export async function describeNamedConfigs(
  client: Client,
  type: NamedResource,
  names: readonly string[],
): Promise<readonly NamedConfigs[]> {
  const outcomes = answered(await client.ask(description(type), names));
  return outcomes.map((outcome) => {
    const own = (outcome.row?.configs ?? []).filter(({ configSource }) => configSource === resources[type].source);
    const set = own.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
    return { name: outcome.item, set: new Map(set), error: itemErrorOf(outcome) };
  });
}

function description(type: NamedResource) {
  return questionOf({
    api: describeConfigs,
    what: (name: string) => `read the configs of ${resources[type].one(name)}`,
    keyOf: (name) => name,
    request: (items: readonly string[]) => ({
      resources: items.map((resourceName) => ({
        resourceType: resources[type].type,
        resourceName,
        configurationKeys: undefined,
      })),
    }),
    rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
  });
}

/** Changes configs of resources with one request, and waits until a broker reports them; returns the error of each. */
export async function alterNamedConfigs(
  client: Client,
  type: NamedResource,
  alterations: readonly NamedAlteration[],
): Promise<readonly (ItemError | null)[]> {
  const outcomes = await client.ask(alteration(type, false), alterations);
  const errors = answered(outcomes).map(itemErrorOf);
  const done = alterations.filter((_, at) => errors[at] === null);
  const names = done.map(({ name }) => name);
  await untilVisible(client, async () => {
    const described = await describeNamedConfigs(client, type, names);
    const configs = new Map(described.map((one) => [one.name, one.set]));
    return done.every(({ name, changes }) => changes.every(({ key, value }) => configs.get(name)?.get(key) === value));
  });
  return errors;
}

/** Lets the broker check changes without making them; returns the error of each. */
export async function checkNamedConfigs(
  client: Client,
  type: NamedResource,
  alterations: readonly NamedAlteration[],
): Promise<readonly (ItemError | null)[]> {
  return answered(await client.ask(alteration(type, true), alterations)).map(itemErrorOf);
}

function alteration(type: NamedResource, validateOnly: boolean) {
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: ({ name }: NamedAlteration) => `alter the configs of ${resources[type].one(name)}`,
    keyOf: ({ name }) => name,
    request: (items: readonly NamedAlteration[]) => ({
      resources: items.map(({ name, changes }) => ({
        resourceType: resources[type].type,
        resourceName: name,
        configs: changes.map(writtenChange),
      })),
      validateOnly,
    }),
    rows: ({ responses }) => responses.map((row) => [row.resourceName, row] as const),
  });
}
