const encoding = {
  const: 'base64',
  description: 'present if the field is base64 because its bytes are not UTF-8',
};

const schemaId = {
  type: ['integer', 'string'],
  description: 'the schema with which the field was decoded: its id, or the GUID that a header gave',
};

/** The JSON Schema (draft 2020-12) of the envelope that consume writes and produce reads. */
export const recordSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    topic: { type: 'string' },
    key: { description: 'absent (or null) for a record without a key; a string, or any JSON with key_schema_id' },
    key_encoding: encoding,
    key_schema_id: schemaId,
    value: { description: 'absent (or null) for a tombstone; a string, or any JSON with value_schema_id' },
    value_encoding: encoding,
    value_schema_id: schemaId,
    value_size: {
      type: 'integer',
      minimum: 0,
      description: 'size of the value in bytes; replaces the value with --meta-only',
    },
    headers: {
      type: 'array',
      description: 'ordered; keys may repeat; absent if there are none',
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
      description: 'append if the broker set the timestamp, otherwise create or absent',
    },
    partition: { type: 'integer', minimum: 0 },
    offset: { type: 'integer', minimum: 0 },
    control: {
      enum: ['commit', 'abort', 'unknown'],
      description: 'outcome of a transaction, in its marker; only with --print-control-records; refused by produce',
    },
  },
  required: ['topic', 'timestamp', 'partition', 'offset'],
  additionalProperties: false,
};
