import { ScalarType } from '@bufbuild/protobuf';
import { addSymbol, type Generated } from '../../../generated/symbols.ts';
import {
  add,
  addBool,
  addInteger,
  addText,
  createUnit,
  floating,
  flush,
  functionOf,
  reload,
  type Unit,
} from '../../../generated/unit.ts';
import type { FieldPlan, MessagePlan } from '../message-plan.ts';

/** The state of generating. */
interface Emitter {
  readonly literals: Uint8Array[];
  readonly symbols: (readonly Uint8Array[])[];
  readonly fields: FieldPlan[];
  /** The indexes of `symbols` by the texts that fields share. */
  readonly enums: Map<readonly Uint8Array[], number>;
  readonly messages: Map<MessagePlan, Unit>;
  /** The number of fields in all messages. */
  size: number;
}

/** Larger message types would be compiled badly. */
const mostFields = 300;
/** The careful decoder does the message types beyond this number of fields in all. */
const mostFieldsInAll = 3000;

/** Returns the unit of a message type; undefined if it has none. */
function unitOf(emitter: Emitter, plan: MessagePlan): Unit | undefined {
  const { messages } = emitter;
  const cached = messages.get(plan);
  if (cached !== undefined) return cached;
  const { length } = plan.fields;
  if (plan.special !== undefined || length > mostFields || emitter.size + length > mostFieldsInAll) return undefined;
  emitter.size += length;
  const unit = createUnit(`u${messages.size}`);
  messages.set(plan, unit);
  return unit;
}

interface Emitted extends Generated {
  /** The fields that the careful decoder does. */
  readonly fields: readonly FieldPlan[];
}

/** A tag of two bytes has a number below this one. */
const mostNumber = 2048;
/** The careful decoder does deeper messages, and says where they are too deep. */
const mostDepth = 150;

/**
 * Generates the code of a decoder for payloads as serializers write them: fields in the order of the schema, and those
 * of a list next to each other. Nothing of the schema's text gets into the code: names are bytes, in numbers or tables.
 * @returns undefined if the message type is one that the careful decoder does better
 */
export function emitDecoder(plan: MessagePlan): Emitted | undefined {
  const emitter: Emitter = { literals: [], symbols: [], fields: [], messages: new Map(), enums: new Map(), size: 0 };
  if (unitOf(emitter, plan) === undefined) return undefined;
  // The map grows while it is walked.
  for (const [message, unit] of emitter.messages) emitMessage(emitter, unit, message);
  const check = `depth > ${mostDepth}`;
  const code = [...emitter.messages.values()].map((unit) => functionOf(unit, 'run, arena, start, stop, depth', check));
  return { code: code.join(''), ...emitter };
}

/** Each field writes a comma in front; the first one makes room for the brace. */
function emitMessage(emitter: Emitter, unit: Unit, plan: MessagePlan): void {
  const oneofs = [...new Set(plan.fields.map(({ oneof }) => oneof))].filter((oneof) => oneof >= 0);
  add(unit, `const first = to; let last = -1, required = 0, c = 0${oneofs.map((one) => `, o${one} = 0`).join('')};`);
  add(unit, 'while (at < stop) {');
  add(unit, 'b = bytes[at++];');
  add(unit, 'if (b >= 128) { c = bytes[at++]; if (c >= 128) throw bail; b = (b & 127) | (c << 7); }');
  addRoom(unit);
  add(unit, 'switch (b) {');
  for (const field of plan.fields) {
    if (field.number < mostNumber) emitField(emitter, unit, field, plan.required.includes(field));
  }
  add(unit, 'default: at = skip(run, b, at);');
  add(unit, '} }');
  add(unit, `if (at !== stop || required !== ${plan.required.length}) throw bail;`);
  add(unit, 'if (to === first) to++;');
  add(unit, 'out[first] = 123; out[to++] = 125;');
}

/** Makes room for the next value; the careful decoder says what is too long. */
function addRoom(unit: Unit): void {
  add(unit, 'if (to > limit) throw bail;');
  add(unit, `if (to + room > out.length) { arena.length = to; ${reload} }`);
}

