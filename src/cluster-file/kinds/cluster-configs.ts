import {
  type ConfigOutcome,
  type ConfigValue,
  clusterId,
  hiddenSecret,
  objectStorage,
  type Property,
} from '../../admin/config-rows.ts';
import type { Context } from '../../context.ts';
import { exitCodes, type ItemError, itemErrorOf, notChanged, usageError } from '../../errors.ts';
import { inUnitOf } from '../../format/config-units.ts';
import { exactJson } from '../../format/exact-json.ts';
import { compareText } from '../../format/order.ts';
import { isObject } from '../../shape/object.ts';
import {
  described,
  either,
  exact,
  measure,
  nothing,
  object,
  type RowOf,
  type Shape,
  string,
  truth,
} from '../../shape/shape.ts';
import { byName, checked, items, parsed } from '../file/fields.ts';
import { configFact, isSameValue } from './configs.ts';
import { type Change, factsOf, type Kind, kind, nameOf, type Wanted } from './kind.ts';
import { refused } from './refusal.ts';

/** Values that nobody can read back, and that would be in a repository. */
const secretKey = /password|secret|jaas|keystore\.key|private.?key|access_key|shared_key/i;

const secretFault = 'a secret must not be in the file; set it with: weir cluster config edit';

/** A value in a file; the items of a list stay apart, as properties of Redpanda have items with commas. */
type FileValue = string | null | readonly string[];

const fileValue: Shape<FileValue> = parsed(
  either(
    string,
    exact,
    measure,
    truth,
    nothing,
    items(parsed(either(string, exact, measure, truth, object), itemText)),
  ),
  (value) => (value === null || Array.isArray(value) ? (value as readonly string[] | null) : String(value)),
);

const fileValues: Shape<Readonly<Record<string, FileValue>>> = parsed(byName(fileValue), (values) =>
  Object.fromEntries(
    Object.entries(values).map(
      ([key, value]) => [key, typeof value === 'string' ? inUnitOf(key, value) : value] as const,
    ),
  ),
);

const clusterConfigsShape = described(
  checked(fileValues, (configs) => {
    if (Object.hasOwn(configs, clusterId)) return `${clusterId}: it identifies the cluster and is not a setting`;
    const key = Object.keys(configs).find((one) => secretKey.test(one) && configs[one] !== null);
    return key === undefined ? undefined : `${key}: ${secretFault}`;
  }),
  'configs of the whole cluster by key, or properties of a Redpanda cluster; they need --allow cluster, and null unsets one',
);

interface WantedConfig extends Wanted {
  readonly value: FileValue;
}

/** A config of the cluster. */
interface ExistingConfig {
  /** The name that the cluster has for it. */
  readonly key: string;
  /** What was set for the whole cluster; of Redpanda, what is not the default. A list of Redpanda is JSON. */
  readonly set: string | null;
  /** The value in use, if it is known without being set. */
  readonly inUse?: string | null;
  readonly isSecret: boolean;
  /** Why it cannot be changed. */
  readonly fault: string | null;
  readonly needsRestart: boolean;
  /** What Redpanda says about it. */
  readonly property?: Property;
}

interface ExistingConfigs {
  readonly configs: ReadonlyMap<string, ExistingConfig>;
  readonly isRedpanda: boolean;
  readonly error: ItemError | null;
  /** Why properties could not be read, if there are some. */
  readonly notice?: string;
}

const noConfigs: ExistingConfigs = { configs: new Map(), isRedpanda: false, error: null };

/** Configs of the whole cluster: of Kafka, those that its brokers take while they run; of Redpanda, its properties. */
export const clusterConfigs: Kind = kind<WantedConfig, ExistingConfigs>({
  noun: 'cluster_config',
  sections: { cluster_configs: clusterConfigsShape },
  ownedBy: [],

  wanted: ({ cluster_configs: given = {} }) =>
    Object.entries(given as RowOf<typeof clusterConfigsShape>).map(([name, value]) => ({
      name,
      value,
      way: ['cluster_configs', name],
    })),

  ruled: {
    fields: ['name', 'value'],
    things: ({ name, value, way }) => [
      { way, fields: factsOf({ name, value: value === null ? undefined : configFact(String(value)) }) },
    ],
  },

  async read(context, { wanted, owns }) {
    // They belong to no team: an export has them only if it is one of everything.
    if (wanted.size === 0 && owns?.('') !== true) return noConfigs;
    if ((await (await context.kafka()).isRedpanda()) !== true) return await readOfKafka(context, [...wanted.values()]);
    const hasAdmin = (await context.config()).setting('admin.hosts').source !== 'default';
    if (wanted.size === 0 && !hasAdmin)
      return { ...noConfigs, notice: 'without cluster_configs: admin.hosts is not set' };
    return await readOfRedpanda(context, [...wanted.values()]);
  },

  notices: (_scope, { notice }) => (notice === undefined ? [] : [notice]),

  compare({ wanted }, { configs, error }, { allow }) {
    if (error !== null) {
      const row = { kind: 'cluster_config', name: 'cluster_configs', changes: [], risk: 'none' } as const;
      return [{ ...row, action: 'blocked', why: error.message, error, isUnread: true }];
    }
    return [...wanted.values()].flatMap((one): Change[] => {
      const row = compareConfig(one, configs.get(one.name));
      if (row === undefined) return [];
      if (row.action === 'blocked' || allow.includes('cluster')) return [row];
      return [refused({ ...row, action: 'blocked', why: 'it concerns the whole cluster; --allow cluster changes it' })];
    });
  },

  order: () => 5,

  async apply(context, { changes, existing }, { send }) {
    await send(changes, nameOf, (due) => sendConfigs(context, due, existing, false));
  },

  async check(context, { changes, existing }, { send }) {
    const due = changes.filter(({ action }) => action !== 'blocked');
    await send(due, nameOf, (items) => sendConfigs(context, items, existing, true));
  },

  export({ configs }) {
    const set = [...configs.values()].flatMap(({ key, set: value, isSecret, fault, property }) =>
      value === null || isSecret || fault !== null || isOfOneCluster(key) || secretKey.test(key)
        ? []
        : [[key, property?.type === 'array' ? JSON.parse(value) : value] as const],
    );
    if (set.length === 0) return {};
    return { cluster_configs: Object.fromEntries(set.sort(([a], [b]) => compareText(a, b))) };
  },
});

