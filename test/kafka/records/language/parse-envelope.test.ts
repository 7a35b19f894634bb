import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberText } from '../../../../src/kafka/records/language/parse-envelope.ts';

test.each([
  ['{"value":12345678901234567890}', '12345678901234567890'],
  ['{"key":{"value":1},"value":1e400}', '1e400'],
  ['{ "value" : { "a" : [ 1, 2 ] , "b":"}" } , "key":null}', '{ "a" : [ 1, 2 ] , "b":"}" }'],
  ['{"value":"a\\"}{","x":1}', '"a\\"}{"'],
  ['{"value":true }', 'true'],
  ['{"v\\u0061lue":5}', '5'],
  ['{"value":1,"value":2}', '2'],
  ['{"other":{"deep":[{"value":9}]},"value":[]}', '[]'],
  ['\n{\n"value"\n:\nnull\n}\n', 'null'],
])('of %s, the member is %s', (json, expected) => {
  expect(memberText(json, 'value')).toBe(expected);
});

test('the text of a member of any object is the JSON of its value', () => {
  const indent = fc.constantFrom(undefined, 2);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), indent, (others, value, space) => {
      const json = JSON.stringify({ ...others, value }, undefined, space);
      expect(JSON.parse(memberText(json, 'value'))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
