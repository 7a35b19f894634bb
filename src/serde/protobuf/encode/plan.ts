import type { DescEnum, DescExtension, DescField, DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { Files } from '../files.ts';
import { writeContent, writeGroup, writeNested } from './message.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { enumWriter, scalarWriter, type ValueWriter } from './scalars.ts';
import { wellKnownContent } from './well-known.ts';

/** Finds or creates plans. */
export type Planner = (type: DescMessage) => MessagePlan;

/** Creates a planner for the message types of a schema. */
export function createPlanner(files: Files): Planner {
  const plans = new Map<DescMessage, MessagePlan>();
  const plan: Planner = (type) => {
    const known = plans.get(type);
    if (known !== undefined) return known;
    const members = [...type.fields, ...files.extensionsOf(type)];
    const planned = members.map((field) => planField(field, plan));
    const special = files.isBuiltIn(type) ? wellKnownContent(type.typeName) : undefined;
    const made: MessagePlan = {
      type,
      isSpecial: special !== undefined,
      write: special ?? writeContent,
      fields: new Map(members.flatMap((field, at) => namesOf(field).map((name) => [name, planned[at] as FieldPlan]))),
      required: planned.filter((_, at) => members[at]?.presence === Presence.LEGACY_REQUIRED),
      planOf(typeName) {
        const found = files.registry.getMessage(typeName);
        return found && plan(found);
      },
    };
    plans.set(type, made);
    return made;
  };
  return plan;
}

function namesOf({ kind, name, jsonName }: DescField | DescExtension): readonly string[] {
  return kind === 'extension' ? [jsonName] : [name, jsonName];
}

function planField(field: DescField | DescExtension, plan: Planner): FieldPlan {
  const { fieldKind, message } = field;
  const nullTypes = ['google.protobuf.Value', 'google.protobuf.NullValue'];
  return {
    number: field.number,
    jsonName: field.jsonName,
    kind: fieldKind === 'list' || fieldKind === 'map' ? fieldKind : 'single',
    isPacked: fieldKind === 'list' && field.packed,
    isImplicit: (fieldKind === 'scalar' || fieldKind === 'enum') && field.presence === Presence.IMPLICIT,
    oneof: field.oneof?.name,
    takesNull: nullTypes.includes((message ?? field.enum)?.typeName ?? ''),
    value: valueWriter(field, plan),
    mapKey: fieldKind === 'map' ? scalarWriter(field.mapKey) : undefined,
  };
}

function valueWriter(field: DescField | DescExtension, plan: Planner): ValueWriter {
  const { message, number } = field;
  if (message !== undefined) {
    const isGroup = field.fieldKind !== 'map' && field.delimitedEncoding === true;
    const write = isGroup ? writeGroup : writeNested;
    return { wire: isGroup ? 3 : 2, write: (output, value) => write(output, value, { plan: plan(message), number }) };
  }
  if (field.enum !== undefined) return sharedWriter(field.enum);
  return scalarWriter(field.scalar as NonNullable<typeof field.scalar>);
}

/** All fields of an enum share one writer: an enum can have tens of thousands of values, and as many fields. */
const enumWriters = new WeakMap<DescEnum, ValueWriter>();

function sharedWriter(type: DescEnum): ValueWriter {
  const writer = enumWriters.get(type) ?? enumWriter(type);
  enumWriters.set(type, writer);
  return writer;
}
