import { monthMs, noonMs, numberFor, textFor } from '../example-names.ts';
import { below, pick, type Random } from '../random.ts';
import { SchemaError } from '../schema.ts';
import { type Decimal, withPoint } from './decimal.ts';
import { type AvroType, type FixedType, type PrimitiveType, type RecordType, tagOf, type UnionType } from './model.ts';

/** An example in the making. */
interface Sketch {
  /** The records around the value, none of which may occur again. */
  readonly open: Set<RecordType>;
  /** The number of values that may still be made. */
  left: number;
  /** The length of text that may still be made. */
  room: number;
  /** Undefined if the example is always the same. */
  readonly random: Random | undefined;
}

/** Values of a schema can double with every level. */
const mostValues = 200_000;
/** A name or symbol can occur once in the schema and very often in a value. */
const longest = 2 ** 24;
const mostLevels = 200;

/**
 * Returns JSON text that fits a schema, indented by two spaces. Unions take the first branch that is not null and
 * comes to an end.
 * @param random chooses values, symbols, branches and numbers of items
 * @throws SchemaError if no value ever ends, or none is small enough
 */
export function exampleOf(type: AvroType, random?: Random): string {
  const sketch: Sketch = { open: new Set(), left: mostValues, room: longest, random };
  const text = exampleText(type, sketch, '', '\n');
  if (text === undefined) throw new SchemaError(`every value of ${tagOf(type)} contains itself or is too large`);
  return text;
}

/** Returns JSON for a value; undefined if it cannot end. `margin` is a newline and the blanks of the line. */
function exampleText(type: AvroType, sketch: Sketch, name: string, margin: string): string | undefined {
  if (--sketch.left < 0) throw tooLarge();
  if (margin.length > mostLevels * 2) return undefined;
  const inner = `${margin}  `;
  switch (type.kind) {
    case 'record':
      return recordText(type, sketch, margin);
    case 'enum': {
      const symbol = pick(type.symbols, sketch.random);
      return symbol === undefined ? undefined : spent(sketch, JSON.stringify(symbol));
    }
    case 'fixed': {
      const text = fixedExample(type, sketch.random);
      return text === undefined ? undefined : spent(sketch, text);
    }
    case 'union':
      return unionText(type, sketch, name, margin);
    case 'array': {
      const items = itemTexts(type.items, sketch, singular(name), inner);
      return items.length === 0 ? '[]' : `[${items.map((text) => `${inner}${text}`).join(',')}${margin}]`;
    }
    case 'map': {
      const items = itemTexts(type.values, sketch, singular(name), inner);
      const keyed = items.map((text, index) => `${inner}"key${index === 0 ? '' : index + 1}": ${text}`);
      return items.length === 0 ? '{}' : `{${keyed.join(',')}${margin}}`;
    }
  }
  return primitiveExample(type, name, sketch.random);
}

const mostItems = 3;

/** Returns one item, or up to three random ones; none if an item cannot end. */
function itemTexts(type: AvroType, sketch: Sketch, name: string, margin: string): readonly string[] {
  const { random } = sketch;
  const count = random === undefined ? 1 : below(random, mostItems + 1);
  const items = Array.from({ length: count }, () => exampleText(type, sketch, name, margin));
  return items.filter((text) => text !== undefined);
}

/** Returns text that becomes part of the example. */
function spent(sketch: Sketch, text: string): string {
  sketch.room -= text.length;
  if (sketch.room < 0) throw tooLarge();
  return text;
}

