import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import type { Files } from '../files.ts';
import { isRequired, type Member, planner, traitsOf, wellKnown } from '../plans.ts';
import { writeContent, writeGroup, writeNested } from './message.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { enumWriter, scalarWriter, type ValueWriter } from './scalars.ts';
import { wellKnownWriters } from './well-known.ts';

/** Finds or creates plans. */
export type Planner = (type: DescMessage) => MessagePlan;

/** Creates a planner for the message types of a schema. */
export function createPlanner(files: Files): Planner {
  return planner(files, ({ type, members, plan, planOf }) => {
    const fields = members.map((field) => planField(field, plan));
    const special = wellKnown(files, type, wellKnownWriters);
    return {
      type,
      isSpecial: special !== undefined,
      write: special ?? writeContent,
      fields: new Map(members.flatMap((field, at) => namesOf(field).map((name) => [name, fields[at] as FieldPlan]))),
      required: fields.filter((_, at) => isRequired(members[at] as Member)),
      planOf,
    };
  });
}

function namesOf({ kind, name, jsonName }: Member): readonly string[] {
  return kind === 'extension' ? [jsonName] : [name, jsonName];
}

const nullTypes = ['google.protobuf.Value', 'google.protobuf.NullValue'];

function planField(field: Member, plan: Planner): FieldPlan {
  const { number, kind, isImplicit, isGroup } = traitsOf(field);
  return {
    number,
    jsonName: field.jsonName,
    kind,
    isPacked: field.fieldKind === 'list' && field.packed,
    isImplicit,
    oneof: field.oneof?.name,
    takesNull: nullTypes.includes((field.message ?? field.enum)?.typeName ?? ''),
    value: valueWriter(field, plan, isGroup),
    mapKey: field.fieldKind === 'map' ? scalarWriter(field.mapKey) : undefined,
  };
}

function valueWriter(field: Member, plan: Planner, isGroup: boolean): ValueWriter {
  const { message, number } = field;
  if (message !== undefined) {
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