/** Whether a config would do harm in another cluster. */
function isOfOneCluster(key: string): boolean {
  return key === clusterId || objectStorage.test(key);
}

async function readOfKafka(context: Context, wanted: readonly WantedConfig[]): Promise<ExistingConfigs> {
  const names = wanted.map(({ name }) => name);
  const kafka = await context.kafka();
  const [ofCluster, ofBrokers] = await Promise.all([
    kafka.describeBrokerConfigs({ scope: 'cluster', key: undefined }),
    names.length === 0 ? [] : kafka.describeBrokerConfigs({ scope: undefined, key: undefined }),
  ]);
  const error = ofCluster.find((row) => row.error !== null)?.error ?? null;
  const set = ofCluster.filter(({ source }) => source === 'DYNAMIC_DEFAULT_BROKER_CONFIG');
  const setByKey = new Map(set.flatMap((row) => (row.key === null ? [] : [[row.key, row] as const])));
  const known = new Map(ofBrokers.flatMap((row) => (row.key === null ? [] : [[row.key, row] as const])));
  const configs = new Map<string, ExistingConfig>();
  for (const key of new Set([...names, ...setByKey.keys()])) {
    const own = setByKey.get(key);
    const row = known.get(key) ?? own;
    const readOnly = row?.read_only === true ? 'it is read-only: change it in the file of each broker' : null;
    configs.set(key, {
      key,
      set: own === undefined ? null : (own.value ?? hiddenSecret),
      isSecret: own?.sensitive === true || row?.sensitive === true,
      fault: row === undefined ? 'no broker lists it' : readOnly,
      needsRestart: false,
    });
  }
  refuseSecrets(wanted, configs);
  return { configs, isRedpanda: false, error };
}

async function readOfRedpanda(context: Context, wanted: readonly WantedConfig[]): Promise<ExistingConfigs> {
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const { values, set } = await admin.configuration();
  const configs = new Map<string, ExistingConfig>();
  for (const name of new Set([...wanted.map((one) => one.name), ...set])) {
    const property = schema.get(name) ?? [...schema.values()].find(({ aliases }) => aliases.includes(name));
    const key = property?.name ?? name;
    configs.set(name, {
      key,
      set: set.has(key) ? valueText(property, values.get(key) ?? null) : null,
      inUse: values.has(key) ? valueText(property, values.get(key) ?? null) : null,
      isSecret: property?.is_secret === true,
      fault: property === undefined ? 'the cluster has no such property' : null,
      needsRestart: property?.needs_restart === true,
      ...(property !== undefined && { property }),
    });
  }
  refuseSecrets(wanted, configs);
  return { configs, isRedpanda: true, error: null };
}

/** The server knows more secrets than their names show. */
function refuseSecrets(wanted: readonly WantedConfig[], configs: ReadonlyMap<string, ExistingConfig>): void {
  const secret = wanted.find(({ name, value }) => value !== null && configs.get(name)?.isSecret === true)?.name;
  if (secret !== undefined) throw usageError(`cluster_configs.${secret}: ${secretFault}`, { target: secret });
}

function compareConfig({ name, value }: WantedConfig, now: ExistingConfig | undefined): Change | undefined {
  const { set: from = null, inUse = from, isSecret = false, needsRestart = false, property } = now ?? {};
  const to = fileText(property, value);
  const current = to === null ? from : inUse;
  if (property?.type === 'array' ? current === to : isSameValue(name, current, to)) return undefined;
  const fault = now?.fault ?? faultOf(property, value);
  const shown = isSecret && from !== null ? hiddenSecret : from;
  const row = { kind: 'cluster_config', name, changes: [{ path: 'value', from: shown, to }], risk: 'none' } as const;
  if (fault !== null) return refused({ ...row, action: 'blocked', why: fault });
  const action = from === null ? 'create' : 'update';
  if (!needsRestart) return { ...row, action, why: null };
  return { ...row, action, risk: 'restart', why: 'it takes effect when the brokers have been restarted' };
}

