import { type DescExtension, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { Files } from './files.ts';

/** The integers of 64 bits, which JSON has as text. */
export const longTypes: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/** A field of a message type, or an extension of it. */
export type Member = DescField | DescExtension;

/** What the plan of a message type is made from. */
export interface Planning<Plan> {
  readonly type: DescMessage;
  /** The fields in the order of the schema, then the extensions. */
  readonly members: readonly Member[];
  /** Returns the plan of another message type. */
  plan(type: DescMessage): Plan;
  /** Returns the plan of the type of that full name; undefined if the schema has none. */
  planOf(typeName: string): Plan | undefined;
}

/** Returns a function that plans each message type of a schema once, when it is first needed. */
export function planner<Plan>(files: Files, make: (planning: Planning<Plan>) => Plan): (type: DescMessage) => Plan {
  const plans = new Map<DescMessage, Plan>();
  const plan = (type: DescMessage): Plan => {
    let made = plans.get(type);
    if (made === undefined) {
      made = make({ type, members: [...type.fields, ...files.extensionsOf(type)], plan, planOf });
      plans.set(type, made);
    }
    return made;
  };
  const planOf = (typeName: string): Plan | undefined => {
    const type = files.registry.getMessage(typeName);
    return type && plan(type);
  };
  return plan;
}

/** What holds for a field in both directions. */
export interface FieldTraits {
  readonly number: number;
  readonly kind: 'single' | 'list' | 'map';
  /** Whether zero is the same as no value. */
  readonly isImplicit: boolean;
  /** Whether its messages are groups. */
  readonly isGroup: boolean;
}

/** Returns what holds for a field in both directions. */
export function traitsOf(field: Member): FieldTraits {
  const { number, fieldKind, presence } = field;
  return {
    number,
    kind: fieldKind === 'list' || fieldKind === 'map' ? fieldKind : 'single',
    isImplicit: (fieldKind === 'scalar' || fieldKind === 'enum') && presence === Presence.IMPLICIT,
    isGroup: fieldKind !== 'map' && field.message !== undefined && field.delimitedEncoding === true,
  };
}

/** Checks whether proto2 requires a field. */
export function isRequired({ presence }: Member): boolean {
  return presence === Presence.LEGACY_REQUIRED;
}

const wrapped = ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'];

/** The types whose JSON has a form of its own; `Wrapped` stands for those around one scalar, such as `Int32Value`. */
export type WellKnown = 'Timestamp' | 'Duration' | 'FieldMask' | 'Struct' | 'ListValue' | 'Value' | 'Any' | 'Wrapped';

/** Returns what belongs to a well-known type of Protobuf; undefined for other types, also for those of the same name. */
export function wellKnown<T>(files: Files, type: DescMessage, table: Readonly<Record<WellKnown, T>>): T | undefined {
  const [, name = ''] = /^google\.protobuf\.(\w+)$/.exec(type.typeName) ?? [];
  if (!files.isBuiltIn(type)) return undefined;
  if (wrapped.includes(name.replace(/Value$/, ''))) return table.Wrapped;
  return Object.hasOwn(table, name) ? table[name as WellKnown] : undefined;
}
