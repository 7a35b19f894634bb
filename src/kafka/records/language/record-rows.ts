import {
  always,
  annotated,
  anything,
  described,
  either,
  leftOut,
  listOf,
  natural,
  nothing,
  row,
  string,
  whole,
  word,
} from '../../../shape/shape.ts';

const encoding = leftOut(described(always('base64'), 'present if the field is base64 because its bytes are not UTF-8'));

const schemaId = leftOut(
  described(
    either(whole, string),
    'the schema with which the field was decoded: its id, or the GUID that a header gave',
  ),
);

const fromZero = annotated(natural, { minimum: 0 });

/** The envelope that consume writes and produce reads. */
export const recordEnvelope = row({
  topic: string,
  key: leftOut(
    described(
      anything,
      'absent (or null) for a record without a key; a string, or any JSON with key_schema_id or --parse-json',
    ),
  ),
  key_encoding: encoding,
  key_schema_id: schemaId,
  value: leftOut(
    described(anything, 'absent (or null) for a tombstone; a string, or any JSON with value_schema_id or --parse-json'),
  ),
  value_encoding: encoding,
  value_schema_id: schemaId,
  value_size: leftOut(described(fromZero, 'size of the value in bytes; replaces the value with --meta-only')),
  headers: leftOut(
    described(
      listOf(row({ key: string, key_encoding: encoding, value: either(string, nothing), value_encoding: encoding })),
      'ordered; keys may repeat; absent if there are none',
    ),
  ),
  timestamp: described(whole, 'milliseconds since the epoch, -1 for none'),
  timestamp_type: leftOut(
    described(word('create', 'append'), 'append if the broker set the timestamp, otherwise create or absent'),
  ),
  partition: fromZero,
  offset: fromZero,
  control: leftOut(
    described(
      word('commit', 'abort', 'unknown'),
      'outcome of a transaction, in its marker; only with --print-control-records; refused by produce',
    ),
  ),
});
