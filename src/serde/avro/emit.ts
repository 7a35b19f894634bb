import { addSymbol, type Generated } from '../generated/symbols.ts';
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
} from '../generated/unit.ts';
import type { Census } from './census.ts';
import type { Decimal } from './decimal.ts';
import type { AvroType, EnumType, RecordType, UnionType } from './model.ts';
import { deepest, tagOf } from './model.ts';

interface Emitter {
  readonly census: Census;
  readonly units: Unit[];
  /** The functions of records that have one of their own. */
  readonly records: Map<RecordType, string>;
  readonly literals: Uint8Array[];
  readonly symbols: (readonly Uint8Array[])[];
  /** Functions that are still to be made. */
  readonly queue: (() => void)[];
}

/**
 * Generates the code of a decoder. Nothing of the schema's text gets into the code: names and symbols are bytes, in
 * numbers or in tables.
 */
export function emitDecoder(type: AvroType, census: Census): Generated {
  const emitter: Emitter = { census, units: [], records: new Map(), literals: [], symbols: [], queue: [] };
  const top = newUnit(emitter);
  if (type.kind === 'record') {
    emitter.records.set(type, top.name);
    emitRecord(emitter, top, type, 1);
  } else emitValue(emitter, top, type, 0);
  flush(top, emitter.literals);
  for (let next = emitter.queue.pop(); next !== undefined; next = emitter.queue.pop()) next();
  const code = emitter.units.map((unit) =>
    functionOf(
      unit,
      'run, arena, start, depth',
      `depth + ${unit.nesting} > ${deepest} || arena.length > run.limit || start > run.end`,
    ),
  );
  return { code: code.join(''), literals: emitter.literals, symbols: emitter.symbols };
}

function newUnit(emitter: Emitter): Unit {
  const unit = createUnit(`u${emitter.units.length}`);
  emitter.units.push(unit);
  return unit;
}

/** Adds the code for a value inside `level` others of the same unit. */
function emitValue(emitter: Emitter, unit: Unit, type: AvroType, level: number): void {
  if (level >= mostLevels) {
    emitApart(emitter, unit, type, level);
    return;
  }
  unit.values++;
  unit.nesting = Math.max(unit.nesting, level + 1);
  switch (type.kind) {
    case 'null':
      unit.pending += 'null';
      break;
    case 'string':
      emitText(emitter, unit);
      break;
    case 'enum':
      emitEnum(emitter, unit, type);
      break;
    case 'record':
      if (isOwnUnit(emitter, unit, type)) callRecord(emitter, unit, type, level);
      else emitRecord(emitter, unit, type, level + 1);
      break;
    case 'union':
      emitUnion(emitter, unit, type, level + 1);
      break;
    case 'array':
      emitArray(emitter, unit, type.items, level + 1);
      break;
    case 'map':
      emitMap(emitter, unit, type.values, level + 1);
      break;
    default:
      flush(unit, emitter.literals);
      emitScalar(unit, type);
  }
}

/** Deeper values get a function of their own, since V8 has no stack for very deep code. */
const mostLevels = 20;

function emitApart(emitter: Emitter, unit: Unit, type: AvroType, level: number): void {
  const inner = newUnit(emitter);
  // Later, because named types may be nested in one another thousands of levels deep.
  emitter.queue.push(() => {
    emitValue(emitter, inner, type, 0);
    flush(inner, emitter.literals);
  });
  addCall(emitter, unit, inner.name, level);
}

function emitScalar(unit: Unit, type: Exclude<AvroType, RecordType | UnionType | EnumType>): void {
  unit.room += 32;
  switch (type.kind) {
    case 'boolean':
      addBool(unit);
      break;
    case 'int':
    case 'long':
      addInteger(unit, 'small', `${type.kind}Text`);
      break;
    case 'float':
    case 'double':
      add(unit, floating[type.kind]);
      break;
    case 'bytes':
      emitBytes(unit, 'at = bytesText(run, arena, at);', -1, type.decimal);
      break;
    case 'fixed':
      emitBytes(unit, `at = fixedText(run, arena, at, ${type.size});`, type.size, type.decimal);
      break;
  }
}

function emitBytes(unit: Unit, plain: string, size: number, decimal: Decimal | undefined): void {
  const read = decimal === undefined ? plain : `run.at = at; at = decimalText(run, arena, ${size}, ${decimal.scale});`;
  add(unit, `arena.length = to; ${read} ${reload}`);
}

function emitText({ literals }: Emitter, unit: Unit): void {
  addText(unit, literals, '(b & 129) === 0 && at + (b >>>= 1) < end');
}

function emitEnum(emitter: Emitter, unit: Unit, { symbols }: EnumType): void {
  flush(unit, emitter.literals);
  const texts = symbols.map((symbol) => Buffer.from(JSON.stringify(symbol)));
  add(unit, 'b = bytes[at];');
  add(unit, `if (b < ${Math.min(symbols.length * 2, 128)} && (b & 1) === 0) { b >>>= 1; at++; }`);
  add(unit, `else { b = indexAt(run, at, ${symbols.length}); at = run.at; }`);
  addSymbol(unit, texts, emitter.symbols.push(texts) - 1);
}

