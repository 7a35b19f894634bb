import type { FixedType, PrimitiveType } from './model.ts';

/** The first of January 2026 at noon, UTC. */
const noonMs = 1_767_268_800_000;

/** JSON of logical types, as they are stored. */
const logicalExamples: Readonly<Record<string, string>> = {
  'int date': String(Math.floor(noonMs / 86_400_000)),
  'int time-millis': '43200000',
  'long time-micros': '43200000000',
  'long timestamp-millis': String(noonMs),
  'long timestamp-micros': `${noonMs}000`,
  'long timestamp-nanos': `${noonMs}000000`,
  'long local-timestamp-millis': String(noonMs),
  'long local-timestamp-micros': `${noonMs}000`,
  'long local-timestamp-nanos': `${noonMs}000000`,
  'string uuid': '"7f1c9a52-3b0e-4d7c-9a44-5d2f6e8b1c03"',
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

/** Text for the names of fields, the most special first. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/e_?mail/, 'ada@example.com'],
  [/phone|mobile/, '+44 20 7946 0000'],
  [/url|uri|link|website/, 'https://example.com'],
  [/host/, 'host.example.com'],
  [/first_?name|given_?name/, 'Ada'],
  [/last_?name|family_?name|surname/, 'Lovelace'],
  [/user_?name|login|nick/, 'ada'],
  [/customer|person|full_?name|author|owner/, 'Ada Lovelace'],
  [/city|town/, 'London'],
  [/country/, 'United Kingdom'],
  [/street|address/, '12 St James Square'],
  [/zip|postal|postcode/, 'SW1Y 4JH'],
  [/currency/, 'EUR'],
  [/lang|locale/, 'en'],
  [/time_?zone/, 'Europe/London'],
  [/date|time|_at$/, '2026-01-01T12:00:00Z'],
  [/status|state/, 'active'],
  [/colou?r/, 'blue'],
  [/title|subject|product/, 'Analytical engine'],
  [/description|note|comment|message/, 'A few words'],
  [/version/, '1.0.0'],
  [/uuid|guid/, '7f1c9a52-3b0e-4d7c-9a44-5d2f6e8b1c03'],
  [/(^|_)(id|key)$|(id|Id|ID|Key)$/, 'a-1001'],
  [/name/, 'Ada'],
];

/** Numbers for the names of fields. */
const numbers: readonly (readonly [RegExp, string])[] = [
  [/price|amount|total|cost|balance/, '19.99'],
  [/^lat/, '51.5074'],
  [/^(lon|lng)/, '-0.1278'],
  [/temperature/, '21.5'],
  [/(^|_)id$|(Id|ID)$/, '1001'],
  [/age$/, '36'],
  [/year/, '2026'],
  [/(quantity|count|size|number)/, '3'],
  [/port$/, '8080'],
  [/date|time|_at$/, String(noonMs)],
];

/** Returns JSON for a primitive type that suits the name of its field. */
export function primitiveExample({ kind, logicalType, scale = 0 }: PrimitiveType, name: string): string {
  if (kind === 'bytes' && logicalType === 'decimal') return decimalExample(scale);
  const logical = logicalExamples[`${kind} ${logicalType}`];
  if (logical !== undefined) return logical;
  const folded = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const matching = ([pattern]: readonly [RegExp, string]): boolean => pattern.test(folded);
  if (kind === 'string') return JSON.stringify(texts.find(matching)?.[1] ?? 'text');
  if (kind === 'int' || kind === 'long' || kind === 'float' || kind === 'double') {
    const number = numbers.find(matching)?.[1] ?? plainExamples[kind];
    const isWhole = kind === 'int' || kind === 'long';
    const whole = String(Math.trunc(Number(number)));
    // The time in milliseconds is too large for an int and for the precision of a float.
    if (kind === 'int' || kind === 'float')
      return Number(number) > 2 ** 24 ? plainExamples[kind] : isWhole ? whole : number;
    return isWhole ? whole : number;
  }
  return plainExamples[kind];
}

/** Returns 19.99 as the bytes of an integer without its point, or 19 followed by as many zeros as the scale says. */
function decimalExample(scale: number): string {
  const digits = Math.min(Math.max(Math.trunc(scale), 0), 30);
  const value = digits >= 2 ? 1999n * 10n ** BigInt(digits - 2) : 19n * 10n ** BigInt(digits);
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  // The first bit is the sign.
  return bytesJson((bytes[0] as number) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** The largest fixed of which an example is made. */
const mostFixed = 1 << 16;

/** Returns JSON for a fixed; undefined if it is too large. */
export function fixedExample({ size }: FixedType): string | undefined {
  return size > mostFixed ? undefined : bytesJson(Uint8Array.from({ length: size }, (_, index) => index & 0xff));
}

function bytesJson(bytes: Uint8Array): string {
  const escaped = Array.from(bytes, (byte) => `\\u00${byte.toString(16).padStart(2, '0')}`);
  return `"${escaped.join('')}"`;
}
