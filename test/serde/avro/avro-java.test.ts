import { afterAll, expect, test } from 'vitest';
import { exchange } from './exchange.ts';
import { openJavaAvro } from './java-avro.ts';

const java = openJavaAvro();
afterAll(() => java.close());

test('random records mean the same to Apache Avro for Java, in both directions', async () => {
  const seeds = Array.from({ length: 100 }, (_, index) => index + 1);
  const { records, faults } = await exchange(java, seeds, 25);
  expect(faults).toEqual([]);
  expect(records).toBe(2500);
});
