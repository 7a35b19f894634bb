import { monthMs, noonMs, numberFor, textFor } from '../example-names.ts';
import { below, type Random } from '../random.ts';
import { type Decimal, withPoint } from './decimal.ts';
import type { FixedType, PrimitiveType } from './model.ts';

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
export function primitiveExample(type: PrimitiveType, name: string, random?: Random): string {
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
export function fixedExample({ size, decimal }: FixedType, random?: Random): string | undefined {
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
