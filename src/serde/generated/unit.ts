/** One function of generated code in the making. Positions: `at` in the payload, `to` in the output. */
export interface Unit {
  readonly name: string;
  readonly lines: string[];
  /** Output that is known before the payload is: written together with what follows. */
  pending: string;
  /** Room in bytes that must be reserved for all that the unit writes without reserving. */
  room: number;
  /** The number of values in the unit, a measure of its size. */
  values: number;
  /** The most levels of values inside one another. */
  nesting: number;
  /** The number of variables for loops. */
  loops: number;
}

/** Creates an empty unit. */
export function createUnit(name: string): Unit {
  return { name, lines: [], pending: '', room: 0, values: 0, nesting: 0, loops: 0 };
}

/** More than any writer writes beyond its end. */
const slack = 32;

/** Stores the memory of the output in variables again after it may have been replaced. */
export const reload =
  'to = arena.length; if (to + room > arena.bytes.length) reserve(arena, room); out = arena.bytes; view = arena.view;';

/** Adds a line of code. */
export function add(unit: Unit, line: string): void {
  unit.lines.push(line);
}

/** Above this size in bytes a literal is copied from memory instead of being part of the code. */
const longLiteral = 64;

/**
 * Writes the pending output. Text up to 64 bytes is stored eight bytes at a time, as the double that has these bits: V8
 * compiles that to one move of a constant.
 */
export function flush(unit: Unit, literals: Uint8Array[]): void {
  const bytes = Buffer.from(unit.pending);
  unit.pending = '';
  if (bytes.length === 0) return;
  unit.room += bytes.length;
  if (bytes.length > longLiteral) {
    add(unit, `out.set(literals[${literals.push(bytes) - 1}], to);`);
  } else {
    const padded = Buffer.alloc(bytes.length + 8);
    bytes.copy(padded);
    for (let at = 0; at < bytes.length; ) at += addStore(unit, padded, at, bytes.length - at);
  }
  add(unit, `to += ${bytes.length};`);
}

/** Adds a store of up to eight bytes; returns how many. */
function addStore(unit: Unit, bytes: Buffer, at: number, left: number): number {
  const double = bytes.readDoubleLE(at);
  const place = at === 0 ? 'to' : `to + ${at}`;
  // The bits of NaN may change on the way, and zero has a sign that its text lacks.
  if (left > 4 && !Number.isNaN(double) && double !== 0) {
    add(unit, `view.setFloat64(${place}, ${double}, true);`);
    return 8;
  }
  add(unit, `view.setInt32(${place}, ${bytes.readInt32LE(at)}, true);`);
  return 4;
}

/** Adds the code for a boolean. */
export function addBool(unit: Unit): void {
  add(unit, 'b = bytes[at++];');
  add(unit, 'if (b === 1) { view.setInt32(to, 0x65757274, true); to += 4; }');
  add(unit, 'else if (b === 0) { view.setInt32(to, 0x736c6166, true); out[to + 4] = 0x65; to += 5; } else throw bail;');
}

/** Adds the code for an integer: one of a single byte is looked up in a table, others take a function. */
export function addInteger(unit: Unit, table: 'small' | 'lead', reader: string): void {
  add(unit, 'b = bytes[at];');
  add(unit, `if (b < 128) { b = ${table}[b]; view.setInt32(to, b, true); to += b >>> 24; at++; }`);
  add(unit, `else { to = ${reader}(run, at, view, to); at = run.at; }`);
}

/** The code for floating-point numbers. */
export const floating = {
  float: 'to = writeFloat(source, at, view, to); at += 4;',
  double: 'to = writeDouble(source, at, view, to); at += 8;',
} as const;

/** Adds the code for text: up to 63 bytes of plain text are copied here if they fit, anything else takes a function. */
export function addText(unit: Unit, literals: Uint8Array[], fits: string): void {
  unit.pending += '"';
  flush(unit, literals);
  unit.room += 70;
  add(unit, 'b = bytes[at];');
  add(unit, `if (${fits} && copyPlain(source, at + 1, view, to, b)) { at += b + 1; to += b; }`);
  add(unit, `else { arena.length = to - 1; at = text(run, arena, at); ${reload} to--; }`);
  unit.pending = '"';
}

/** Returns the code of a unit as a function of `parameters`, which begin with `run, arena, start`. */
export function functionOf(unit: Unit, parameters: string, check: string): string {
  const loops = Array.from({ length: unit.loops }, (_, index) => `, c${index} = 0, i${index} = 0`).join('');
  return `function ${unit.name}(${parameters}) {
const room = ${unit.room + slack};
if (${check}) throw bail;
const { bytes, end, limit } = run, source = run.view;
let at = start, to = 0, out, view, b = 0${loops};
${reload}
${unit.lines.join('\n')}
arena.length = to;
return at;
}
`;
}
