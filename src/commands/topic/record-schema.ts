import { arrayOf, integerSchema, object, type Schema, string, wordOf } from '../../cli/schema.ts';

const encoding = wordOf('base64');

/**
 * One record as JSON: the lossless envelope that `topic consume` writes and `topic produce` reads. Bytes
 * that are not UTF-8 stand as base64, with an `…_encoding` beside them.
 */
export const recordSchema: Schema = object(
  {
    topic: string,
    key: { type: ['string', 'null'] },
    key_encoding: encoding,
    value: { type: ['string', 'null'] },
    value_encoding: encoding,
    value_size: integerSchema,
    headers: arrayOf(
      object({ key: string, key_encoding: encoding, value: { type: ['string', 'null'] }, value_encoding: encoding }, [
        'key_encoding',
        'value',
        'value_encoding',
      ]),
    ),
    timestamp: integerSchema,
    timestamp_type: string,
    partition: integerSchema,
    offset: integerSchema,
  },
  ['key', 'key_encoding', 'value', 'value_encoding', 'value_size', 'headers', 'timestamp_type'],
);
