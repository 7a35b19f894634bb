import { expect, it } from 'vitest';
import { javaOptions } from '../../../src/sandbox/kafka/storage.ts';

it('a broker with TLS uses the compiler with AES instructions, and others start faster without it', () => {
  expect(javaOptions(512)).toContain('-XX:TieredStopAtLevel=1');
  expect(javaOptions(512, { encrypts: true })).toEqual(
    javaOptions(512).filter((option) => !option.startsWith('-XX:Tiered')),
  );
});
