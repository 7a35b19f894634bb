import { command, flag, one, optional, toggle } from '../../../cli/command.ts';
import { booleanSchema, integerSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { notFoundError, usageError } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import type { ConfigScope } from '../../../kafka/cluster/broker-config-rows.ts';
import { brokerId, configKey, text } from '../../../kinds.ts';
import { apiFlag, apiHelp, type ChosenApi, chooseApi } from '../../api-choice.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { refuseBroker } from './admin-configs.ts';
import { brokerText, listHints, sensitiveText } from './config-text.ts';
import { setProperty } from './set-property.ts';

/** A config that was changed; a value is null if it is unset, secret or unknown. */
export interface SetRow {
  readonly broker: number | null;
  readonly key: string;
  readonly old: string | null;
  readonly new: string | null;
  /** Whether the values are secret; they are null then. */
  readonly sensitive: boolean;
}

/** Keys whose values brokers do not show either. */
const secretKey = /password|secret|jaas/i;

/** `cluster config set` */
export const set = command({
  summary: 'Set a config of brokers while they run, or a property of a Redpanda cluster',
  description: `Without --broker, sets the default for the whole cluster. A value that is set on one broker overrides it. With
--reset, removes the value, so that the next source applies: the default of the cluster, the file of the broker, or the
built-in default. Read-only configs must be changed in the file of each broker.

OLD and NEW are the values in use on the broker, or, without --broker, the default that is set for the whole cluster.

Brokers accept unknown keys silently. weir refuses them unless --force is given.

On a Redpanda cluster, sets a property of the whole cluster. OLD and NEW are then the values in use. null unsets a property
that may be null, and a list is written as ['a', 'b']. --force makes the cluster skip its checks. Says which brokers need a
restart; with --wait, waits until every broker has the change. A secret is better set with cluster config edit or import:
a command line is visible to others.

${apiHelp}`,
  examples: [
    ['For the whole cluster', 'cluster config set log.retention.ms 86400000'],
    ['On one broker', 'cluster config set log.cleaner.threads=2 --broker 1'],
    ['Remove a value', 'cluster config set log.retention.ms --reset'],
    ['Let the broker check a value', 'cluster config set log.retention.ms 86400000 --dry-run'],
    ['A property of a Redpanda cluster', 'cluster config set log_retention_ms 86400000 --api admin --wait'],
  ],
  apis: ['kafka', 'admin'],
  args: {
    key: one(configKey, 'KEY', 'key of the config, or KEY=VALUE'),
    value: optional(text, 'VALUE', 'the new value'),
  },
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only on this broker' }),
    reset: toggle({ help: 'remove the value' }),
    force: toggle({ help: 'set a key that brokers do not list, for example of a plugin' }),
    ...waitFlags('every broker has the change'),
    api: apiFlag,
  },
  changes: 'alters',
  async run(context, { key: word, value: given, broker, reset, force, dryRun, api, ...wait }): Promise<SetRow> {
    const { key, value } = changeOf(word, given, reset);
    checkWait(wait);
    if ((await chooseApi(context, api)) === 'admin') {
      refuseBroker(broker);
      return await setProperty(context, { key, value, force, dryRun, api, ...wait });
    }
    const kafka = await context.kafka();
    const scope: ConfigScope = broker === undefined ? 'cluster' : { broker };
    const read = async (from: ConfigScope | undefined) => kafka.describeBrokerConfigs({ scope: from, key });
    const before = await read(scope);
    // The defaults of the cluster contain only keys that are set.
    const isKnown = before.length > 0 || (scope === 'cluster' && (await read(undefined)).length > 0);
    if (!isKnown && !reset && !force) throw unknownConfig(key, api);
    await kafka.setBrokerConfig({ scope, key, value, dryRun });
    // What a dry run of --reset would fall back to is not known.
    const now = value ?? (dryRun || scope === 'cluster' ? null : (await read(scope))[0]?.value);
    const sensitive = before[0]?.sensitive === true || secretKey.test(key);
    const old = before[0]?.value ?? null;
    return { broker: broker ?? null, key, old, new: sensitive ? null : (now ?? null), sensitive };
  },
  output: {
    schema: object({
      broker: nullable(integerSchema),
      key: string,
      old: nullable(string),
      new: nullable(string),
      sensitive: booleanSchema,
    }),
    text(row, view) {
      const values = row.sensitive ? [sensitiveText, sensitiveText] : [row.old, row.new];
      return table(['broker', 'key', 'old', 'new'], [[brokerText(row), row.key, ...values]], view);
    },
  },
});

function changeOf(word: string, given: string | undefined, reset: boolean) {
  const at = given === undefined && !reset ? word.indexOf('=') : -1;
  const change = at < 0 ? { key: word, value: given } : { key: word.slice(0, at), value: word.slice(at + 1) };
  if (change.key === '') throw usageError('the key is empty');
  if (reset && change.value !== undefined) throw usageError('--reset takes no value');
  if (!reset && change.value === undefined) {
    throw usageError(`no value for "${change.key}" is given`, { hints: ['use KEY VALUE, KEY=VALUE or KEY --reset'] });
  }
  return change;
}

function unknownConfig(key: string, api: ChosenApi | undefined): Error {
  return notFoundError(`unable to set config "${key}": brokers do not list it`, {
    target: key,
    hints: [...listHints(key, api), 'set it with --force if a plugin reads it'],
  });
}
