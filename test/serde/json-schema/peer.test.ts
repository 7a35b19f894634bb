import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/serde/json-schema/json-schema.ts';
import { decoded, failureOf } from '../decoded.ts';

const script = fileURLToPath(new URL('./peer.py', import.meta.url));

// Not `__proto__`: ajv ignores it in `properties`.
const names = fc.constantFrom('a', 'b', 'constructor', 'toString', 'x y');
const small = fc.integer({ min: 0, max: 4 });
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 2.5, -3, '', 'a', 'ab1', 'zz'),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(names, tie('any'), { maxKeys: 3 }),
})).any;
const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const schemas = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.boolean(),
    tie('limits'),
    tie('object'),
    tie('list'),
    tie('combined'),
  ),
  limits: fc.record(
    {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1 })),
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      multipleOf: fc.constantFrom(0.5, 1, 2),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', '\\d$', '[^z]+', '(a|b)*'),
      const: value,
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
    },
    { requiredKeys: [] },
  ),
  object: fc.record(
    {
      properties: fc.dictionary(names, tie('any'), { maxKeys: 3 }),
      required: fc.uniqueArray(names),
      additionalProperties: tie('any'),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'o'), tie('any')),
      propertyNames: tie('any'),
      minProperties: small,
      maxProperties: small,
    },
    { requiredKeys: [] },
  ),
  list: fc.record(
    { items: tie('any'), contains: tie('any'), uniqueItems: fc.boolean(), minItems: small, maxItems: small },
    { requiredKeys: [] },
  ),
  combined: fc.record(
    {
      allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      not: tie('any'),
      if: tie('any'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of the drafts
      then: tie('any'),
      else: tie('any'),
    },
    { requiredKeys: [] },
  ),
})).any;

const drafts = [
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

test.each(drafts)('values are valid for us if they are for Python: %s', async ($schema) => {
  const cases = fc.sample(fc.tuple(schemas, fc.array(value, { minLength: 5, maxLength: 5 })), 100);
  const asked = cases.map(([schema, values]) => [
    typeof schema === 'object' ? { ...(schema as object), $schema } : schema,
    values,
  ]);
  const { stdout } = await execa('/usr/bin/python3', [script], { input: JSON.stringify(asked) });
  const verdicts: boolean[][] = JSON.parse(stdout);
  for (const [at, [schema, values]] of asked.entries()) {
    const text = JSON.stringify(schema);
    const decoder = compileJsonSchema({ type: 'JSON', text, references: [] }).decoder();
    for (const [index, one] of (values as unknown[]).entries()) {
      const json = JSON.stringify(one);
      const failure = failureOf(() => expect(decoded(decoder, Buffer.from(json))).toBe(json));
      expect(failure === 'no failure', `${json} ${failure} ${text}`).toBe(verdicts[at]?.[index]);
    }
  }
});
