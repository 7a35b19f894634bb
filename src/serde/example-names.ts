import { below, pick, type Random } from './random.ts';

/** The first of January 2026 at noon, UTC. */
export const noonMs = 1_767_268_800_000;
/** How far random times are spread. */
export const monthMs = 30 * 86_400_000;

/** Text for the names of fields, the most special first; the digits of random ones change. */
const texts: readonly (readonly [RegExp, ...string[]])[] = [
  [/e_?mail/, 'ada@example.com', 'grace@example.com', 'alan77@example.org', 'edsger@example.net'],
  [/phone|mobile/, '+44 20 7946 0000'],
  [/url|uri|link|website/, 'https://example.com', 'https://shop.example.org/items/1001'],
  [/host/, 'host.example.com', 'web-1.example.com', 'db-2.example.com'],
  [/first_?name|given_?name/, 'Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'],
  [/last_?name|family_?name|surname/, 'Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov'],
  [/user_?name|login|nick/, 'ada', 'grace', 'alan77', 'edsger'],
  [/customer|person|full_?name|author|owner/, 'Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Barbara Liskov'],
  [/city|town/, 'London', 'New York', 'Lisbon', 'Nairobi', 'Osaka'],
  [/country/, 'United Kingdom', 'United States', 'Portugal', 'Kenya', 'Japan'],
  [/street|address/, '12 St James Square', '48 Harbour Road', '7 Mill Lane'],
  [/zip|postal|postcode/, 'SW1Y 4JH'],
  [/currency/, 'EUR', 'USD', 'GBP', 'JPY'],
  [/lang|locale/, 'en', 'pt', 'sw', 'ja'],
  [/time_?zone/, 'Europe/London', 'America/New_York', 'Asia/Tokyo'],
  [/date|time|_at$/, '2026-01-01T12:00:00Z'],
  [/status|state/, 'active', 'pending', 'suspended', 'closed'],
  [/colou?r/, 'blue', 'red', 'green', 'black'],
  [/title|subject|product/, 'Analytical engine', 'Pocket compass', 'Reading lamp', 'Steel kettle'],
  [/description|note|comment|message/, 'A few words', 'Leave it at the door', 'Urgent'],
  [/version/, '1.0.0'],
  [/uuid|guid/, '7f1c9a52-3b0e-4d7c-9a44-5d2f6e8b1c03'],
  [/(^|_)(id|key)$|(id|Id|ID|Key)$/, 'a-1001'],
  [/name/, 'Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'],
];

const words = ['text', 'anchor', 'bridge', 'candle', 'delta', 'ember', 'forest', 'garden'];

/** A number for the names of fields, and the limits of random ones. */
const numbers: readonly (readonly [RegExp, example: string, least: number, most: number])[] = [
  [/price|amount|total|cost|balance/, '19.99', 0.5, 500],
  [/^lat/, '51.5074', -90, 90],
  [/^(lon|lng)/, '-0.1278', -180, 180],
  [/temperature/, '21.5', -20, 40],
  [/(^|_)id$|(Id|ID)$/, '1001', 1, 99_999],
  [/age$/, '36', 18, 90],
  [/year/, '2026', 2000, 2030],
  [/(quantity|count|size|number)/, '3', 1, 20],
  [/port$/, '8080', 1024, 65_535],
  [/date|time|_at$/, String(noonMs), noonMs, noonMs + monthMs],
];

/** Returns text that suits the name of a field. @param random without it, always the same */
export function textFor(name: string, random?: Random): string {
  const text = pick(textsFor(name), random) ?? 'text';
  return random === undefined ? text : variedText(text, random);
}

/** Returns a number that suits the name of a field; undefined without a telling name. */
export function numberFor(name: string, random?: Random): string | undefined {
  const range = numbersFor(name);
  if (range === undefined || random === undefined) return range?.[1];
  const [, example, least, most] = range;
  const digits = example.split('.')[1]?.length ?? 0;
  return (least + random() * (most - least)).toFixed(digits);
}

const textsFor = remembered((name): readonly string[] => {
  const [, ...examples] = texts.find(([pattern]) => pattern.test(folded(name))) ?? [undefined, ...words];
  return examples;
});

const numbersFor = remembered((name) => numbers.find(([pattern]) => pattern.test(folded(name))));

/** The most names that are remembered; schemas have fewer. */
const mostNames = 10_000;

/** Examples are made of the same names again and again. */
function remembered<T>(find: (name: string) => T): (name: string) => T {
  const cache = new Map<string, T>();
  return (name) => {
    const old = cache.get(name);
    if (old !== undefined || cache.has(name)) return old as T;
    const value = find(name);
    if (cache.size < mostNames) cache.set(name, value);
    return value;
  };
}

function folded(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

const timeText = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\dZ)?$/;
const uuidText = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Changes the digits of a text so that it stays what it is: a time a time, a UUID a UUID. */
export function variedText(text: string, random: Random): string {
  if (timeText.test(text)) {
    const moved = new Date(Date.parse(text) + below(random, monthMs));
    return `${moved.toISOString().slice(0, text.length > 10 ? 19 : 10)}${text.length > 10 ? 'Z' : ''}`;
  }
  if (uuidText.test(text)) return text.replace(/[\da-f]/g, (digit, at) => uuidDigit(digit, at, random));
  return text.replace(/\d/g, (digit) => (digit === '0' ? '0' : String(1 + below(random, 9))));
}

/** The version and the variant stay. */
function uuidDigit(digit: string, at: number, random: Random): string {
  return at === 14 || at === 19 ? digit : below(random, 16).toString(16);
}
