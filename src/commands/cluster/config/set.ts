import { apiFlag, apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { any, type CommonValues, flag, one, optional, toggle } from '../../../cli/command.ts';
import { type Applied, changeByApi } from '../../../cli/forms/change.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, itemErrorOf, notFoundError, usageError, withHints } from '../../../errors.ts';
import { inUnitOf } from '../../../format/config-units.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { commandText } from '../../../format/shell-word.ts';
import type {
  BrokerConfig,
  ConfigScope,
  SetBrokerConfigCall,
} from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import { riskQuestion, risks, riskyOf } from '../../../kafka/cluster/config-risk-words.ts';
import type { Kafka } from '../../../kafka/open.ts';
import { brokerId, configKey, text } from '../../../kinds.ts';
import { checkWait, type WaitValues, waitFlags } from '../wait.ts';
import { configInUse } from './config-in-use.ts';
import { brokerText, listHints, sensitiveText } from './config-text.ts';
import { isSecretKey, secretTexts } from './secret-values.ts';
import { checkProperties, nameOf, planProperties, riskOfProperties, SetConfig, setProperties } from './set-property.ts';

/** `cluster config set` */
export const set = changeByApi({
  summary: 'Set configs of brokers while they run, or properties of a Redpanda cluster',
  description: `Sets properties of the whole cluster, or with --broker configs of one broker. A value of a key that
ends with ms may be a duration such as 7d, and one of a key that ends with bytes a size such as 2MB.

Kafka: a value that is set on one broker overrides that of the cluster. --reset removes a value, so that the next
source applies. Unknown keys are refused unless --force is given, because brokers accept them silently. Read-only
configs must be changed in the file of each broker.

Redpanda: null unsets a property that may be null, and a list is written as ['a', 'b']. Several properties are set
together or not at all. --force skips the checks of the cluster. Says which brokers need a restart; --wait waits until
every broker has the change. Set secrets with cluster config edit or import, because others can see a command line.`,
  examples: [
    ['For the whole cluster', 'cluster config set log.retention.ms 86400000'],
    ['On one broker', 'cluster config set log.cleaner.threads=2 --broker 1'],
    ['Remove a value', 'cluster config set log.retention.ms --reset'],
    ['Let the broker check a value', 'cluster config set log.retention.ms 86400000 --dry-run'],
  ],
  args: {
    key: one(configKey, 'KEY', 'key of the config, or KEY=VALUE'),
    value: optional(text, 'VALUE', 'the new value'),
    more: any(text, 'KEY=VALUE', 'more configs, if the first one is written as KEY=VALUE'),
  },
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only on this broker' }),
    reset: toggle({ help: 'remove the value' }),
    force: toggle({ help: 'set a key that brokers do not list, for example of a plugin' }),
    ...waitFlags('every broker has the change'),
    api: apiFlag,
  },
  changes: 'destroys',
  asksBefore: risks.ofCluster,
  namesAll: true,
  noun: 'config',
  item: SetConfig,
  read: readConfigs,
  kafka: { plan: planConfigs, asks: riskOfConfigs, validate: checkConfigs, apply: setConfigs },
  admin: {
    examples: [['A property of a Redpanda cluster', 'cluster config set log_retention_ms 86400000 --api admin --wait']],
    plan: planProperties,
    asks: riskOfProperties,
    validate: checkProperties,
    apply: setProperties,
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

/** What the line says. */
interface SetValues extends ConfigFlags, WaitValues, CommonValues {
  readonly pairs: readonly ConfigPair[];
  readonly reset: boolean;
  readonly force: boolean;
}

interface SetWords extends Omit<SetValues, 'pairs'> {
  readonly key: string;
  readonly value: string | undefined;
  readonly more: readonly string[];
}

function readConfigs(_context: Context, { key, value, more, ...values }: SetWords): SetValues {
  const pairs = pairsOf(wordsOf({ key, value, more }), values.reset);
  checkWait(values);
  return { ...values, pairs };
}

function wordsOf({ key, value, more }: Pick<SetWords, 'key' | 'value' | 'more'>): readonly string[] {
  return [key, ...(value === undefined ? [] : [value]), ...more];
}

/** The change of one config of brokers. */
interface PlannedConfig extends SetConfig {
  /** Undefined: the config is reset. */
  readonly value: string | undefined;
  readonly scope: ConfigScope;
  readonly applied: readonly BrokerConfig[];
  readonly status: 'NOT_NEEDED' | undefined;
}

async function planConfigs(context: Context, { pairs, ...values }: SetValues): Promise<readonly PlannedConfig[]> {
  const plans: PlannedConfig[] = [];
  for (const pair of pairs) plans.push(await planConfig(context, { ...values, ...pair }));
  return plans;
}

function riskOfConfigs(planned: readonly PlannedConfig[], { broker }: SetValues) {
  const changes = planned.flatMap(({ key, value: after, applied }) => {
    // Brokers of Redpanda list few of their properties, and take all of them.
    const values = applied.length === 0 ? [undefined] : applied.map(({ value }) => value);
    return values.map((value) => ({ key, before: value ?? undefined, after }));
  });
  const risky = riskyOf(changes);
  if (risky.length === 0) return null;
  const whose = broker === undefined ? 'the cluster' : `broker ${broker}`;
  return { question: riskQuestion(risky, whose), name: nameOf(planned) };
}

async function checkConfigs(
  context: Context,
  planned: readonly PlannedConfig[],
  values: SetValues,
): Promise<readonly Partial<SetConfig>[]> {
  const kafka = await context.kafka();
  for (const config of planned) await kafka.checkBrokerConfig(callOf(config)).catch(withResetHint(config, values));
  return [];
}

async function setConfigs(
  context: Context,
  planned: readonly PlannedConfig[],
  values: SetValues,
): Promise<readonly Applied<SetConfig>[]> {
  const applied: Applied<SetConfig>[] = [];
  for (const config of planned) {
    const change = setConfig(context, config, values);
    // One that fails hides neither those before it nor the others.
    applied.push(await (planned.length === 1 ? change : change.catch((error) => ({ error: itemErrorOf(error) }))));
  }
  return applied;
}

async function planConfig(context: Context, values: UnknownConfig): Promise<PlannedConfig> {
  const { key, value, broker } = values;
  const kafka = await context.kafka();
  const scope: ConfigScope = broker === undefined ? 'cluster' : { broker };
  const before = await kafka.describeBrokerConfigs({ scope, key });
  const applied = await configInUse(kafka, broker === undefined ? undefined : { broker }, key);
  // The defaults of the cluster contain only keys that are set.
  const isKnown = before.length > 0 || applied.length > 0;
  if (!isKnown) await refuseUnknown(kafka, values);
  else if (value === undefined) await refuseKafkaName(kafka, key);
  const sensitive = [...before, ...applied].some((row) => row.sensitive === true) || isSecretKey(key);
  const old = [...(scope === 'cluster' ? before : []), ...applied][0];
  const isNeeded = !isKnown || !isMade({ own: before[0], scope, value });
  // What a reset falls back to is known only afterwards.
  const after = isNeeded ? value : old?.value;
  return {
    broker: broker ?? null,
    key,
    old: old?.value ?? null,
    old_source: old?.source ?? null,
    new: sensitive ? null : (after ?? null),
    sensitive,
    scope,
    applied,
    status: notNeededIf(!isNeeded),
    value,
  };
}

interface OwnConfig {
  readonly own: BrokerConfig | undefined;
  readonly scope: ConfigScope;
  readonly value: string | undefined;
}

interface ConfigPair {
  readonly key: string;
  /** Undefined: the config is reset. */
  readonly value: string | undefined;
}

interface ConfigFlags {
  readonly broker: number | undefined;
  readonly api: ChosenApi | undefined;
}

type ConfigValues = ConfigPair & ConfigFlags;
type UnknownConfig = ConfigValues & { readonly reset: boolean; readonly force: boolean };

async function setConfig(context: Context, config: PlannedConfig, flags: ConfigFlags): Promise<Applied<SetConfig>> {
  const kafka = await context.kafka();
  await kafka.setBrokerConfig(callOf(config)).catch(withResetHint(config, flags));
  const { scope, key, value, sensitive } = config;
  if (value !== undefined || scope === 'cluster' || sensitive) return {};
  return { new: (await configInUse(kafka, scope, key))[0]?.value ?? null };
}

/** Whether the value is set in this place already; null of a config that is sensitive. */
function isMade({ own, scope, value }: OwnConfig): boolean {
  const isSet = own?.source === (scope === 'cluster' ? 'DYNAMIC_DEFAULT_BROKER_CONFIG' : 'DYNAMIC_BROKER_CONFIG');
  return value === undefined ? !isSet : isSet && own?.value === value;
}

function callOf({ scope, sensitive, key, value }: PlannedConfig): SetBrokerConfigCall {
  const values = value === undefined ? [] : [{ names: [key], value, isSecret: sensitive }];
  return { scope, key, value, secrets: secretTexts(values) };
}

/** Brokers refuse an empty value for many keys. */
function withResetHint({ key, value }: ConfigPair, { broker, api }: ConfigFlags): (error: unknown) => never {
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

const isPair = (word: string): boolean => /^[\w.]+=/.test(word);

/** The configs of a line: KEY VALUE, one KEY with --reset, or any number of KEY=VALUE. */
function pairsOf(words: readonly string[], reset: boolean): readonly ConfigPair[] {
  const [key = '', value, ...more] = words;
  const isOne = more.length === 0 && (value === undefined || !words.every(isPair));
  if (isOne) return [pairOf(key, value, reset)];
  const single = words.find((word) => !isPair(word));
  if (single !== undefined)
    throw usageError(`"${excerpt(single)}" is not KEY=VALUE`, {
      target: single,
      hints: ['write each of several configs as KEY=VALUE; quote a value with spaces'],
    });
  const pairs = words.map((word) => pairOf(word, undefined, reset));
  const again = pairs.find((pair, at) => pairs.findIndex((one) => one.key === pair.key) < at);
  if (again !== undefined) throw usageError(`the config "${again.key}" is given twice`, { target: again.key });
  return pairs;
}

function pairOf(word: string, given: string | undefined, reset: boolean): ConfigPair {
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
  return usageError(`"${key}" is a logger, not a config`, {
    target: key,
    hints: [commandText`set its level with: weir cluster loggers set ${key} --level LEVEL --broker ${broker}`],
  });
}

/** @throws CliError for a logger, and (exit 3) unless the key is reset or forced */
/**
 * Brokers of Redpanda list a few properties under names of Kafka, and reset them only under their own: they ignore the reset
 * of an unknown name (redpanda commit 1b95a07c: src/v/kafka/server/handlers/incremental_alter_configs.cc:586).
 */
async function refuseKafkaName(kafka: Kafka, key: string): Promise<void> {
  if ((await kafka.isRedpanda()) !== true) return;
  throw usageError(`unable to reset "${key}": it is a name of Kafka, under which Redpanda only lists the property`, {
    target: key,
    hints: [
      'use the Admin API, which lists the properties of Redpanda: --api admin',
      'or give the name of Redpanda, such as log_retention_ms for log.retention.ms',
    ],
  });
}

async function refuseUnknown(kafka: Kafka, { key, value, broker, reset, force, api }: UnknownConfig): Promise<void> {
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