async function sendConfigs(
  context: Context,
  changes: readonly Change[],
  { configs, isRedpanda }: ExistingConfigs,
  isOnlyCheck: boolean,
): Promise<readonly (ItemError | null)[]> {
  const pairs = changes.map(({ name, changes: [one] }) => ({ config: configs.get(name), name, to: one?.to ?? null }));
  if (isRedpanda) return await sendToRedpanda(context, pairs, isOnlyCheck);
  const kafka = await context.kafka();
  const errors: (ItemError | null)[] = [];
  for (const { name: key, to } of pairs) {
    const call = { scope: 'cluster', key, value: to ?? undefined } as const;
    const sent = isOnlyCheck ? kafka.checkBrokerConfig(call) : kafka.setBrokerConfig(call);
    errors.push(await sent.then(() => null, itemErrorOf));
  }
  return errors;
}

/** The changes of properties, which Redpanda makes together or not at all. */
async function sendToRedpanda(
  context: Context,
  pairs: readonly { readonly config: ExistingConfig | undefined; readonly name: string; readonly to: string | null }[],
  isOnlyCheck: boolean,
): Promise<readonly (ItemError | null)[]> {
  const admin = await context.admin();
  const upsert = new Map<string, ConfigValue>();
  const remove: string[] = [];
  for (const { config, name, to } of pairs) {
    const key = config?.key ?? name;
    if (to === null) remove.push(key);
    else upsert.set(key, propertyValue(config?.property, to));
  }
  const call = { upsert, remove };
  const outcome = await (isOnlyCheck ? admin.checkConfiguration(call) : admin.changeConfiguration(call));
  const keys = pairs.map(({ config, name }) => config?.key ?? name);
  return keys.map((key) => refusalOf(outcome, key, keys));
}

function refusalOf(outcome: ConfigOutcome, key: string, keys: readonly string[]): ItemError | null {
  if (outcome.version !== null) return null;
  const reason = outcome.reasons.get(key);
  if (reason !== undefined) return { ...itemErrorOf(outcome.error), message: reason };
  // Such as what a change lacks; what other rows have stands there.
  const others = [...outcome.reasons].filter(([name]) => !keys.includes(name)).map(([name, why]) => `${name}: ${why}`);
  const message = ['the cluster makes all of the changes or none', ...others].join('; ');
  return { ...notChanged(message, exitCodes.failure), retryable: false };
}

/** Why a value of a file fits no property of this type: the cluster would refuse all changes for it. */
function faultOf(property: Property | undefined, value: FileValue): string | null {
  if (property === undefined || typeof value !== 'string') return null;
  const { type, units } = property;
  if (type === 'array') return value.includes(',') ? 'it is a list: write [a, b]' : null;
  const isNumber = type === 'integer' || type === 'number';
  if (!isNumber || typeof propertyValue(property, value) !== 'string') return null;
  return `expected ${type === 'integer' ? 'a whole number' : 'a number'}${units === null ? '' : `, in ${units}`}`;
}

/** The value of a file as a plan has it. */
function fileText(property: Property | undefined, value: FileValue): string | null {
  if (value === null) return null;
  if (property?.type !== 'array') return String(value);
  const list = typeof value !== 'string' ? value : value === '' ? [] : [value];
  return exactJson(list.map((one) => itemValue(property.items, one)));
}

/** The value of a property as a plan has it. */
function valueText(property: Property | undefined, value: ConfigValue): string {
  if (property?.type === 'array' && Array.isArray(value)) return fileText(property, value.map(itemText)) ?? '';
  return typeof value === 'object' && value !== null ? exactJson(value) : String(value);
}

/** An item of a list as text: an object is JSON, without regard to the order of its fields. */
function itemText(value: unknown): string {
  if (!isObject(value)) return String(value);
  return exactJson(Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b))));
}

/** The text of a plan as a value of a property; the cluster refuses one of another type. */
function propertyValue(property: Property | undefined, text: string): ConfigValue {
  if (property?.nullable === true && text === 'null') return null;
  if (property?.type === 'array') return JSON.parse(text) as ConfigValue;
  return scalarValue(property?.type, text);
}

function scalarValue(type: string | undefined | null, text: string): ConfigValue {
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (type === 'integer' && /^-?\d+$/.test(text)) return BigInt(text);
  return type === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function itemValue(type: string | null, text: string): ConfigValue {
  if (!text.startsWith('{') || type === 'string') return scalarValue(type, text);
  try {
    return JSON.parse(text) as ConfigValue;
  } catch {
    return text;
  }
}
