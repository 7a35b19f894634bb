import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { type ReferencedSchema, SchemaError, type SchemaSource } from '../schema.ts';
import { dialectOf, type Validator } from './dialects.ts';
import { equalityKeywords } from './equality.ts';
import { boundedFormats } from './formats.ts';
import { compilePattern } from './patterns.ts';

/** Schemas made by people have a few hundred parts; ajv needs about 0.2 ms for each, more for many in one object. */
const mostParts = 5000;
/** Deeper schemas would exhaust the stack while they are compiled. */
const mostDepth = 200;
/**
 * The calls of generated functions for one value: each `$ref` to a recursive schema is one. Alternatives within a
 * recursive schema double the calls with each level of the value, so a few hundred bytes could take forever. A million
 * calls take less than a second.
 */
const mostCalls = 1_000_000;

/** Thrown within generated code when a value takes too long. */
export class TooManyCalls extends Error {}

/** A compiled schema. */
export interface Validation {
  readonly schema: unknown;
  /** The parsed references by name. */
  readonly references: ReadonlyMap<string, unknown>;
  /** Returns the first error; undefined for a valid value. @throws TooManyCalls if it takes too long */
  check(value: unknown): ErrorObject | undefined;
}

/**
 * Compiles a schema and its references; nothing is ever fetched.
 * @throws SchemaError if one is not valid, or refers to something that is not there
 */
export function compile(source: SchemaSource): Validation {
  const schema = parse(source.text);
  const references = new Map(source.references.map((one) => [one.name, parse(one.text, one)]));
  const calls = { left: mostCalls };
  try {
    const texts = [source.text, ...source.references.map(({ text }) => text)];
    const validator = prepare(
      schema,
      calls,
      texts.some((text) => text.includes('unevaluated')),
    );
    for (const [name, reference] of references) validator.addSchema(reference as object, name);
    return { schema, references, check: checker(validator.compile(schema as object), calls) };
  } catch (error) {
    throw schemaError(error);
  }
}

function prepare(schema: unknown, calls: { left: number }, isUnevaluatedUsed: boolean): Validator {
  const { create, meta } = dialectOf(schema);
  const validator = create(optionsFor(schema));
  const countCall = () => {
    if (calls.left-- <= 0) throw new TooManyCalls();
  };
  Object.assign(validator, { countCall });
  // Keeping track of what was evaluated costs time, and fails for some combinations of keywords.
  if (!isUnevaluatedUsed) validator.opts.unevaluated = false;
  if (meta !== undefined) validator.addMetaSchema(meta);
  for (const keyword of equalityKeywords) {
    validator.removeKeyword(String(keyword.keyword));
    validator.addKeyword(keyword);
  }
  return validator;
}

function checker(validate: ValidateFunction, calls: { left: number }): Validation['check'] {
  return (value) => {
    calls.left = mostCalls;
    return validate(value) ? undefined : mostTelling(validate.errors ?? []);
  };
}

/** The last error is the outermost one; the one of a condition says less than the first in its branch. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const last = errors.at(-1);
  return last?.keyword === 'if' ? errors[0] : last;
}

function optionsFor(schema: unknown): Options {
  return {
    strict: false,
    // A number such as 1e400 is infinite for JavaScript only.
    strictNumbers: false,
    // 19.99 is a multiple of 0.01, but not for the arithmetic of doubles.
    multipleOfPrecision: 9,
    logger: false,
    validateFormats: true,
    formats: boundedFormats(),
    // To stop at the first error, the code for each property is nested in that of the one before.
    allErrors: widthOf(schema) > mostNested,
    ownProperties: true,
    code: { regExp: compilePattern, process: countingCalls },
  };
}

/** Checks of that many properties may be nested in generated code. */
const mostNested = 500;

/** Returns the number of members of the largest object. */
function widthOf(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const members = Object.values(schema);
  return members.reduce((most: number, member) => Math.max(most, widthOf(member)), members.length);
}

/** Lets each generated function count its calls; `self` is the validator there. */
function countingCalls(code: string): string {
  return code.replace(/function validate\d+\(data, [^)]*\)\{/, '$&self.countCall();');
}

function parse(text: string, reference?: ReferencedSchema): unknown {
  const what = reference === undefined ? 'the schema' : `the reference ${JSON.stringify(reference.name)}`;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw new SchemaError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
    throw new SchemaError(`${what} is neither an object nor a boolean`);
  }
  refuseHuge(schema, what);
  return withoutAsync(schema);
}

/** For ajv, `$async` means a validation that ends later and accepts everything at first; in JSON Schema it means nothing. */
function withoutAsync(schema: object | boolean): object | boolean {
  if (typeof schema === 'boolean' || !('$async' in schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$async'));
}

function refuseHuge(schema: unknown, what: string): void {
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: schema, depth: 0 }];
  let parts = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next;
    if (typeof part !== 'object' || part === null) continue;
    if (++parts > mostParts) throw new SchemaError(`${what} has more than ${mostParts} parts`);
    if (depth > mostDepth) throw new SchemaError(`${what} is nested more than ${mostDepth} deep`);
    for (const inner of Object.values(part)) open.push({ part: inner, depth: depth + 1 });
  }
}

function schemaError(error: unknown): SchemaError {
  if (error instanceof SchemaError) return error;
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [, missing] = /^can't resolve reference (\S*)/.exec(message) ?? [];
  if (missing !== undefined)
    return new SchemaError(`the schema refers to "${missing}", which is not one of its references`);
  if (error instanceof RangeError) return new SchemaError('the schema refers to itself without end');
  return new SchemaError(`invalid JSON Schema: ${message.replace(/^schema is invalid: data/, '')}`);
}
