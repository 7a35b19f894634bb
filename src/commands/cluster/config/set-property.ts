import type { Configuration, ConfigValue, Property } from '../../../admin/config-rows.ts';
import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { parseYaml } from '../../../config/yaml/file.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { erasingOf, erasureQuestion } from '../../config-erasure.ts';
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
interface PropertyChoice {
  readonly key: string;
  /** Undefined: the property gets its default. */
  readonly value: string | undefined;
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

/** Plans to set or to reset one property of the cluster over the Admin API. */
export async function planProperty(
  context: Context,
  { key, value: text, broker, api, force: isForced }: PropertyChoice,
): Promise<readonly PlannedProperty[]> {
  refuseBroker(broker);
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const property =
    findProperty(schema, key) ?? (isForced ? unknownProperty(key) : await needProperty(schema, key, api));
  const after = text === undefined ? undefined : await valueFrom(property, text, { isForced, api });
  const now = await admin.configuration();
  const { name, is_secret: sensitive } = property;
  const before = now.values.get(name) ?? null;
  const isNeeded = !isMade(now, property, after);
  if (!isNeeded) context.notice(after === undefined ? `${name} is not set` : `${name} already has this value`);
  const shown = (value: ConfigValue) => (sensitive ? null : textOf(value));
  return [
    {
      broker: null,
      key: name,
      old: shown(before),
      old_source: now.set.has(name) ? 'DYNAMIC_DEFAULT_BROKER_CONFIG' : 'DEFAULT_CONFIG',
      // What a reset falls back to is known only afterwards.
      new: after === undefined && isNeeded ? null : shown(after === undefined ? before : after),
      sensitive,
      change: { property, before, after },
      status: isNeeded ? undefined : 'NOT_NEEDED',
    },
  ];
}

/** The question before a property is changed so that something can be erased; null if nothing can be. */
export function erasureOfProperty([planned]: readonly PlannedProperty[], key: string) {
  if (planned === undefined) return null;
  const { property, before, after } = planned.change;
  const change = { key: property.name, before: textOf(before), after: after === undefined ? after : textOf(after) };
  const erasing = erasingOf([change]);
  return erasing.length === 0 ? null : { question: erasureQuestion(erasing, 'the cluster'), name: key };
}

/** Sets or resets the property. */
export async function setProperty(
  context: Context,
  { change, key, sensitive }: PlannedProperty,
  values: WaitValues & { readonly force: boolean },
): Promise<Partial<SetConfig>> {
  const outcome = await sendChanges(context, [change], values.force);
  if (outcome.version === null) throw outcome.error;
  context.onInterrupt(changedError(outcome.version));
  await settled(context, outcome.version, [change], values);
  if (change.after !== undefined || sensitive) return {};
  return { new: textOf((await (await context.admin()).configuration()).values.get(key) ?? null) };
}

/** Lets the cluster check the change. */
export async function checkProperty(
  context: Context,
  planned: readonly PlannedProperty[],
  { force: isForced }: { readonly force: boolean },
): Promise<readonly Partial<SetConfig>[]> {
  for (const { change, key } of planned) {
    const outcome = await checkChanges(context, [change], isForced);
    if (outcome.version === null) throw outcome.error;
    if (change.after === undefined) context.notice(`${key} would get its default`);
  }
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
    throw usageError(`invalid value for ${name}: it ${error.message}`, {
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
