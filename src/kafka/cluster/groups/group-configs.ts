import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { configSources, describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import { incrementalAlterConfigs } from '../../protocol/wire/apis/incremental-alter-configs.ts';
import { writtenChange } from '../topics/alter-configs.ts';
import type { ConfigChange } from '../topics/topic-rows.ts';

/** The configs that were set on a group, by key, or why they could not be read. */
export interface GroupConfigs {
  readonly group: string;
  readonly set: ReadonlyMap<string, string>;
  readonly error: ItemError | null;
}

/** Changes of the configs of one group. */
export interface GroupAlteration {
  readonly group: string;
  readonly changes: readonly ConfigChange[];
}

const description = questionOf({
  api: describeConfigs,
  what: (group: string) => `read the configs of group "${group}"`,
  keyOf: (group) => group,
  request: (items: readonly string[]) => ({
    resources: items.map((resourceName) => ({
      resourceType: resourceTypes.group,
      resourceName,
      configurationKeys: undefined,
    })),
  }),
  rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
});

/** Reads what was set on groups, with one request; a group that does not exist can have configs as well (Kafka 4.0 and newer). */
export async function describeGroupConfigs(client: Client, groups: readonly string[]): Promise<GroupConfigs[]> {
  const outcomes = answered(await client.ask(description, groups));
  return outcomes.map((outcome) => {
    const own = (outcome.row?.configs ?? []).filter(
      ({ configSource }) => configSource === configSources.DYNAMIC_GROUP_CONFIG,
    );
    const set = own.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
    return { group: outcome.item, set: new Map(set), error: itemErrorOf(outcome) };
  });
}

/** Changes configs of groups with one request, and waits until a broker reports them; returns the error of each. */
export async function alterGroupConfigs(
  client: Client,
  alterations: readonly GroupAlteration[],
): Promise<readonly (ItemError | null)[]> {
  const outcomes = await client.ask(alteration(false), alterations);
  const errors = answered(outcomes).map(itemErrorOf);
  const done = alterations.filter((_, at) => errors[at] === null);
  await untilVisible(client, async () => {
    const configs = new Map(
      (
        await describeGroupConfigs(
          client,
          done.map(({ group }) => group),
        )
      ).map((one) => [one.group, one.set]),
    );
    return done.every(({ group, changes }) =>
      changes.every(({ key, value }) => configs.get(group)?.get(key) === value),
    );
  });
  return errors;
}

/** Lets the broker check changes without making them; returns the error of each. */
export async function checkGroupConfigs(
  client: Client,
  alterations: readonly GroupAlteration[],
): Promise<readonly (ItemError | null)[]> {
  return answered(await client.ask(alteration(true), alterations)).map(itemErrorOf);
}

function alteration(validateOnly: boolean) {
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: ({ group }: GroupAlteration) => `alter the configs of group "${group}"`,
    keyOf: ({ group }) => group,
    request: (items: readonly GroupAlteration[]) => ({
      resources: items.map(({ group, changes }) => ({
        resourceType: resourceTypes.group,
        resourceName: group,
        configs: changes.map(writtenChange),
      })),
      validateOnly,
    }),
    rows: ({ responses }) => responses.map((row) => [row.resourceName, row] as const),
  });
}
