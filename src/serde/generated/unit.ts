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
