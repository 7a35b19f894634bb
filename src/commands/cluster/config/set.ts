import { apiFlag, apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { flag, one, optional, toggle } from '../../../cli/command.ts';
import { changeByApi } from '../../../cli/forms/change.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import { CliError, notFoundError, usageError, withHints } from '../../../errors.ts';
import type {
  BrokerConfig,
  ConfigScope,
  SetBrokerConfigCall,
} from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import type { Kafka } from '../../../kafka/open.ts';
import { brokerId, configKey, text } from '../../../kinds.ts';
import { erasingOf, erasure, erasureQuestion } from '../../config-erasure.ts';
import { inUnitOf } from '../../config-units.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { configInUse } from './config-in-use.ts';
import { brokerText, listHints, sensitiveText } from './config-text.ts';
import { isSecretKey, secretTexts } from './secret-values.ts';
import { checkProperty, erasureOfProperty, planProperty, SetConfig, setProperty } from './set-property.ts';

/** `cluster config set` */
export const set = changeByApi({
  summary: 'Set a config of brokers while they run, or a property of a Redpanda cluster',
  description: `Sets a property of the whole cluster, or with --broker a config of one broker. A value of a key that
ends with ms may be a duration such as 7d, and one of a key that ends with bytes a size such as 2MB.

Kafka: a value that is set on one broker overrides that of the cluster. --reset removes a value, so that the next
source applies. Unknown keys are refused unless --force is given, because brokers accept them silently. Read-only
configs must be changed in the file of each broker.

Redpanda: null unsets a property that may be null, and a list is written as ['a', 'b']. --force skips the checks of
the cluster. Says which brokers need a restart; --wait waits until every broker has the change. Set secrets with
cluster config edit or import, because others can see a command line.`,
  examples: [
    ['For the whole cluster', 'cluster config set log.retention.ms 86400000'],
    ['On one broker', 'cluster config set log.cleaner.threads=2 --broker 1'],
    ['Remove a value', 'cluster config set log.retention.ms --reset'],
    ['Let the broker check a value', 'cluster config set log.retention.ms 86400000 --dry-run'],
  ],
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
  changes: 'destroys',
  asksBefore: erasure,
  noun: 'config',
  isOne: true,
  item: SetConfig,
  read(_context, { key, value, ...values }) {
    const change = changeOf(key, value, values.reset);
    checkWait(values);
    return { ...values, ...change };
  },
  kafka: {
    async plan(context, values) {
      const { key, value, broker } = values;
      const kafka = await context.kafka();
      const scope: ConfigScope = broker === undefined ? 'cluster' : { broker };
      const before = await kafka.describeBrokerConfigs({ scope, key });
      const applied = await configInUse(kafka, broker === undefined ? undefined : { broker }, key);
      // The defaults of the cluster contain only keys that are set.
      const isKnown = before.length > 0 || applied.length > 0;
      if (!isKnown) await refuseUnknown(kafka, values);
      const sensitive = [...before, ...applied].some((row) => row.sensitive === true) || isSecretKey(key);
      const old = [...(scope === 'cluster' ? before : []), ...applied][0];
      const isNeeded = !isKnown || !isMade({ own: before[0], scope, value });
      // What a reset falls back to is known only afterwards.
      const after = isNeeded ? value : old?.value;
      return [
        {
          broker: broker ?? null,
          key,
          old: old?.value ?? null,
          old_source: old?.source ?? null,
          new: sensitive ? null : (after ?? null),
          sensitive,
          scope,
          applied,
          status: notNeededIf(!isNeeded),
        },
      ];
    },
    asks([planned], { key, value: after, broker }) {
      // Brokers of Redpanda list few of their properties, and take all of them.
      const values = planned?.applied.length === 0 ? [undefined] : (planned?.applied ?? []).map(({ value }) => value);
      const erasing = erasingOf(values.map((value) => ({ key, before: value ?? undefined, after })));
      if (erasing.length === 0) return null;
      const whose = broker === undefined ? 'the cluster' : `broker ${broker}`;
      return { question: erasureQuestion(erasing, whose), name: key };
    },
    async validate(context, configs, values) {
      const kafka = await context.kafka();
      for (const config of configs) await kafka.checkBrokerConfig(callOf(config, values)).catch(withResetHint(values));
      return [];
    },
    async applyEach(context, config, values) {
      const kafka = await context.kafka();
      await kafka.setBrokerConfig(callOf(config, values)).catch(withResetHint(values));
      const { scope, key, sensitive } = config;
      if (values.value !== undefined || scope === 'cluster' || sensitive) return {};
      return { new: (await configInUse(kafka, scope, key))[0]?.value ?? null };
    },
  },
  admin: {
    examples: [['A property of a Redpanda cluster', 'cluster config set log_retention_ms 86400000 --api admin --wait']],
    plan: planProperty,
    asks: (properties, { key }) => erasureOfProperty(properties, key),
    validate: checkProperty,
    applyEach: setProperty,
  },
  previews: true,
  notNeeded: 'has this value',
  columns: [
    ['broker', brokerText],
    'key',
    ['old', (row) => (row.sensitive ? sensitiveText : oldText(row))],
    ['new', (row) => (row.sensitive ? sensitiveText : row.new)],
  ],
});

interface OwnConfig {
  readonly own: BrokerConfig | undefined;
  readonly scope: ConfigScope;
  readonly value: string | undefined;
}

interface ConfigValues {
  readonly key: string;
  readonly value: string | undefined;
  readonly broker: number | undefined;
  readonly api: ChosenApi | undefined;
}

/** Whether the value is set in this place already; null of a config that is sensitive. */
function isMade({ own, scope, value }: OwnConfig): boolean {
  const isSet = own?.source === (scope === 'cluster' ? 'DYNAMIC_DEFAULT_BROKER_CONFIG' : 'DYNAMIC_BROKER_CONFIG');
  return value === undefined ? !isSet : isSet && own?.value === value;
}

function callOf(
  { scope, sensitive }: { readonly scope: ConfigScope; readonly sensitive: boolean },
  { key, value }: ConfigValues,
): SetBrokerConfigCall {
  const values = value === undefined ? [] : [{ names: [key], value, isSecret: sensitive }];
  return { scope, key, value, secrets: secretTexts(values) };
}

/** Brokers refuse an empty value for many keys. */
function withResetHint({ key, value, broker, api }: ConfigValues): (error: unknown) => never {
  return (error) => {
    if (value !== '' || !(error instanceof CliError)) throw error;
    const where = broker === undefined ? '' : ` --broker ${broker}`;
    throw withHints(error, [`to reset it, use: weir cluster config set ${key} --reset${where}${apiWords(api)}`]);
  };
}

function oldText({ old, old_source: source }: SetConfig): string | null {
  if (old === null) return null;
  if (source === 'DEFAULT_CONFIG') return `${old} (default)`;
  return source === 'STATIC_BROKER_CONFIG' ? `${old} (file of the broker)` : old;
}

function changeOf(word: string, given: string | undefined, reset: boolean) {
  if (given !== undefined && [word, given].every((one) => /^[\w.]+=/.test(one)))
    throw usageError('two configs are given, and this command sets one', {
      hints: ['repeat the command for each, or set several properties of Redpanda with: weir cluster config import'],
    });
  const at = given === undefined && !reset ? word.indexOf('=') : -1;
  const [key, value] = at < 0 ? [word, given] : [word.slice(0, at), word.slice(at + 1)];
  const change = { key, value: value === undefined ? value : inUnitOf(key, value) };
  if (change.key === '') throw usageError('the key is empty');
  if (reset && change.value !== undefined) throw usageError('--reset takes no value');
  if (!reset && change.value === undefined) {
    throw usageError(`no value for "${change.key}" is given`, { hints: ['use KEY VALUE, KEY=VALUE or KEY --reset'] });
  }
  return change;
}

/** Whether the pair is the level of a logger, of which brokers would store a config without a meaning. */
function isLogger(key: string, value: string | undefined): boolean {
  return key === 'root' || /^(?:trace|debug|info|warn|error|fatal|off)$/i.test(value ?? '');
}

function loggerError(key: string, broker: number): Error {
  return usageError(`"${key}" is a logger, not a config: weir does not change the log levels of Kafka brokers`, {
    target: key,
    hints: [
      `kafka-configs.sh does: --entity-type broker-loggers --entity-name ${broker} --alter --add-config ${key}=LEVEL`,
      'on Redpanda: weir redpanda admin config log-level set',
    ],
  });
}

/** @throws CliError for a logger, and (exit 3) unless the key is reset or forced */
async function refuseUnknown(
  kafka: Kafka,
  { key, value, broker, reset, force, api }: ConfigValues & { readonly reset: boolean; readonly force: boolean },
): Promise<void> {
  if (broker !== undefined && isLogger(key, value)) throw loggerError(key, broker);
  if (reset || force) return;
  const isRedpanda = (await kafka.isRedpanda()) === true;
  throw notFoundError(`unable to set config "${key}": brokers do not list it`, {
    target: key,
    hints: isRedpanda
      ? ['the Admin API has all properties of Redpanda: --api admin', 'or set it with --force']
      : [...(await listHints(key, api, kafka)), 'set it with --force if a plugin reads it'],
  });
}
