import { list, type ValuesOf } from '../../../cli/command.ts';
import type { Kind } from '../../../kinds.ts';
import type { Fields } from '../../../shape/object.ts';
import { fieldAt, withField } from '../body.ts';

type Pair = readonly [name: string, value: unknown];

function pairKind(name: string, hint: string, read: (text: string) => unknown): Kind<Pair> {
  return {
    mayHoldSecret: 'after the key',
    name,
    hint,
    parse(text) {
      const at = text.indexOf('=');
      if (at < 0) throw new Error(`not of the form ${hint.toLowerCase()}`);
      const key = text.slice(0, at).trim();
      if (key === '') throw new Error('the property before "=" is empty');
      return [key, read(text.slice(at + 1))];
    },
    show: ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    json: ([key, value]) => ({ [key]: value }),
  };
}

const property = pairKind('property', 'PROPERTY=VALUE', (text) => {
  if (text === 'true') return true;
  return text === 'false' ? false : text;
});

const jsonProperty = pairKind('property', 'PROPERTY=JSON', (text) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('the value is not JSON');
  }
});

/** `--set` and `--set-json`: properties of a cluster. */
export const propertyFlags = {
  set: list(property, { help: 'property of the cluster; true and false are booleans, other values are text' }),
  setJson: list(jsonProperty, { help: 'property whose value is JSON, for example a number' }),
};

const place = 'cluster_configuration.custom_properties';

/** The body with the given properties, which override those it has. */
export function withProperties(body: Fields, { set, setJson }: ValuesOf<typeof propertyFlags>): Fields {
  if (set.length + setJson.length === 0) return body;
  const field = fieldAt(body, place);
  return withField(body, place, {
    ...(typeof field === 'object' ? field : {}),
    ...Object.fromEntries([...set, ...setJson]),
  });
}
