import type { Client } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import { type DescribedConfig, describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';

/** The settings that decide besides the ACLs; undefined if the brokers do not show them. */
export interface AccessSettings {
  readonly hasAuthorizer: boolean;
  readonly superUsers: readonly string[] | undefined;
  /** `allow.everyone.if.no.acl.found` */
  readonly allowsUnlisted: boolean | undefined;
}

const keys = {
  authorizer: 'authorizer.class.name',
  superUsers: 'super.users',
  allows: 'allow.everyone.if.no.acl.found',
};

const brokerConfigs = questionOf({
  api: describeConfigs,
  what: (node: number) => `read the configs of broker ${node}`,
  target: (node) => ({ node }),
  keyOf: String,
  request: (items) => ({
    resources: items.map((item) => ({
      resourceType: resourceTypes.broker,
      resourceName: String(item),
      configurationKeys: Object.values(keys),
    })),
  }),
  rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
});

/**
 * Reads the settings of the first broker. They are shown only to principals who may describe the configs of the cluster,
 * and Kafka hides the values of settings that belong to an authorizer: it reports only that they are set.
 */
export async function readAccessSettings(client: Client): Promise<AccessSettings> {
  const { brokers } = await client.metadata([]);
  const [first] = brokers.map(({ id }) => id).sort((a, b) => a - b);
  const outcomes = first === undefined ? [] : await client.ask(brokerConfigs, [first], 'once');
  const configs = new Map((outcomes[0]?.row?.configs ?? []).map((config) => [config.name, config]));
  return settingsIn(configs);
}

/** The settings in the configs of a broker, by key. */
export function settingsIn(configs: ReadonlyMap<string, DescribedConfig>): AccessSettings {
  const authorizer = configs.get(keys.authorizer);
  // Without this key, the broker is another implementation, or it refused to describe itself.
  if (authorizer === undefined) return { hasAuthorizer: true, superUsers: undefined, allowsUnlisted: undefined };
  const [superUsers, allows] = [configs.get(keys.superUsers), configs.get(keys.allows)];
  return {
    hasAuthorizer: authorizer.value !== '',
    superUsers: superUsers === undefined ? [] : superUsers.value?.split(';').map((user) => user.trim()),
    allowsUnlisted: allows === undefined ? false : isTrue(allows.value),
  };
}

function isTrue(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value.trim().toLowerCase() === 'true';
}
