import fc, { type Arbitrary } from 'fast-check';
import type { Draft } from '../../../src/serde/json-schema/drafts.ts';

/** A schema, the documents that it refers to by name, and JSON values. */
export interface Case {
  readonly schema: object;
  readonly documents: readonly (readonly [name: string, document: object])[];
  readonly values: readonly unknown[];
}

const addresses: Readonly<Record<Draft, string>> = {
  ...{ 4: 'draft-04', 6: 'draft-06', 7: 'draft-07', 2019: 'draft/2019-09', 2020: 'draft/2020-12' },
};
const $schemas = (draft: Draft): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('http', 'https'), fc.constantFrom('', '#'))
    .map(([scheme, end]) => `${scheme}://json-schema.org/${addresses[draft]}/schema${end}`);

// Not `$id`: Python takes a property of that name for an address.
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b') },
  fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', '"\'', '\\', '\n', 'é😀', 'a/b~c%d', '$ref', 'id'),
);
const small = fc.integer({ min: 0, max: 4 });
const numbers = fc.constantFrom(0, 1, 2.5, -3, 19.99, 0.3, 1e-8, 2 ** 53, 12345678901234567000, 1e21, -1.5e300);
const texts = fc.constantFrom(
  ...['', 'a', 'ab1', 'zz', '😀', '1.2.3.4', '1.2.3', '01.2.3.4', '::1', '1::2::3', 'fe80::1%a', 'a@b.c', 'no'],
  ...['2024-02-29', '2026-02-29', '(a', 'a+'],
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false),
    numbers,
    texts,
    tie('list'),
    tie('map'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(names, tie('any'), { maxKeys: 4 }),
})).any;
const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');

/** A schema with some of the keywords. */
function some(keywords: Readonly<Record<string, Arbitrary<unknown>>>, requiredKeys: string[] = []): Arbitrary<unknown> {
  return fc.record(keywords, { requiredKeys });
}

interface Rules {
  readonly draft: Draft;
  /** What the schemas may refer to. */
  readonly references: readonly string[];
  readonly hasFormats: boolean;
  /** Only what `unevaluatedProperties` and `unevaluatedItems` depend on: among everything else they rarely matter. */
  readonly isEvaluation: boolean;
}

/** The schemas of a draft, with the keywords of the other ones as far as they may be written in it. */
function schemasOf({ draft, references, hasFormats }: Rules): Arbitrary<unknown> {
  // Draft 4 has no booleans in the place of schemas.
  const booleans = draft === 4 ? fc.constantFrom({}, { not: {} }) : fc.boolean();
  // Before draft 7 there is no "regex", but Python checks it.
  const formats = ['email', 'ipv4', 'ipv6', 'date', 'int32', ...(draft === 4 || draft === 6 ? [] : ['regex'])];
  const limit = draft === 4 ? fc.boolean() : numbers;
  return fc.letrec((tie) => {
    const limits = {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1 })),
      minimum: numbers,
      maximum: numbers,
      multipleOf: fc.constantFrom(0.01, 0.1, 0.5, 1, 2, 1e-8, 7e20),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', '\\d$', '[^z]+', '(a|b)*'),
      const: value,
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
    };
    const exclusive = { minimum: numbers, exclusiveMinimum: limit, maximum: numbers, exclusiveMaximum: limit };
    const object = {
      properties: fc.dictionary(names, tie('any'), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
      additionalProperties: tie('any'),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'o'), tie('any'), { maxKeys: 2 }),
      propertyNames: tie('any'),
      minProperties: small,
      maxProperties: small,
    };
    const dependent = {
      dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
      dependentSchemas: fc.dictionary(names, tie('any'), { maxKeys: 2 }),
      // From 2019-09 on both may be understood or not; Python's library does not.
      ...(draft <= 7 && {
        dependencies: fc.dictionary(
          names,
          fc.oneof(fc.uniqueArray(names, { minLength: 1, maxLength: 2 }), tie('any')),
          { maxKeys: 2 },
        ),
      }),
    };
    const list = {
      items: draft === 4 ? tie('object') : tie('any'),
      contains: tie('any'),
      minContains: small,
      maxContains: small,
      uniqueItems: fc.boolean(),
      minItems: small,
      maxItems: small,
    };
    const several = fc.array(tie('any'), { minLength: 1, maxLength: 3 });
    const tuple = {
      // Python applies `additionalItems` in 2020-12, too, which has no such keyword.
      ...(draft === 2020 ? { prefixItems: several } : { items: several, additionalItems: tie('any') }),
    };
    const combined = {
      allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      anyOf: several,
      oneOf: several,
      not: tie('any'),
    };
    // biome-ignore lint/suspicious/noThenProperty: a keyword of the drafts
    const conditional = { if: tie('any'), then: tie('any'), else: tie('any') };
    const format = fc.record({ format: fc.constantFrom(...formats) });
    const keywords: Arbitrary<unknown>[] = [
      some(limits),
      some(exclusive),
      tie('object'),
      tie('object'),
      some(dependent),
      some(list),
      some(tuple),
      some(combined),
      some(conditional),
      ...(hasFormats ? [format, format] : []),
      ...(references.length > 0
        ? [some({ ...limits, ...object, $ref: fc.constantFrom(...references) }, ['$ref'])]
        : []),
    ];
    return {
      any: fc.oneof({ maxDepth: 3 }, booleans, ...keywords),
      object: some(object),
    };
  }).any as Arbitrary<unknown>;
}

