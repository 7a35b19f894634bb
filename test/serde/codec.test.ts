import { expect, test } from 'vitest';
import { codecOf } from '../../src/serde/codec.ts';
import type { SchemaType } from '../../src/serde/schema.ts';

const texts: Readonly<Record<SchemaType, string>> = {
  AVRO: '"string"',
  PROTOBUF: 'syntax = "proto3"; message A {}',
  JSON: '{}',
};
const most = 8 * 1024 * 1024;

test.each(Object.entries(texts) as [SchemaType, string][])(
  'a schema of %s may have 8 MiB, with its references',
  async (type, text) => {
    const references = [{ name: 'other', text: text.padEnd(most - text.length) }];
    await codecOf({ type, text, references: [] });
    if (type === 'JSON') await codecOf({ type, text, references });
    const longer = { type, text: `${text} `, references };
    await expect(codecOf(longer)).rejects.toThrow('it is longer than 8388608 characters with its references');
  },
);
