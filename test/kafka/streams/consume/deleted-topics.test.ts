import { describe, expect, it } from 'vitest';
import { fill, newTopic, weir } from '../../../commands/topic/records-world.ts';

/** What becomes true while a command prints. */
function watchText() {
  let text = '';
  const waiting: { readonly wanted: string; resolve(): void }[] = [];
  return {
    take(chunk: string): void {
      text += chunk;
      for (const { wanted, resolve } of waiting) if (text.includes(wanted)) resolve();
    },
    has(wanted: string): Promise<void> {
      if (text.includes(wanted)) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ wanted, resolve }));
    },
  };
}

describe('a topic of a real broker', () => {
  it('that is deleted and created again while it is read is read from its start', async () => {
    const topic = await newTopic();
    await fill(topic, ['a', 'b', 'c']);
    const output = watchText();
    const words = ['topic', 'consume', topic, '-f', '%o%v ', '-n', '5'];
    const reading = weir(words, { onStdout: output.take });
    await output.has('2c');
    await weir(['topic', 'delete', topic, '--no-confirm']);
    // Brokers may know the old topic for a moment.
    while ((await weir(['topic', 'create', topic, '-p', '1', '-r', '1'])).exitCode !== 0);
    await fill(topic, ['x', 'y']);
    expect(await reading).toEqual({
      stdout: '0a 1b 2c 0x 1y ',
      stderr: `warning: topic "${topic}" was deleted and created again: reading starts over at its beginning\n`,
      exitCode: 0,
    });
  });

  it('that is deleted while it is read by a pattern is dropped, and the read of the others continues', async () => {
    const [gone, kept] = [await newTopic(), await newTopic()];
    await fill(gone, ['a']);
    await fill(kept, ['b']);
    const [output, warnings] = [watchText(), watchText()];
    const words = ['topic', 'consume', '-r', `^(${gone}|${kept})$`, '-f', '%v ', '-n', '3'];
    const reading = weir([...words, '-X', 'globals.retry_timeout=2s'], {
      onStdout: output.take,
      onStderr: warnings.take,
    });
    await Promise.all([output.has('a'), output.has('b')]);
    await weir(['topic', 'delete', gone, '--no-confirm']);
    await warnings.has('was deleted');
    await fill(kept, ['c']);
    const { stdout, stderr, exitCode } = await reading;
    expect(stdout.trim().split(' ').sort()).toEqual(['a', 'b', 'c']);
    expect({ stderr, exitCode }).toEqual({
      stderr: `warning: topic "${gone}" was deleted: its partition is dropped\n`,
      exitCode: 0,
    });
  });
});