function tooLarge(): SchemaError {
  return new SchemaError('the schema is too large for an example');
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

function recordText(type: RecordType, sketch: Sketch, margin: string): string | undefined {
  if (sketch.open.has(type)) return undefined;
  sketch.open.add(type);
  const inner = `${margin}  `;
  const lines: string[] = [];
  for (const field of type.fields) {
    const text = exampleText(field.type, sketch, field.name, inner);
    if (text === undefined) break;
    lines.push(`${spent(sketch, `${inner}${JSON.stringify(field.name)}: `)}${text}`);
  }
  sketch.open.delete(type);
  if (lines.length < type.fields.length) return undefined;
  return lines.length === 0 ? '{}' : `{${lines.join(',')}${margin}}`;
}

function unionText({ branches }: UnionType, sketch: Sketch, name: string, margin: string): string | undefined {
  const inner = `${margin}  `;
  const { random } = sketch;
  const chosen = random === undefined ? undefined : pick(branches, random);
  if (chosen?.kind === 'null') return 'null';
  for (const branch of chosen === undefined ? branches : [chosen, ...branches]) {
    if (branch.kind === 'null') continue;
    const text = exampleText(branch, sketch, name, inner);
    if (text !== undefined) return `${spent(sketch, `{${inner}${JSON.stringify(tagOf(branch))}: `)}${text}${margin}}`;
  }
  return branches.some(({ kind }) => kind === 'null') ? 'null' : undefined;
}

const [noon, month] = [BigInt(noonMs), BigInt(monthMs)];
const [milli, micro, nano] = [1n, 1000n, 1_000_000n] as const;

/** Numbers of logical types, as they are stored, and how far random ones may be above. */
const logicalExamples: Readonly<Record<string, readonly [example: bigint, span: bigint]>> = {
  'int date': [noon / 86_400_000n, 30n],
  'int time-millis': [43_200_000n, 43_200_000n],
  'long time-micros': [43_200_000n * micro, 43_200_000n * micro],
  'long timestamp-millis': [noon * milli, month * milli],
  'long timestamp-micros': [noon * micro, month * micro],
  'long timestamp-nanos': [noon * nano, month * nano],
  'long local-timestamp-millis': [noon * milli, month * milli],
  'long local-timestamp-micros': [noon * micro, month * micro],
  'long local-timestamp-nanos': [noon * nano, month * nano],
};

/** JSON of primitive types without a telling name. */
const plainExamples: Readonly<Record<PrimitiveType['kind'], string>> = {
  null: 'null',
  boolean: 'true',
  int: '42',
  long: '42',
  float: '1.5',
  double: '1.5',
  bytes: '"\\u0001\\u0002"',
  string: '"text"',
};

/** Returns JSON for a primitive type that suits the name of its field. @param random without it, always the same */
function primitiveExample(type: PrimitiveType, name: string, random?: Random): string {
  const { kind, logicalType, decimal } = type;
  if (decimal !== undefined) return decimalExample(decimal, random);
  const logical = logicalExamples[`${kind} ${logicalType}`];
  if (logical !== undefined) return logicalExample(logical, random);
  switch (kind) {
    case 'string':
      return JSON.stringify(textFor(logicalType === 'uuid' ? 'uuid' : name, random));
    case 'boolean':
      return String(random === undefined || random() < 0.5);
    case 'bytes':
      return random === undefined ? plainExamples.bytes : bytesJson(randomBytes(1 + below(random, 8), random));
    case 'int':
    case 'long':
    case 'float':
    case 'double':
      return numberExample(kind, name, random);
    default:
      return plainExamples[kind];
  }
}

function numberExample(kind: 'int' | 'long' | 'float' | 'double', name: string, random?: Random): string {
  const isWhole = kind === 'int' || kind === 'long';
  const plain = random === undefined ? plainExamples[kind] : (random() * 1000).toFixed(isWhole ? 0 : 1);
  const number = numberFor(name, random) ?? plain;
  // The time in milliseconds is too large for an int and for the precision of a float.
  if ((kind === 'int' || kind === 'float') && Number(number) > 2 ** 24) return plain;
  return isWhole ? String(Math.trunc(Number(number))) : number;
}

function logicalExample([example, span]: readonly [bigint, bigint], random?: Random): string {
  return String(random === undefined ? example : example + (span * BigInt(below(random, 2 ** 30))) / 2n ** 30n);
}

/** Returns 19.99, with as many digits as there may be. */
function decimalExample({ precision, scale }: Decimal, random?: Random): string {
  const [zeros, most] = scale >= 2 ? [scale - 2, 1999] : [scale, 19];
  const value = BigInt(random === undefined ? most : 1 + below(random, most)) * 10n ** BigInt(zeros);
  const largest = 10n ** BigInt(precision) - 1n;
  return withPoint(value > largest ? largest : value, scale);
}

/** The largest fixed of which an example is made. */
const mostFixed = 1 << 16;

/** Returns JSON for a fixed; undefined if it is too large. */
function fixedExample({ size, decimal }: FixedType, random?: Random): string | undefined {
  if (decimal !== undefined) return decimalExample(decimal, random);
  if (size > mostFixed) return undefined;
  return bytesJson(
    random === undefined ? Uint8Array.from({ length: size }, (_, index) => index & 0xff) : randomBytes(size, random),
  );
}

function randomBytes(length: number, random: Random): Uint8Array {
  return Uint8Array.from({ length }, () => below(random, 256));
}

function bytesJson(bytes: Uint8Array): string {
  const escaped = Array.from(bytes, (byte) => `\\u00${byte.toString(16).padStart(2, '0')}`);
  return `"${escaped.join('')}"`;
}
