import { isObject } from '../../../shape/object.ts';
import { isArray, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { nearestHint } from '../../json/nearest-name.ts';
import { showPath } from '../../json/value-path.ts';
import { MismatchError } from '../../schema.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { mismatch, type Output, writeVarint, writeWithLength } from './output.ts';
import type { ValueWriter } from './scalars.ts';

/** A message type and the number of the field that has it. */
export interface Nested {
  readonly plan: MessagePlan;
  readonly number: number;
}

/** Appends a message with its length in front. */
export function writeNested(output: Output, value: JsonValue, { plan }: Nested): void {
  writeWithLength(output, () => plan.write(output, value, plan));
}

/** Appends a message as a group, after the tag of its beginning. */
export function writeGroup(output: Output, value: JsonValue, { plan, number }: Nested): void {
  plan.write(output, value, plan);
  writeVarint(output, number * 8 + 4);
}

/** Appends the fields of an ordinary message. */
export function writeContent(output: Output, value: JsonValue, plan: MessagePlan): void {
  if (!isObject(value)) throw mismatch(output, `an object for ${plan.type.typeName}`, value);
  writeMembers(output, value, plan, Object.keys(value));
}

interface Member {
  readonly key: string;
  readonly field: FieldPlan;
}

/** Appends the fields that are in those keys of an object, in the order of their numbers. */
export function writeMembers(output: Output, value: JsonObject, plan: MessagePlan, keys: readonly string[]): void {
  const members = membersOf(output, value, plan, keys);
  for (const field of plan.required) {
    if (members.some((member) => member.field === field)) continue;
    throw new MismatchError(showPath(output.path), `the required field "${field.jsonName}"`, 'an object without it');
  }
  for (const { key, field } of members) {
    output.path.push(key);
    writeField(output, value[key] as JsonValue, field);
    output.path.pop();
  }
}

function membersOf(output: Output, value: JsonObject, plan: MessagePlan, keys: readonly string[]): readonly Member[] {
  const members: Member[] = [];
  const taken = new Map<FieldPlan | string, string>();
  for (const key of keys) {
    output.keys++;
    output.path.push(key);
    const field = plan.fields.get(key);
    if (field === undefined) throw unknownField(output, plan, key);
    if (taken.has(field))
      throw new MismatchError(showPath(output.path), 'every field once', 'the field under two names');
    taken.set(field, key);
    if (value[key] !== null || (field.takesNull && field.kind === 'single')) {
      if (field.oneof !== undefined) refuseSecond(output, field.oneof, taken);
      members.push({ key, field });
    }
    output.path.pop();
  }
  return members.sort((a, b) => a.field.number - b.field.number);
}

/** Takes note of the oneof that the field at the path is of. @throws MismatchError if it has a field already */
function refuseSecond({ path }: Output, oneof: string, taken: Map<FieldPlan | string, string>): void {
  const other = taken.get(oneof);
  if (other !== undefined) {
    throw new MismatchError(showPath(path), `one field of oneof ${oneof}`, `"${other}" as well`);
  }
  taken.set(oneof, String(path.at(-1)));
}

function unknownField(output: Output, { type, fields }: MessagePlan, key: string): MismatchError {
  const hint = nearestHint(key, [...new Set([...fields.values()].map(({ jsonName }) => jsonName))]);
  return new MismatchError(showPath(output.path), `a field of ${type.typeName}${hint}`, 'an unknown field');
}

function writeField(output: Output, value: JsonValue, field: FieldPlan): void {
  if (field.kind === 'list') writeList(output, value, field);
  else if (field.kind === 'map') writeMap(output, value, field);
  else {
    const start = output.arena.length;
    writeVarint(output, field.number * 8 + field.value.wire);
    const valueStart = output.arena.length;
    field.value.write(output, value);
    if (field.isImplicit && isZero(output, valueStart)) output.arena.length = start;
  }
}

/** Every default is written as zero bytes only, and nothing else is. */
function isZero({ arena }: Output, start: number): boolean {
  for (let at = start; at < arena.length; at++) if (arena.bytes[at] !== 0) return false;
  return true;
}

function writeList(output: Output, value: JsonValue, field: FieldPlan): void {
  if (!isArray(value)) throw mismatch(output, 'an array', value);
  if (value.length === 0) return;
  const { wire } = field.value;
  if (field.isPacked) {
    writeVarint(output, field.number * 8 + 2);
    writeWithLength(output, () => writeElements(output, value, field.value));
  } else writeElements(output, value, field.value, field.number * 8 + wire);
}

function writeElements(output: Output, values: readonly JsonValue[], { write }: ValueWriter, tag = 0): void {
  for (const [at, value] of values.entries()) {
    output.path.push(at);
    if (tag > 0) writeVarint(output, tag);
    write(output, value);
    output.path.pop();
  }
}

/** The tags of the key and the value of an entry, without their wire types. */
const [keyTag, valueTag] = [8, 16];

function writeMap(output: Output, value: JsonValue, field: FieldPlan): void {
  const { mapKey } = field;
  if (!isObject(value) || mapKey === undefined) throw mismatch(output, 'an object for a map', value);
  for (const key of Object.keys(value)) {
    output.keys++;
    output.path.push(key);
    writeVarint(output, field.number * 8 + 2);
    writeWithLength(output, () => {
      writeVarint(output, keyTag + mapKey.wire);
      mapKey.write(output, mapKeyOf(key, mapKey));
      writeVarint(output, valueTag + field.value.wire);
      field.value.write(output, value[key] as JsonValue);
    });
    output.path.pop();
  }
}

/** Keys of maps are strings in JSON; only those of booleans are not read from strings elsewhere. */
function mapKeyOf(key: string, mapKey: ValueWriter): JsonValue {
  const isBoolean = key === 'true' || key === 'false';
  return isBoolean && mapKey.takesBooleans === true ? key === 'true' : key;
}
