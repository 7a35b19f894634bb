import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/serde/json-schema/json-schema.ts';
import { failureOf } from '../decoded.ts';

const compile = (schema: unknown) => compileJsonSchema({ type: 'JSON', text: JSON.stringify(schema), references: [] });

test('examples are valid, or there is none', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 5 },
      b: { enum: ['x'] },
      c: { format: 'uuid' },
      d: { $ref: '#/definitions/d' },
    },
    required: ['a'],
    definitions: { d: { examples: [7] } },
  };
  expect(JSON.parse(compile(schema).example())).toEqual({
    a: 5,
    b: 'x',
    c: '123e4567-e89b-42d3-a456-426614174000',
    d: 7,
  });
  expect(failureOf(() => compile({ type: 'string', pattern: '^\\d{3}$' }).example())).toBe(
    'no example could be made that is valid for this schema',
  );
});

const manyParts: readonly (readonly [what: string, properties: (inner: object) => Record<string, object>])[] = [
  ['properties that are all required, at every level', (inner) => namedParts(10, inner)],
  ['long names', (inner) => ({ ['n'.repeat(100_000)]: inner, b: inner, c: inner })],
  ['large examples', (inner) => ({ ...namedParts(2, inner), e: { examples: ['x'.repeat(100_000)] } })],
];

test.each(manyParts)('an example of %s would be too large', (_, properties) => {
  let definition: object = { type: 'string' };
  const definitions: Record<string, object> = {};
  for (const name of ['f', 'e', 'd', 'c', 'b', 'a']) {
    const all = properties(definition);
    definitions[name] = { type: 'object', properties: all, required: Object.keys(all) };
    definition = { $ref: `#/definitions/${name}` };
  }
  expect(failureOf(() => compile({ ...definition, definitions }).example())).toBe(
    'no example could be made that is valid for this schema',
  );
});

test.each(manyParts)('no example is made of %s in a schema without end, in a bounded time', (_, properties) => {
  const all = properties({ $ref: '#/definitions/a' });
  const a = { type: 'object', properties: all, required: Object.keys(all), minProperties: 1 };
  const started = performance.now();
  expect(failureOf(() => compile({ $ref: '#/definitions/a', definitions: { a } }).example())).toBe(
    'no example could be made that is valid for this schema',
  );
  expect(performance.now() - started).toBeLessThan(10_000);
});

function namedParts(count: number, inner: object): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, inner]));
}
