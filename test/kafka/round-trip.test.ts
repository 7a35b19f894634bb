import { expect, it } from 'vitest';
import '../services/services.ts';
import { newTopic, weir } from '../commands/topic/records-world.ts';
import { canonical, type RandomEnvelope, randomRecords } from '../soak/random-records.ts';

/** `npm run soak -- round-trip` does the same with a million records. */
const records = 20_000;

it('20,000 random records are equal after produce, consume as JSON, produce and consume', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const largest = 'max.message.bytes=4194304';
  const [first, second] = [await newTopic(1, largest), await newTopic(1, largest)];
  const flags = ['--format', 'json', '-o', '', '--max-message-bytes', '2097152'];
  const written = Array.from(randomRecords(seed, records));
  let stdin = written.map((record) => `${JSON.stringify(record)}\n`).join('');
  for (const topic of [first, second]) {
    const produced = await weir(['topic', 'produce', topic, ...flags], { stdin });
    expect({ stderr: produced.stderr, exitCode: produced.exitCode }).toEqual({
      stderr: expect.stringMatching(/^Wrote [\d,]+ records?\n$/),
      exitCode: 0,
    });
    const consumed = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
    expect({ stderr: consumed.stderr, exitCode: consumed.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    stdin = consumed.stdout;
  }
  const read = stdin.split('\n').slice(0, -1);
  expect(read).toHaveLength(records);
  const different = read.findIndex((line, index) => {
    return canonical(JSON.parse(line) as RandomEnvelope) !== canonical(written[index] as RandomEnvelope);
  });
  expect(
    different === -1 ? 'equal' : `seed ${seed}: record ${different} differs: ${read[different]?.slice(0, 500)}`,
  ).toBe('equal');
});
