import { describe, expect, it } from 'vitest';
import { commitOffsets } from '../../../../src/kafka/streams/groups/commits.ts';
import { fill, newTopic, trim, weir } from '../../../commands/topic/records-world.ts';
import { clientOf } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';

/** A topic of ten records, whose group has committed an offset without an epoch, as older clients do. */
async function committedAt(offset: bigint): Promise<{ readonly topic: string; readonly group: string }> {
  const topic = await newTopic();
  const group = `${topic}-g`;
  await fill(topic, [...'0123456789']);
  await using client = clientOf([services().plaintext]);
  const nobody = { group, generation: -1, memberId: '', instanceId: undefined };
  const items = [{ topic, partition: 0, offset, leaderEpoch: -1 }];
  // The first group of a new cluster has no coordinator yet.
  await client.retry('OffsetCommit', () => commitOffsets(client, nobody, items));
  return { topic, group };
}

describe('an offset that the broker does not have', () => {
  it('because it was deleted is reported, and the read continues at the log start', async () => {
    const { topic, group } = await committedAt(2n);
    await trim(topic, 0, 6);
    const words = ['topic', 'consume', topic, '-g', group, '-n', '4', '-f', '%o=%v '];
    expect(await weir(words)).toEqual({
      stdout: '6=6 7=7 8=8 9=9 ',
      stderr: `warning: topic "${topic}" partition 0 has no offset 2 (earlier records are deleted): reading continues at 6\n`,
      exitCode: 0,
    });
  });

  it('because the log was cut is reported, and the read continues at its end', async () => {
    const { topic, group } = await committedAt(5000n);
    let isDone = false;
    const reading = weir(['topic', 'consume', topic, '-g', group, '-n', '1', '-f', '%o=%v']).finally(() => {
      isDone = true;
    });
    // Until one arrives after the read began, wherever it found the end.
    while (!isDone) await fill(topic, ['new']);
    const { stdout, stderr, exitCode } = await reading;
    const [, goesOn] = /has no offset 5000 \(the log was truncated\): reading continues at (\d+)\n$/.exec(stderr) ?? [];
    expect({ stdout, exitCode }).toEqual({ stdout: `${goesOn}=new`, exitCode: 0 });
  });

  it('is skipped by a range that includes deleted offsets', async () => {
    const { topic } = await committedAt(0n);
    await trim(topic, 0, 6);
    for (const range of ['2:8', ':8', '+0', '0']) {
      const words = ['topic', 'consume', topic, '-o', range, '-n', '2', '-f', '%v'];
      expect((await weir(words)).stdout).toBe('67');
    }
    expect((await weir(['topic', 'consume', topic, '-o', '1:4'])).stdout).toBe('');
  });
});