/** Records of one field each could be nested without end; larger units are compiled worse. */
const mostValues = 60;
/** The fields of larger records are spread over several units. */
const mostFields = 32;

/** Records that occur several times or contain themselves get a function of their own. */
function isOwnUnit({ census }: Emitter, unit: Unit, type: RecordType): boolean {
  return (census.uses.get(type) ?? 0) > 1 || unit.values + type.fields.length > mostValues;
}

function callRecord(emitter: Emitter, unit: Unit, type: RecordType, level: number): void {
  let name = emitter.records.get(type);
  if (name === undefined) {
    const inner = newUnit(emitter);
    name = inner.name;
    emitter.records.set(type, name);
    emitter.queue.push(() => {
      emitRecord(emitter, inner, type, 1);
      flush(inner, emitter.literals);
    });
  }
  addCall(emitter, unit, name, level);
}

function addCall({ literals }: Emitter, unit: Unit, name: string, level: number): void {
  flush(unit, literals);
  add(unit, `arena.length = to; at = ${name}(run, arena, at, depth + ${level}); ${reload}`);
}

/** Adds the code for a record, whose fields are inside `level` values of the unit. */
function emitRecord(emitter: Emitter, unit: Unit, { fields }: RecordType, level: number): void {
  unit.nesting = Math.max(unit.nesting, level);
  unit.pending += '{';
  const parts = Math.ceil(fields.length / mostFields);
  for (let part = 0; part < parts; part++) {
    const inner = parts === 1 ? unit : newUnit(emitter);
    const start = part * mostFields;
    for (const [index, { name, type }] of fields.slice(start, start + mostFields).entries()) {
      inner.pending += `${start + index > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      emitValue(emitter, inner, type, inner === unit ? level : 0);
    }
    if (inner === unit) continue;
    flush(inner, emitter.literals);
    addCall(emitter, unit, inner.name, level);
  }
  unit.pending += '}';
}

/** Unions with more branches use a switch. */
function emitUnion(emitter: Emitter, unit: Unit, { branches }: UnionType, level: number): void {
  unit.nesting = Math.max(unit.nesting, level);
  flush(unit, emitter.literals);
  add(unit, 'b = bytes[at++];');
  // A larger index takes two bytes.
  if (branches.length > 64)
    add(unit, `if (b >= 128) { b = indexAt(run, at - 1, ${branches.length}) * 2; at = run.at; }`);
  add(unit, 'switch (b) {');
  for (const [index, branch] of branches.entries()) {
    add(unit, `case ${index * 2}: {`);
    if (branch.kind === 'null') unit.pending = 'null';
    else {
      unit.pending = `{${JSON.stringify(tagOf(branch))}:`;
      emitValue(emitter, unit, branch, level);
      unit.pending += '}';
    }
    flush(unit, emitter.literals);
    add(unit, 'break; }');
  }
  add(unit, 'default: throw bail; }');
}

function emitArray(emitter: Emitter, unit: Unit, items: AvroType, level: number): void {
  unit.pending += '[';
  const end = openLoop(emitter, unit, level);
  emitValue(emitter, unit, items, level);
  end();
  unit.pending = ']';
}

function emitMap(emitter: Emitter, unit: Unit, values: AvroType, level: number): void {
  unit.pending += '{';
  const map = unit.loops;
  add(unit, `const m${map} = run.keys.length;`);
  const end = openLoop(emitter, unit, level);
  add(unit, 'run.keys.push(to);');
  emitText(emitter, unit);
  add(unit, 'run.keys.push(to);');
  unit.pending += ':';
  emitValue(emitter, unit, values, level);
  end();
  add(unit, `checkKeys(run, out, m${map});`);
  unit.pending = '}';
}

/** Opens the loops over blocks and their items; returns what closes them. */
function openLoop({ literals }: Emitter, unit: Unit, level: number): () => void {
  unit.nesting = Math.max(unit.nesting, level);
  flush(unit, literals);
  const loop = unit.loops++;
  unit.room += 1;
  const fits = `arena.length = to; ${reload}`;
  add(unit, `i${loop} = 0;`);
  add(unit, 'for (;;) {');
  add(unit, `b = bytes[at]; if (b < 128 && (b & 1) === 0) { at++; c${loop} = b >>> 1; }`);
  add(unit, `else { c${loop} = countAt(run, at); at = run.at; }`);
  add(unit, `if (c${loop} === 0) break;`);
  add(unit, `for (; c${loop} > 0; c${loop}--) {`);
  add(unit, 'if (to > limit || at > end) throw bail;');
  add(unit, `if (to + room > out.length) { ${fits} }`);
  add(unit, `if (i${loop} === 0) i${loop} = 1; else out[to++] = 44;`);
  return () => {
    flush(unit, literals);
    add(unit, '} }');
    add(unit, `if (to + room > out.length) { ${fits} }`);
  };
}
