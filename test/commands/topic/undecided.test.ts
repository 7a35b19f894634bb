import { expect, test } from 'vitest';
import '../../services/services.ts';
import { fill, newTopic, weir } from './records-world.ts';

const quoted = 'value.a is text in these records: compare it with text ("5"), or convert it (double(value.a))';

test.each<[string, readonly string[], string | undefined]>([
  ['the same for all', ['{"a":"1"}', '{"a":"2"}', '{"a":7}'], quoted],
  ['another one for some', ['{"a":"1"}', '{"a":true}', '{"a":"2"}'], undefined],
  ['none for what Avro writes for numbers that JSON lacks', ['{"a":"NaN"}', '{"a":"-Infinity"}'], undefined],
])('the advice for records that could not be decided is %s', async (_, records, advice) => {
  const topic = await newTopic();
  // A batch each, because batches are summed up one by one.
  for (const record of records) await fill(topic, [record]);
  const { stderr, exitCode } = await weir(['topic', 'search', topic, '--where', 'value.a > 5']);
  expect(exitCode).toBe(advice === undefined ? 3 : 0);
  expect(stderr).toContain('could not be decided');
  expect(/^hint: (.*)$/m.exec(stderr)?.[1]).toBe(advice);
});
