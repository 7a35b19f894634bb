import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import { takeBytes } from '../../../bytes/arena.ts';
import { isObject } from '../../../shape/object.ts';
import { duplicateKeyError, parseInput } from '../../json/input.ts';
import { isArray, type JsonValue } from '../../json/json-value.ts';
import { showPath } from '../../json/value-path.ts';
import { type Encoder, type MessageOptions, MismatchError, SchemaError } from '../../schema.ts';
import { chooseMessage, indexesOf, messagesAt } from '../choose-message.ts';
import type { Files } from '../files.ts';
import { isRequired, type Member, planner, traitsOf, type WellKnown, wellKnown } from '../plans.ts';
import { writeContent, writeGroup, writeMembers, writeNested } from './message.ts';
import type { FieldPlan, MessagePlan, WriteContent } from './message-plan.ts';
import {
  createOutput,
  mismatch,
  type Output,
  writeByte,
  writeLongVarint,
  writeVarint,
  writeWithLength,
} from './output.ts';
import { enumWriter, scalarWriter, type ValueWriter, writeDouble, writeText } from './scalars.ts';

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

/** The writers of the types that do not have the JSON form of other messages. */
const wellKnownWriters: Readonly<Record<WellKnown, WriteContent>> = {
  Timestamp: writeTimestamp,
  Duration: writeDuration,
  FieldMask: writeFieldMask,
  Struct: writeStruct,
  ListValue: writeListValue,
  Value: writeValue,
  Any: writeAny,
  Wrapped: writeWrapped,
};

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const [firstMs, lastMs] = [-62_135_596_800_000, 253_402_300_799_000];

function writeTimestamp(output: Output, value: JsonValue): void {
  const [, date = '', digits = '', sign, hours, minutes] = (typeof value === 'string' && time.exec(value)) || [];
  const local = Date.parse(`${date}Z`);
  // A day such as February 30 would be taken for one in March.
  const isDate = !Number.isNaN(local) && new Date(local).toISOString().startsWith(date);
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const ms = local - offset;
  if (date === '' || !isDate || ms < firstMs || ms > lastMs) {
    throw mismatch(output, 'a timestamp such as "2026-01-31T12:00:00Z"', value);
  }
  writeSecondsAndNanos(output, ms / 1000, Number(digits.padEnd(9, '0')));
}

function writeDuration(output: Output, value: JsonValue): void {
  const parts = typeof value === 'string' ? /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(value) : null;
  const [, sign, seconds, digits = ''] = parts ?? [];
  if (parts === null || Number(seconds) > 315_576_000_000) throw mismatch(output, 'a duration such as "1.5s"', value);
  const direction = sign === '-' ? -1 : 1;
  writeSecondsAndNanos(output, Number(seconds) * direction, Number(digits.padEnd(9, '0')) * direction);
}

function writeSecondsAndNanos(output: Output, seconds: number, nanos: number): void {
  for (const [tag, value] of [
    [8, seconds],
    [16, nanos],
  ] as const) {
    if (value === 0) continue;
    writeByte(output, tag);
    writeLongVarint(output, BigInt(value));
  }
}

function writeFieldMask(output: Output, value: JsonValue): void {
  if (typeof value !== 'string' || !/^[A-Za-z\d.,]*$/.test(value)) {
    throw mismatch(output, 'paths in camel case such as "user.displayName,photo"', value);
  }
  for (const path of value === '' ? [] : value.split(',')) {
    writeByte(output, 10);
    writeText(
      output,
      path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  }
}

function writeStruct(output: Output, value: JsonValue): void {
  if (!isObject(value)) throw mismatch(output, 'an object', value);
  for (const key of Object.keys(value)) {
    output.keys++;
    output.path.push(key);
    writeByte(output, 10);
    writeWithLength(output, () => {
      writeByte(output, 10);
      writeText(output, key);
      writeByte(output, 18);
      writeWithLength(output, () => writeValue(output, value[key] as JsonValue));
    });
    output.path.pop();
  }
}

function writeListValue(output: Output, value: JsonValue): void {
  if (!isArray(value)) throw mismatch(output, 'an array', value);
  for (const [at, element] of value.entries()) {
    output.path.push(at);
    writeByte(output, 10);
    writeWithLength(output, () => writeValue(output, element));
    output.path.pop();
  }
}

/** Any JSON; numbers are doubles there. */
function writeValue(output: Output, value: JsonValue): void {
  if (value === null) {
    writeByte(output, 8);
    writeByte(output, 0);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    const double = Number(value);
    if (!Number.isFinite(double)) throw mismatch(output, 'a finite number', value);
    writeByte(output, 17);
    writeDouble(output, double);
  } else if (typeof value === 'boolean') {
    writeByte(output, 32);
    writeByte(output, value ? 1 : 0);
  } else if (typeof value === 'string') {
    writeByte(output, 26);
    writeText(output, value);
  } else {
    writeByte(output, isArray(value) ? 50 : 42);
    writeWithLength(output, () => (isArray(value) ? writeListValue(output, value) : writeStruct(output, value)));
  }
}

function writeWrapped(output: Output, value: JsonValue, { fields }: MessagePlan): void {
  const { value: writer } = fields.get('value') as FieldPlan;
  const { length } = output.arena;
  writeByte(output, 8 + writer.wire);
  const start = output.arena.length;
  writer.write(output, value);
  const { arena } = output;
  if (arena.bytes.subarray(start, arena.length).every((byte) => byte === 0)) arena.length = length;
}

const typeKey = '@type';

function writeAny(output: Output, value: JsonValue, { planOf }: MessagePlan): void {
  if (!isObject(value)) throw mismatch(output, 'an object with "@type"', value);
  const keys = Object.keys(value);
  if (keys.length === 0) return;
  const url = Object.hasOwn(value, typeKey) ? value[typeKey] : undefined;
  if (typeof url !== 'string' || !url.includes('/')) {
    throw new MismatchError(
      showPath(output.path),
      '"@type" with a URL such as "type.googleapis.com/p.M"',
      'an object without it',
    );
  }
  const plan = planOf(url.slice(url.lastIndexOf('/') + 1));
  if (plan === undefined) throw mismatch(output, 'the name of a message type of the schema in "@type"', url);
  output.keys++;
  writeByte(output, 10);
  writeText(output, url);
  writeByte(output, 18);
  writeWithLength(output, () => {
    const others = keys.filter((key) => key !== typeKey);
    if (!plan.isSpecial) {
      writeMembers(output, value, plan, others);
      return;
    }
    if (others.join() !== 'value') throw mismatch(output, 'an object with "@type" and "value" only', value);
    output.keys++;
    output.path.push('value');
    plan.write(output, value.value as JsonValue, plan);
    output.path.pop();
  });
}
