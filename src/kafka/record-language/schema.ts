const encoding = {
  const: 'base64',
  description: 'present when the field holds bytes that are not UTF-8, in base64',
};

/** JSON Schema (draft 2020-12) of the envelope: what consume writes and produce takes. */
export const recordSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    topic: { type: 'string' },
    key: { type: ['string', 'null'], description: 'absent (or null) for a record without a key' },
    key_encoding: encoding,
    value: { type: ['string', 'null'], description: 'absent (or null) for a tombstone' },
    value_encoding: encoding,
    value_size: {
      type: 'integer',
      minimum: 0,
      description: 'bytes of the value; only with --meta-only, instead of it',
    },
    headers: {
      type: 'array',
      description: 'in order; a key may come several times; absent when there are none',
      items: {
        type: 'object',
        properties: {
          key: { type: 'string' },
          key_encoding: encoding,
          value: { type: ['string', 'null'] },
          value_encoding: encoding,
        },
        required: ['key', 'value'],
        additionalProperties: false,
      },
    },
    timestamp: { type: 'integer', description: 'milliseconds since the epoch, -1 for none' },
    timestamp_type: {
      enum: ['create', 'append'],
      description: 'append when the broker set the timestamp; else create, or absent',
    },
    partition: { type: 'integer', minimum: 0 },
    offset: { type: 'integer', minimum: 0 },
    control: {
      enum: ['commit', 'abort', 'unknown'],
      description: 'how a transaction ended, for its marker; only with --print-control-records; produce refuses it',
    },
  },
  required: ['topic', 'timestamp', 'partition', 'offset'],
  additionalProperties: false,
};