/**
 * Schemas of 2019-09 and 2020-12 that mostly fit, and see parts of a value. Not here, because Python misjudges it:
 * `additionalProperties` and `unevaluatedProperties` with an object, which it takes for names of properties, and in
 * 2019-09 `contains` and lists of schemas for items, after which it takes items for evaluated that are not.
 */
function evaluationsOf({ draft, references }: Rules): Arbitrary<unknown> {
  const mild = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.record({ type: types }));
  const properties = fc.dictionary(names, mild, { minKeys: 1, maxKeys: 3 });
  return fc.letrec((tie) => {
    const few = fc.array(tie('any'), { minLength: 1, maxLength: 3 });
    const name = fc.tuple(names);
    return {
      any: fc.oneof(
        { maxDepth: 4 },
        mild,
        fc.record({ properties }),
        fc.record({ properties, required: name }),
        fc.record({ patternProperties: fc.constant({ '^a': true }) }),
        fc.record({ additionalProperties: fc.boolean(), properties }),
        fc.record({ minItems: small, items: draft === 2020 ? tie('any') : mild }),
        ...(draft === 2020
          ? [fc.record({ prefixItems: fc.array(mild, { minLength: 1 }) }), fc.record({ contains: mild })]
          : []),
        some({ allOf: few, properties }, ['allOf']),
        some({ anyOf: few, properties }, ['anyOf']),
        fc.record({ oneOf: few }),
        fc.record({ not: fc.record({ not: tie('any') }) }),
        fc.record({ not: fc.record({ properties, required: name }) }),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of the drafts
        some({ if: tie('any'), then: tie('any'), else: tie('any') }, ['if']),
        fc.record({ dependentSchemas: fc.dictionary(names, tie('any'), { minKeys: 1, maxKeys: 2 }) }),
        fc.record({ unevaluatedProperties: fc.boolean(), allOf: few }),
        fc.record({ unevaluatedItems: mild, anyOf: few }),
        ...(references.length > 0 ? [fc.record({ $ref: fc.constantFrom(...references), properties })] : []),
      ),
    };
  }).any as Arbitrary<unknown>;
}

const definitionNames = ['x', 'a b', '__proto__', '"~/%é'] as const;

function pointer(draft: Draft, name: string): string {
  const keyword = draft >= 2019 ? '$defs' : 'definitions';
  return `#/${keyword}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

interface Document {
  readonly draft: Draft;
  readonly rules: Omit<Rules, 'references' | 'draft'>;
  /** The addresses of other documents. */
  readonly others: readonly string[];
  readonly more: object;
}

/** A document with definitions, each of which refers to later ones only, so that none goes in circles. */
function documents({ draft, rules, others, more }: Document): Arbitrary<object> {
  const own = definitionNames.map((name) => pointer(draft, name));
  const schemas = (references: readonly string[]) =>
    (rules.isEvaluation ? evaluationsOf : schemasOf)({ ...rules, draft, references });
  const definitions = definitionNames.map((_, at) => schemas([...own.slice(at + 1), ...others]));
  const main = schemas([...own, ...others]);
  return fc.tuple($schemas(draft), main, ...definitions).map(([$schema, schema, ...defined]) => ({
    ...(typeof schema === 'object' ? schema : { allOf: [schema] }),
    ...more,
    $schema,
    [draft >= 2019 ? '$defs' : 'definitions']: Object.fromEntries(
      definitionNames.map((name, at) => [name, defined[at]]),
    ),
  }));
}

const root = 'http://x.test/dir/root.json';
const places = [
  { name: 'b.json', reference: 'b.json' },
  { name: '../up.json', reference: '../up.json' },
  { name: 'sub/c.json', reference: './sub/../sub/c.json#' },
  { name: 'http://x.test/dir/d.json', reference: 'd.json' },
] as const;

/** A schema of the draft by itself, and one with documents that are of this draft or of another one. */
export function cases(draft: Draft): Arbitrary<Case> {
  const id = draft === 4 ? 'id' : '$id';
  const values = fc.array(value, { minLength: 5, maxLength: 5 });
  const alone = documents({ draft, rules: { hasFormats: true, isEvaluation: false }, others: [], more: {} });
  const evaluations = fc
    .constantFrom<object>({ unevaluatedProperties: false }, { unevaluatedItems: false })
    .chain((more) => documents({ draft, rules: { hasFormats: false, isEvaluation: true }, others: [], more }));
  const single = draft >= 2019 ? fc.oneof(alone, evaluations) : alone;
  const others = fc.constantFrom<Draft>(4, 6, 7, 2019, 2020);
  const together = fc.tuple(fc.constantFrom(...places), others).chain(([{ name, reference }, other]) => {
    // Python checks formats by the draft of the root in all documents.
    const rules = { hasFormats: other === draft, isEvaluation: false };
    const schema = documents({ draft, rules, others: [reference], more: { [id]: root } });
    const document = documents({ draft: other, rules, others: [], more: {} });
    return fc.record({ schema, documents: document.map((one) => [[name, one] as const]), values });
  });
  return fc.oneof(fc.record({ schema: single, documents: fc.constant([]), values }), together);
}
