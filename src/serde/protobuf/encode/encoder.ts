import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import { takeBytes } from '../../../bytes/arena.ts';
import { duplicateKeyError, parseInput } from '../../json/input.ts';
import { type Encoder, type MessageOptions, MismatchError, SchemaError } from '../../schema.ts';
import { chooseMessage, indexesOf, messagesAt } from '../choose-message.ts';
import type { Files } from '../files.ts';
import { isRequired, type Member, planner, traitsOf, wellKnown } from '../plans.ts';
import { writeContent, writeGroup, writeNested } from './message.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { createOutput, type Output, writeByte, writeVarint } from './output.ts';
import { enumWriter, scalarWriter, type ValueWriter } from './scalars.ts';
import { wellKnownWriters } from './well-known.ts';

/**
 * Creates an encoder; with `bare` the payload has no message indexes in front.
 * @throws SchemaError if the message type is not in the schema, or is needed and missing
 */
export function createEncoder(files: Files, options: MessageOptions = {}): Encoder {
  const type = typeOf(files, options);
  const plan = createPlanner(files)(type);
  const output = createOutput();
  const indexes = options.bare === undefined ? indexesOf(files, type) : undefined;
  return {
    encode(json) {
      const { value, keys } = parseInput(json);
      Object.assign(output, { keys: 0, depth: 0 });
      output.path.length = 0;
      output.arena.length = 0;
      if (indexes !== undefined) writeIndexes(output, indexes);
      plan.write(output, value, plan);
      if (output.keys !== keys) throw keyTwice(json);
      return takeBytes(output.arena);
    },
  };
}

/** Returns the message type that the options ask for. */
export function typeOf(files: Files, { message, bare }: MessageOptions): DescMessage {
  if (message !== undefined || bare === undefined) return chooseMessage(files, message);
  const [atIndexes] = messagesAt(files, bare);
  if (atIndexes !== undefined) return atIndexes;
  throw new SchemaError(`the schema has no message type with the index ${bare.join(', ')}`);
}

function keyTwice(json: Buffer): MismatchError {
  return duplicateKeyError(json.toString()) ?? new MismatchError('$', 'every key once', 'a key twice');
}

/** Writes a path of indexes; the path of the first message is a single 0. */
function writeIndexes(output: Output, indexes: readonly number[]): void {
  if (indexes.length === 1 && indexes[0] === 0) {
    writeByte(output, 0);
    return;
  }
  writeVarint(output, indexes.length * 2);
  for (const index of indexes) writeVarint(output, index * 2);
}

/** Finds or creates plans. */
type Planner = (type: DescMessage) => MessagePlan;

/** Creates a planner for the message types of a schema. */
function createPlanner(files: Files): Planner {
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
