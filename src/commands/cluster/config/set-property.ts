import type { ConfigSchema, Configuration, ConfigValue, Property } from '../../../admin/config-rows.ts';
import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { parseYaml } from '../../../config/yaml/file.ts';
import type { Context } from '../../../context.ts';
import { invalidError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { riskQuestion, riskyOf } from '../../../kafka/cluster/config-risk-words.ts';
import { maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import type { WaitValues } from '../wait.ts';
import { refuseBroker, textOf } from './admin-configs.ts';
import { changedError, checkChanges, sendChanges, settled } from './apply.ts';
import type { PlannedChange } from './config-plan.ts';
import { findProperty, needProperty } from './find-property.ts';
import { isSame, plainValueOf, scalarOf, valueOfNode, WrongValue } from './property-value.ts';

/** A config that was changed; a value is null if it is unset, secret or unknown. */
export const SetConfig = row({
  broker: maybe(whole),
  key: string,
  old: maybe(string),
  /** Where the old value came from, with the protocol's name; null if it is not known. */
  old_source: maybe(string),
  new: maybe(string),
  /** Whether the values are secret; they are null then. */
  sensitive: truth,
});
export type SetConfig = RowOf<typeof SetConfig>;

/** What the command line says about one property of the cluster. */
interface PropertyPair {
  readonly key: string;
  /** Undefined: the property gets its default. */
  readonly value: string | undefined;
}

/** What the command line says about properties of the cluster. */
interface PropertyChoice {
  readonly pairs: readonly PropertyPair[];
  readonly broker: number | undefined;
  /** Makes the change without checks, also of a property that the cluster does not know. */
  readonly force: boolean;
  /** The `--api` that was given, for hints. */
  readonly api: ChosenApi | undefined;
}

/** The change of one property of the cluster. */
interface PlannedProperty extends SetConfig {
  readonly change: PlannedChange;
  readonly status: 'NOT_NEEDED' | undefined;
}

/** Plans to set properties of the cluster, or to reset one, over the Admin API. */
export async function planProperties(
  context: Context,
  { pairs, broker, ...choice }: PropertyChoice,
): Promise<readonly PlannedProperty[]> {
  refuseBroker(broker);
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const changes: Omit<PlannedChange, 'before'>[] = [];
  for (const pair of pairs) changes.push(await changeOf(schema, pair, choice));
  const now = await admin.configuration();
  return changes.map((change) => plannedProperty(context, now, change));
}

async function changeOf(
  schema: ConfigSchema,
  { key, value }: PropertyPair,
  { force: isForced, api }: Pick<PropertyChoice, 'force' | 'api'>,
): Promise<Omit<PlannedChange, 'before'>> {
  const property =
    findProperty(schema, key) ?? (isForced ? unknownProperty(key) : await needProperty(schema, key, api));
  return { property, after: value === undefined ? undefined : await valueFrom(property, value, { isForced, api }) };
}

function plannedProperty(
  context: Context,
  now: Configuration,
  { property, after }: Omit<PlannedChange, 'before'>,
): PlannedProperty {
  const { name, is_secret: sensitive } = property;
  const before = now.values.get(name) ?? null;
  const isNeeded = !isMade(now, property, after);
  if (!isNeeded) context.notice(after === undefined ? `${name} is not set` : `${name} already has this value`);
  const shown = (value: ConfigValue) => (sensitive ? null : textOf(value));
  return {
    broker: null,
    key: name,
    old: shown(before),
    old_source: now.set.has(name) ? 'DYNAMIC_DEFAULT_BROKER_CONFIG' : 'DEFAULT_CONFIG',
    // What a reset falls back to is known only afterwards.
    new: after === undefined && isNeeded ? null : shown(after === undefined ? before : after),
    sensitive,
    change: { property, before, after },
    status: isNeeded ? undefined : 'NOT_NEEDED',
  };
}

/** The question before properties are changed with a risk; null without one. */
export function riskOfProperties(planned: readonly PlannedProperty[]) {
  const changes = planned.map(({ change: { property, before, after } }) => {
    return { key: property.name, before: textOf(before), after: after === undefined ? after : textOf(after) };
  });
  const risky = riskyOf(changes);
  return risky.length === 0 ? null : { question: riskQuestion(risky, 'the cluster'), name: nameOf(planned) };
}

/** What is typed to confirm a change on a protected profile. */
export function nameOf(planned: readonly { readonly key: string }[]): string {
  return planned.length === 1 ? (planned[0]?.key ?? '') : count(planned.length, 'config');
}

/** Sets the properties with one request, or resets one. */
export async function setProperties(
  context: Context,
  planned: readonly PlannedProperty[],
  values: WaitValues & { readonly force: boolean },
): Promise<readonly Partial<SetConfig>[]> {
  const changes = planned.map(({ change }) => change);
  const outcome = await sendChanges(context, changes, values.force);
  if (outcome.version === null) throw outcome.error;
  context.onInterrupt(changedError(outcome.version));
  await settled(context, outcome.version, changes, values);
  if (planned.every(({ change, sensitive }) => change.after !== undefined || sensitive)) return [];
  const now = await (await context.admin()).configuration();
  return planned.map(({ change, key, sensitive }) =>
    change.after !== undefined || sensitive ? {} : { new: textOf(now.values.get(key) ?? null) },
  );
}

/** Lets the cluster check the changes. */
export async function checkProperties(
  context: Context,
  planned: readonly PlannedProperty[],
  { force: isForced }: { readonly force: boolean },
): Promise<readonly Partial<SetConfig>[]> {
  const changes = planned.map(({ change }) => change);
  const outcome = await checkChanges(context, changes, isForced);
  if (outcome.version === null) throw outcome.error;
  for (const { change, key } of planned) if (change.after === undefined) context.notice(`${key} would get its default`);
  return [];
}

function isMade(now: Configuration, { name, is_secret: isSecret }: Property, after: ConfigValue | undefined): boolean {
  if (after === undefined) return !now.set.has(name);
  return !isSecret && now.values.has(name) && isSame(now.values.get(name), after);
}

function unknownProperty(name: string): Property {
  return {
    name,
    type: 'string',
    items: null,
    description: '',
    nullable: true,
    needs_restart: false,
    is_secret: false,
    visibility: 'user',
    units: null,
    example: null,
    enum_values: [],
    aliases: [],
  };
}

interface Reading {
  /** Whether a value of the wrong type is sent as it is. */
  readonly isForced: boolean;
  readonly api: ChosenApi | undefined;
}

/** Reads a value from the command line. @throws CliError (exit 2) for one of the wrong type */
async function valueFrom(property: Property, text: string, { isForced, api }: Reading): Promise<ConfigValue> {
  const { name, type, nullable } = property;
  if (nullable && text === 'null') return null;
  try {
    if (type !== 'array') return scalarOf(type, text, property);
    const file = await parseYaml('the value', text);
    const node = file.document.contents;
    // Forced text for a list would be stored as text, which no broker can use.
    return isForced ? plainValueOf(file, node) : valueOfNode(file, property, node);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    if (isForced) return text;
    throw invalidError(`invalid value for ${name}: it ${error.message}`, {
      target: name,
      hints: hintsOf(property, text, api),
    });
  }
}

function hintsOf(property: Property, text: string, api: ChosenApi | undefined): readonly string[] {
  const { name, type, example, is_secret: isSecret } = property;
  if (text === '') return [`to reset it, use: weir cluster config set ${name} --reset${apiWords(api)}`];
  if (type === 'array') return [`write a list as ${example ?? "['a', 'b']"}, in quotes for the shell`];
  return example === null || isSecret ? [] : [`for example: ${example}`];
}
