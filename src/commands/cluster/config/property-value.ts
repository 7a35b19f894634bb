import { type ConfigValue, hiddenSecret, type Property } from '../../../admin/config-rows.ts';
import { scalarText, type YamlFile } from '../../../config/yaml/file.ts';
import { type CliError, usageError } from '../../../errors.ts';
import { exactJson } from '../../../format/exact-json.ts';
import { printable, printableText } from '../../../format/printable.ts';
import { isObject } from '../../../shape/object.ts';

/** A value that does not have the type of its property; the message says which one is expected. */
export class WrongValue extends Error {}

type Node = Parameters<YamlFile['valueOf']>[0];

/**
 * Reads a value as its property has it: `1e3` or `2024-01-01` is text for a property of text, and a number keeps all its
 * digits. Ranges are left to the server.
 * @throws WrongValue for a value of another type, without repeating it
 */
export function valueOfNode(file: YamlFile, property: Property, node: Node): ConfigValue {
  const content = file.valueOf(node);
  if (content === undefined) {
    if (property.nullable) return null;
    throw new WrongValue(`must not be null, but ${expected(property)}`);
  }
  const { yaml } = file;
  if (!knownTypes.has(property.type)) return plainValueOf(file, content);
  if (yaml.isSeq(content)) {
    if (isHiddenList(file, property, content.items)) return hiddenSecret;
    if (property.type === 'array') return content.items.map((item) => itemOf(file, property, item));
  }
  if (yaml.isScalar(content) && property.type !== 'array')
    return scalarOf(property.type, scalarText(content), property);
  throw new WrongValue(`must be ${expected(property)}`);
}

const knownTypes: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'string', 'array']);

/**
 * Reads a value as YAML 1.2 has it, without a schema; numbers keep all their digits.
 * @throws CliError (exit 2) if its aliases stand for endlessly many values
 */
export function plainValueOf(file: YamlFile, node: Node): ConfigValue {
  let left = mostValues;
  function read(at: Node, depth: number): ConfigValue {
    left -= 1;
    if (left < 0 || depth > mostLevels) throw endless(file, node);
    const content = file.valueOf(at);
    const { yaml } = file;
    if (yaml.isSeq(content)) return content.items.map((item) => read(item, depth + 1));
    if (yaml.isMap(content))
      return Object.fromEntries(content.items.map(({ key, value }) => [textOf(file, key), read(value, depth + 1)]));
    if (!yaml.isScalar(content)) return null;
    if (typeof content.value === 'number') return wholeNumber(scalarText(content)) ?? content.value;
    return typeof content.value === 'boolean' ? content.value : String(content.value);
  }
  return read(node, 0);
}

/** Only aliases make more values, or more levels, than a file can have. */
const mostValues = 1_000_000;
const mostLevels = 200;

function endless(file: YamlFile, node: Node): CliError {
  const place = `${file.path}:${file.lineOf(node)}`;
  return usageError(`unable to read ${place}: its aliases stand for too many values`, { target: file.path });
}

function textOf({ yaml }: YamlFile, key: unknown): string {
  return yaml.isScalar(key) ? scalarText(key) : '';
}

/** rpk exports a secret without quotes, which makes it a list. */
function isHiddenList({ yaml }: YamlFile, { is_secret: isSecret }: Property, items: readonly unknown[]): boolean {
  const [item] = items;
  return isSecret && items.length === 1 && yaml.isScalar(item) && `[${scalarText(item)}]` === hiddenSecret;
}

function itemOf(file: YamlFile, property: Property, item: unknown): ConfigValue {
  const content = file.valueOf(item);
  if (property.items === null || !knownTypes.has(property.items)) return plainValueOf(file, item);
  if (content === undefined || !file.yaml.isScalar(content)) throw new WrongValue(`must be ${expected(property)}`);
  return scalarOf(property.items, scalarText(content), property);
}

/**
 * Reads one scalar of a property from its text.
 * @param type the type of the property or, for an array, of its items
 * @throws WrongValue for a value of another type
 */
export function scalarOf(type: string, text: string, property: Property): ConfigValue {
  const value = parseScalar(type, text);
  if (value === undefined) throw new WrongValue(`must be ${expected(property)}`);
  const words = property.enum_values;
  if (words.length > 0 && !words.includes(String(value)))
    throw new WrongValue(`must be ${property.type === 'array' ? 'a list of ' : ''}one of ${words.join(', ')}`);
  return value;
}

function parseScalar(type: string, text: string): ConfigValue | undefined {
  switch (type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer':
      return wholeNumber(text);
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : undefined;
    default:
      return text;
  }
}

/** Also of `1e6` and `7.0`, as servers and other programs write large numbers. */
function wholeNumber(text: string): number | bigint | undefined {
  if (/^[+-]?\d+$/.test(text)) return exact(BigInt(text.replace(/^\+/, '')));
  if (!/^[+-]?\d+(\.\d+)?(e[+]?\d{1,2})?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isInteger(value) ? exact(BigInt(value)) : undefined;
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  boolean: ['true or false', 'booleans'],
  integer: ['a whole number', 'whole numbers'],
  number: ['a number', 'numbers'],
  string: ['text', 'strings'],
};

function expected({ type, items, nullable }: Property): string {
  const orNull = nullable ? ' or null' : '';
  if (type === 'array') return `a list of ${nouns[items ?? 'string']?.[1] ?? 'values'}${orNull}`;
  return `${nouns[type]?.[0] ?? `a value of type ${printable(type)}`}${orNull}`;
}

/** Whether two values are the same; a number may be written in several ways. */
export function isSame(one: ConfigValue | undefined, other: ConfigValue | undefined): boolean {
  return jsonOf(one) === jsonOf(other);
}

function jsonOf(value: ConfigValue | undefined): string {
  // A whole number beyond 2^53 may have come as a bigint or, written like 1e20, as a number.
  const isWhole = (inner: unknown) => typeof inner === 'bigint' || Number.isInteger(inner);
  const plain = (_: string, inner: unknown) => {
    if (typeof inner === 'string') return `"${inner}`;
    if (isObject(inner)) return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
    return isWhole(inner) ? `${BigInt(inner as bigint | number)}n` : inner;
  };
  return JSON.stringify(value, plain) ?? '';
}

/** Text that YAML 1.1 and 1.2 read as nothing but text, in every place. */
const plainText = /^(?![-+.\d]*$)(?!0[xob])(?!\d)[A-Za-z_/][\w./-]*(?: [\w./-]+)*$/;
const otherTypes = /^(null|true|false|yes|no|on|off|y|n|~|\.?nan|\.?inf)$/i;

/** A value as YAML on one line; whatever could be taken for something else is quoted. */
export function yamlOf(value: ConfigValue): string {
  if (typeof value === 'string') {
    return plainText.test(value) && !otherTypes.test(value) ? value : printableText(JSON.stringify(value));
  }
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${yamlOf(inner)}`)}}`;
}

/** A value as JSON, in which integers keep all their digits. */
export function jsonText(value: ConfigValue): string {
  return exactJson(value);
}
