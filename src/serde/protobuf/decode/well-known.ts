import { type Arena, appendAscii, appendByte } from '../../../bytes/arena.ts';
import { jsonTextWriter } from '../../../bytes/json-text/json-text.ts';
import type { WellKnown } from '../plans.ts';
import { findFields, writeField, writeFields } from './message.ts';
import type { FieldPlan, Message, Occurrences, WellKnownWriter } from './message-plan.ts';
import { enter, failure, type Payload, readLength, readVarint } from './payload.ts';
import { writeDefault } from './scalars.ts';

const quote = 0x22;

/** The writers of the types that do not have the JSON form of other messages. */
export const wellKnownWriters: Readonly<Record<WellKnown, WellKnownWriter>> = {
  Timestamp: writeTimestamp,
  Duration: writeDuration,
  FieldMask: writeFieldMask,
  Struct: only('{}'),
  ListValue: only('[]'),
  Value: writeValue,
  Any: writeAny,
  Wrapped: writeWrapped,
};

function integer(payload: Payload, message: Message, number: number): number {
  if (!moveTo(payload, message, number)) return 0;
  readVarint(payload);
  return number === 1 ? payload.high * 2 ** 32 + (payload.low >>> 0) : payload.low;
}

const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
const mostSeconds = 315_576_000_000;
const nanosPerSecond = 1_000_000_000;

function writeTimestamp(payload: Payload, arena: Arena, message: Message): void {
  const seconds = integer(payload, message, 1);
  const nanos = integer(payload, message, 2);
  if (seconds < firstSecond || seconds > lastSecond)
    throw failure(payload, 'a timestamp outside of the years 1 to 9999');
  if (nanos < 0 || nanos >= nanosPerSecond) throw failure(payload, `a timestamp with ${nanos} nanoseconds`);
  const text = new Date(seconds * 1000).toISOString();
  appendAscii(arena, `"${text.slice(0, 19)}${fraction(nanos)}Z"`);
}

function writeDuration(payload: Payload, arena: Arena, message: Message): void {
  const seconds = integer(payload, message, 1);
  const nanos = integer(payload, message, 2);
  const isMixed = (seconds < 0 && nanos > 0) || (seconds > 0 && nanos < 0);
  if (Math.abs(seconds) > mostSeconds) throw failure(payload, 'a duration of more than 10000 years');
  if (Math.abs(nanos) >= nanosPerSecond || isMixed) throw failure(payload, `a duration with ${nanos} nanoseconds`);
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  appendAscii(arena, `"${sign}${Math.abs(seconds)}${fraction(Math.abs(nanos))}s"`);
}

/** Nanoseconds have no, 3, 6 or 9 digits. */
function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  return `.${digits.replace(/(?:000){1,2}$/, '')}`;
}

function writeFieldMask(payload: Payload, arena: Arena, message: Message): void {
  const occurrences = occurrencesOf(payload, message, 1);
  const paths: string[] = [];
  for (let at = occurrences?.from ?? 0; at < (occurrences?.to ?? 0); at += 2) {
    payload.at = payload.found[at + 1] as number;
    const length = readLength(payload);
    const path = payload.source.bytes.toString('utf8', payload.at, payload.at + length);
    if (!/^(?:[\da-z.]|_[a-z])*$/.test(path)) {
      throw failure(payload, `the path ${JSON.stringify(path.slice(0, 60))} has no form in JSON`);
    }
    paths.push(path.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()));
  }
  appendAscii(arena, JSON.stringify(paths.join(',')));
}

/** Returns the writer for a type whose JSON is that of its first field, or `empty` without it. */
function only(empty: string): WellKnownWriter {
  return (payload, arena, message) => {
    const occurrences = occurrencesOf(payload, message, 1);
    const field = message.plan.find(1);
    const isWritten =
      occurrences !== undefined && field !== undefined && writeField(payload, arena, field, occurrences);
    if (!isWritten) appendAscii(arena, empty);
  };
}

function writeWrapped(payload: Payload, arena: Arena, message: Message): void {
  const { write } = message.plan.find(1) as FieldPlan;
  if (moveTo(payload, message, 1)) write(payload, arena);
  else writeDefault(payload, arena, write);
}

/** The number of Value's field for numbers. */
const numberValue = 2;

function writeValue(payload: Payload, arena: Arena, { plan, base }: Message): void {
  if (payload.foundLength === base) throw failure(payload, 'a google.protobuf.Value without a value');
  const field = plan.fields[(payload.found[base] as number) >>> 3] as FieldPlan;
  const before = arena.length;
  writeField(payload, arena, field, { from: base, to: payload.foundLength });
  if (plan.find(numberValue) === field && arena.bytes[before] === quote) {
    throw failure(payload, 'a google.protobuf.Value that is not a finite number');
  }
}

const emptyValue = 0;

/** Appends the message in a google.protobuf.Any: its members after `@type`. */
function writeAny(payload: Payload, arena: Arena, message: Message): void {
  const url = moveTo(payload, message, 1) ? textAt(payload) : '';
  const hasValue = moveTo(payload, message, 2);
  if (url === '' && !hasValue) {
    appendAscii(arena, '{}');
    return;
  }
  const plan = message.plan.planOf(url.slice(url.lastIndexOf('/') + 1));
  if (plan === undefined) {
    throw failure(
      payload,
      `a google.protobuf.Any of the type ${JSON.stringify(url.slice(0, 100))}, which the schema does not have`,
    );
  }
  appendAscii(arena, '{"@type":');
  writeTextField(payload, arena, message, 1);
  enter(payload);
  const { limit, foundLength } = payload;
  const length = moveTo(payload, message, 2) ? readLength(payload) : emptyValue;
  const base = findFields(payload, plan, payload.at + length, 0);
  writeMembers(payload, arena, { plan, base });
  appendByte(arena, 0x7d);
  payload.foundLength = foundLength;
  payload.limit = limit;
  payload.depth--;
}

function textAt(payload: Payload): string {
  const length = readLength(payload);
  return payload.source.bytes.toString('utf8', payload.at, payload.at + length);
}

/** Appends the members of a message, or its whole JSON as the member `value` if it has another form. */
function writeMembers(payload: Payload, arena: Arena, { plan, base }: Message): void {
  if (plan.special === undefined) writeFields(payload, arena, { plan, base }, true);
  else {
    appendAscii(arena, ',"value":');
    plan.special(payload, arena, { plan, base });
  }
}

const writeText = jsonTextWriter();

/** Returns the occurrences of the field of that number; undefined if there are none. */
function occurrencesOf(payload: Payload, { plan, base }: Message, number: number): Occurrences | undefined {
  const index = plan.find(number)?.index;
  let [from, to] = [-1, -1];
  for (let at = base; at < payload.foundLength; at += 2) {
    if ((payload.found[at] as number) >>> 3 !== index) continue;
    if (from < 0) from = at;
    to = at + 2;
  }
  return from < 0 ? undefined : { from, to };
}

/** Moves to the last value of a field; returns false if there is none. */
function moveTo(payload: Payload, message: Message, number: number): boolean {
  const occurrences = occurrencesOf(payload, message, number);
  if (occurrences !== undefined) payload.at = payload.found[occurrences.to - 1] as number;
  return occurrences !== undefined;
}

/** Appends the text field of that number as JSON, without moving. */
function writeTextField(payload: Payload, arena: Arena, message: Message, number: number): void {
  if (!moveTo(payload, message, number)) {
    appendAscii(arena, '""');
    return;
  }
  const length = readLength(payload);
  if (!writeText(arena, payload.source, payload.at, length)) throw failure(payload, 'a string is not valid UTF-8');
}
