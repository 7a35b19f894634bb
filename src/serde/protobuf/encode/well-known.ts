import { isObject } from '../../../shape/object.ts';
import { isArray, type JsonValue } from '../../json/json-value.ts';
import { showPath } from '../../json/value-path.ts';
import { MismatchError } from '../../schema.ts';
import type { WellKnown } from '../plans.ts';
import { writeMembers } from './message.ts';
import type { FieldPlan, MessagePlan, WriteContent } from './message-plan.ts';
import { mismatch, type Output, writeByte, writeLongVarint, writeWithLength } from './output.ts';
import { writeDouble, writeText } from './scalars.ts';

/** The writers of the types that do not have the JSON form of other messages. */
export const wellKnownWriters: Readonly<Record<WellKnown, WriteContent>> = {
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
