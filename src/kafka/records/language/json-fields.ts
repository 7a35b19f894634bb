/** Which fields of the input are JSON, because they are encoded by a schema. */
export interface JsonFields {
  readonly key: boolean;
  readonly value: boolean;
}

/** Keys and values are bytes. */
export const noJsonFields: JsonFields = { key: false, value: false };
