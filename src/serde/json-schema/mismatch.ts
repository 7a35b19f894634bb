import type { ErrorObject } from 'ajv';
import { found as describe } from '../json/excerpt.ts';
import type { JsonValue } from '../json/json-value.ts';
import { showPath } from '../json/value-path.ts';

/** Why a value is not valid. */
export interface Fault {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Turns an error of ajv into path, expected and found. */
export function faultOf(value: JsonValue, error: ErrorObject): Fault {
  const { place, path } = locate(value, error.instancePath);
  const { keyword, params } = error;
  if (keyword === 'required' || keyword === 'dependencies' || keyword === 'dependentRequired') {
    return {
      path: showPath(path),
      expected: `the property "${params.missingProperty}"`,
      found: 'an object without it',
    };
  }
  const extra = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  if (typeof extra === 'string') {
    const expected = keyword === 'propertyNames' ? 'a valid property name' : 'no other properties';
    return { path: showPath([...path, extra]), expected, found: 'the property' };
  }
  return { path: showPath(path), expected: expectation(error), found: describe(place) };
}

function expectation({ keyword, params, message = keyword }: ErrorObject): string {
  if (keyword === 'type') return [params.type].flat().join(' or ');
  if (keyword === 'const') return JSON.stringify(params.allowedValue);
  if (keyword === 'enum') {
    const values = (params.allowedValues as readonly unknown[]).map((one) => JSON.stringify(one));
    return `one of ${values.slice(0, 10).join(', ')}${values.length > 10 ? ' and others' : ''}`;
  }
  if (keyword === 'format') return `the format ${params.format}`;
  if (keyword === 'pattern') return `text that matches ${JSON.stringify(params.pattern)}`;
  const known = Object.hasOwn(limits, keyword) ? limits[keyword] : undefined;
  if (known !== undefined)
    return known.replace('N', String(params.limit ?? params.multipleOf ?? params.comparison ?? ''));
  return message.replace(/^must (?:be )?/, '').replace(/\bNOT\b/, 'not');
}

const limits: Readonly<Record<string, string>> = {
  minimum: 'a number of at least N',
  maximum: 'a number of at most N',
  exclusiveMinimum: 'a number above N',
  exclusiveMaximum: 'a number below N',
  multipleOf: 'a multiple of N',
  minLength: 'text of at least N characters',
  maxLength: 'text of at most N characters',
  minItems: 'at least N items',
  maxItems: 'at most N items',
  minProperties: 'at least N properties',
  maxProperties: 'at most N properties',
  uniqueItems: 'items that differ',
  contains: 'an item that fits "contains"',
  anyOf: 'a value that fits one of the alternatives',
  oneOf: 'a value that fits exactly one of the alternatives',
  not: 'a value that does not fit "not"',
  'false schema': 'nothing',
};

/** Follows a JSON pointer into a value. */
function locate(value: JsonValue, pointer: string): { place: JsonValue | undefined; path: (string | number)[] } {
  const path: (string | number)[] = [];
  let place: JsonValue | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(place) ? Number(key) : key);
    place =
      typeof place === 'object' && place !== null ? (place as Readonly<Record<string, JsonValue>>)[key] : undefined;
  }
  return { place, path };
}
