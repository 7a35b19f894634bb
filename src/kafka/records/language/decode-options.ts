/** What to do with a key or value that cannot be decoded: print its bytes, leave the record out, or stop. */
export const decodeErrorChoices = ['raw', 'skip', 'fail'] as const;

/** Which fields of records to decode, as plain data that another thread can use as well. */
export interface DecodeOptions {
  readonly key: boolean;
  readonly value: boolean;
  /** Whether a key without a schema id is text, as beside values of Avro, and no failure. */
  readonly plainKeys?: boolean;
  readonly onError: (typeof decodeErrorChoices)[number];
}
