import { isObject } from '../../../shape/object.ts';
import type { Property } from './property.ts';

/** A value that fits a property, or the reason why it does not. */
type Converted = { readonly value: unknown } | { readonly reason: string };

/** Converts the value of a request to the type of a property: scalars may come as texts. */
export function convert(property: Property, sent: unknown): Converted {
  if (sent === null) return property.nullable ? { value: null } : wrongType(property);
  if (property.type === 'array') return convertArray(property, sent);
  const value = scalar(property.type, sent);
  if (value === undefined) return wrongType(property);
  return checked(property, value);
}

function convertArray(property: Property, sent: unknown): Converted {
  if (!Array.isArray(sent)) return property.isOneOrMany ? convertArray(property, [sent]) : wrongType(property);
  const values: unknown[] = [];
  for (const item of sent) {
    const value = property.items === 'string' ? scalar('string', item) : objectOf(item);
    if (value === undefined) return wrongType(property);
    const one = checked(property, value);
    if ('reason' in one) return one;
    values.push(value);
  }
  return { value: values };
}

/** An object whose fields are texts. */
function objectOf(sent: unknown): unknown {
  return isObject(sent) && Object.values(sent).every((field) => typeof field === 'string') ? sent : undefined;
}

function scalar(type: 'boolean' | 'integer' | 'number' | 'string', sent: unknown): unknown {
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  switch (type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    default:
      return typeof sent === 'object' || sent === undefined ? undefined : text;
  }
}

function checked({ words, min, max }: Property, value: unknown): Converted {
  if (words !== undefined && !words.includes(String(value)))
    return { reason: `invalid value "${value}": expected one of ${words.join(', ')}` };
  const isBelow = typeof value === 'number' && min !== undefined && value < min;
  const isAbove = typeof value === 'number' && max !== undefined && value > max;
  if (!isBelow && !isAbove) return { value };
  if (min !== undefined && max !== undefined) return { reason: `out of range: expected ${min} to ${max}` };
  return {
    reason: min === undefined ? `out of range: expected at most ${max}` : `out of range: expected at least ${min}`,
  };
}

/** In the words of redpanda src/v/redpanda/admin/server.cc:1920; of a list, it names the type of the items. */
function wrongType({ type, items, example }: Property): Converted {
  return { reason: `expected type ${items ?? type}${example === undefined ? '' : `, for example '${example}'`}` };
}
