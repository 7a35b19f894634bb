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
  if (!Array.isArray(sent)) return wrongType(property);
  const values: unknown[] = [];
  for (const item of sent) {
    const value = scalar(property.items ?? 'string', item);
    if (value === undefined) return wrongType(property);
    const one = checked(property, value);
    if ('reason' in one) return one;
    values.push(value);
  }
  return { value: values };
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

function wrongType({ type, items, example, nullable }: Property): Converted {
  const named = items === undefined ? type : `array of ${items}`;
  const orNull = nullable ? ' or null' : '';
  return { reason: `expected type ${named}${orNull}${example === undefined ? '' : ` (for example ${example})`}` };
}