function emitField(emitter: Emitter, unit: Unit, field: FieldPlan, isRequired: boolean): void {
  const { number, wire, index, oneof } = field;
  const open = (tag: number): void => {
    add(unit, `case ${tag}: {`);
    add(unit, `if (last >= ${index}) throw bail; last = ${index};`);
    if (oneof >= 0) add(unit, `if (o${oneof} === 1) throw bail; o${oneof} = 1;`);
    if (isRequired) add(unit, 'required++;');
  };
  const tag = number * 8 + wire;
  if (field.closed !== undefined && field.symbols === undefined) {
    add(unit, `case ${tag}: case ${number * 8 + 2}: throw bail;`);
    return;
  }
  open(tag);
  if (field.kind === 'list') emitList(emitter, unit, field, tag);
  else if (field.kind === 'map') emitMap(emitter, unit, field);
  else emitSingle(emitter, unit, field);
  add(unit, 'break; }');
  if (!field.isPackable) return;
  open(number * 8 + 2);
  emitPacked(emitter, unit, field);
  add(unit, 'break; }');
}

function addKey(unit: Unit, { key }: FieldPlan): void {
  unit.pending += Buffer.from(key.view.buffer, key.view.byteOffset, key.length).toString();
}

function emitSingle(emitter: Emitter, unit: Unit, field: FieldPlan): void {
  if (field.isImplicit) {
    if (field.wire === 1 || field.wire === 5) {
      const upper = field.wire === 1 ? ' && source.getInt32(at + 4, true) === 0' : '';
      add(unit, `if (source.getInt32(at, true) === 0${upper}) { at += ${field.wire === 1 ? 8 : 4}; break; }`);
    } else add(unit, 'if (bytes[at] === 0) { at++; break; }');
  }
  addKey(unit, field);
  addValue(emitter, unit, field);
  flush(unit, emitter.literals);
}

function emitMap(emitter: Emitter, unit: Unit, field: FieldPlan): void {
  addKey(unit, field);
  flush(unit, emitter.literals);
  const index = emitter.fields.push(field) - 1;
  add(unit, `arena.length = to; at = map(run, arena, fields[${index}], { at, stop, depth }); ${reload}`);
}

/** Opens a loop over the values of a list; returns what closes it. */
function openList(emitter: Emitter, unit: Unit, field: FieldPlan): (isLast: string, next: string) => void {
  addKey(unit, field);
  unit.pending += '[';
  flush(unit, emitter.literals);
  add(unit, 'for (;;) {');
  return (isLast, next) => {
    flush(unit, emitter.literals);
    add(unit, `if (${isLast}) break;`);
    add(unit, next);
    addRoom(unit);
    add(unit, 'out[to++] = 44;');
    add(unit, '}');
    add(unit, 'out[to++] = 93;');
  };
}

function emitList(emitter: Emitter, unit: Unit, field: FieldPlan, tag: number): void {
  const close = openList(emitter, unit, field);
  addValue(emitter, unit, field);
  const [same, bytes] =
    tag < 128
      ? [`bytes[at] === ${tag}`, 1]
      : [`bytes[at] === ${(tag & 127) | 128} && bytes[at + 1] === ${tag >>> 7}`, 2];
  close(`at >= stop || !(${same})`, `at += ${bytes};`);
}

function emitPacked(emitter: Emitter, unit: Unit, field: FieldPlan): void {
  add(unit, 'b = bytes[at++]; if (b >= 128) { b = lengthAt(run, at - 1); at = run.at; }');
  add(unit, 'if (b > stop - at) throw bail;');
  add(unit, 'if (b === 0) break;');
  add(unit, 'const pack = at + b;');
  const close = openList(emitter, unit, field);
  addValue(emitter, unit, field);
  close('at >= pack', '');
  add(unit, 'if (at !== pack) throw bail;');
}

