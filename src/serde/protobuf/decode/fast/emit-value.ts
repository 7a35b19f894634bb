import { ScalarType } from '@bufbuild/protobuf';
import { addSymbol } from '../../../generated/symbols.ts';
import { add, addBool, addInteger, addText, floating, flush, reload, type Unit } from '../../../generated/unit.ts';
import type { FieldPlan } from '../message-plan.ts';
import { type Emitter, unitOf } from './emitter.ts';

/** Adds the code for one value, which reads it at `at` and writes it at `to`; it may leave pending output. */
export function addValue(emitter: Emitter, unit: Unit, field: FieldPlan): void {
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