/** Adds the code for one value, which reads it at `at` and writes it at `to`; it may leave pending output. */
function addValue(emitter: Emitter, unit: Unit, field: FieldPlan): void {
  unit.room += 48;
  if (field.symbols !== undefined) addEnum(emitter, unit, field.symbols);
  else if (field.scalar !== undefined && addScalar(emitter, unit, field.scalar)) return;
  else if (!addMessage(emitter, unit, field)) addCareful(emitter, unit, field);
}

function addCareful(emitter: Emitter, unit: Unit, field: FieldPlan): void {
  flush(unit, emitter.literals);
  const index = emitter.fields.push(field) - 1;
  add(unit, `arena.length = to; at = careful(run, arena, fields[${index}], { at, stop, depth }); ${reload}`);
}

/** Returns false if the message type has no function of its own. */
function addMessage(emitter: Emitter, unit: Unit, { message, group }: FieldPlan): boolean {
  const inner = message === undefined || group > 0 ? undefined : unitOf(emitter, message());
  if (inner === undefined) return false;
  flush(unit, emitter.literals);
  add(unit, 'b = bytes[at++]; if (b >= 128) { b = lengthAt(run, at - 1); at = run.at; }');
  add(unit, 'if (b > stop - at) throw bail;');
  add(unit, `arena.length = to; at = ${inner.name}(run, arena, at, at + b, depth + 1); ${reload}`);
  return true;
}

function addEnum(emitter: Emitter, unit: Unit, texts: readonly Uint8Array[]): void {
  flush(unit, emitter.literals);
  const index = emitter.enums.get(texts) ?? emitter.symbols.push(texts) - 1;
  emitter.enums.set(texts, index);
  add(unit, `b = bytes[at++]; if (!(b < ${Math.min(texts.length, 128)})) throw bail;`);
  addSymbol(unit, texts, index);
}

/** The readers of integers, and whether they are strings in JSON. */
const varints: ReadonlyMap<ScalarType, readonly [reader: string, isQuoted: boolean]> = new Map([
  [ScalarType.INT32, ['int32Text', false]],
  [ScalarType.UINT32, ['uint32Text', false]],
  [ScalarType.SINT32, ['sint32Text', false]],
  [ScalarType.INT64, ['int64Text', true]],
  [ScalarType.UINT64, ['uint64Text', true]],
  [ScalarType.SINT64, ['sint64Text', true]],
]);

/** The code for values of a fixed size. */
const fixed: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.DOUBLE, floating.double],
  [ScalarType.FLOAT, floating.float],
  [ScalarType.FIXED32, 'to = writeSigned(view, to, source.getUint32(at, true), false); at += 4;'],
  [ScalarType.SFIXED32, 'to = writeInt(view, to, source.getInt32(at, true)); at += 4;'],
  [
    ScalarType.FIXED64,
    quoted('to = unsignedText(view, to, source.getInt32(at + 4, true), source.getInt32(at, true));'),
  ],
  [ScalarType.SFIXED64, quoted('to = signedText(view, to, source.getInt32(at + 4, true), source.getInt32(at, true));')],
]);

function quoted(code: string): string {
  return `out[to++] = 34; ${code} at += 8; out[to++] = 34;`;
}

/** Returns false for types that only the careful decoder knows. */
function addScalar(emitter: Emitter, unit: Unit, type: ScalarType): boolean {
  if (type === ScalarType.STRING) {
    addText(unit, emitter.literals, 'b < 64 && at + b < stop');
    return true;
  }
  flush(unit, emitter.literals);
  const integer = varints.get(type);
  const code = fixed.get(type);
  if (type === ScalarType.BOOL) addBool(unit);
  else if (integer !== undefined) addVarint(unit, ...integer);
  else if (code !== undefined) add(unit, code);
  else return false;
  return true;
}

function addVarint(unit: Unit, reader: string, isQuoted: boolean): void {
  if (isQuoted) add(unit, 'out[to++] = 34;');
  addInteger(unit, reader.startsWith('s') ? 'small' : 'lead', reader);
  if (isQuoted) add(unit, 'out[to++] = 34;');
}
