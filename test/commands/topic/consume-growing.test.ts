import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { quickIntervals } from '../../quick-intervals.ts';
import '../../services/services.ts';
import { addPartitions } from './add-partitions.ts';
import { fill, linesOf, newTopic, weir } from './records-world.ts';

quickIntervals();

/** Starts reading; `begun` resolves when something is printed. */
function start(words: readonly string[]) {
  const begun = Promise.withResolvers<void>();
  // A fetch that waits for records holds up what is new.
  const all = [...words, '--fetch-max-wait', '500ms'];
  return { done: weir(all, { onStdout: () => begun.resolve() }), begun: begun.promise };
}

describe.concurrent('topic consume, while it runs', () => {
  it('reads partitions that a topic gets, from their start', async () => {
    const topic = await newTopic(1);
    await fill(topic, ['old']);
    const reading = start(['topic', 'consume', topic, '-n', '3', '-f', '%p %v\\n']);
    await reading.begun;
    await addPartitions(topic, 3);
    await fill(topic, ['one'], '-p', '1');
    await fill(topic, ['two'], '-p', '2');
    expect(linesOf((await reading.done).stdout).toSorted()).toEqual(['0 old', '1 one', '2 two']);
  });

  it.each(['classic', 'consumer'])('in a group, too (%s)', async (protocol) => {
    const topic = await newTopic(1);
    await fill(topic, ['old']);
    const group = ['-g', `${topic}-g`, '--group-protocol', protocol];
    const reading = start(['topic', 'consume', topic, ...group, '-n', '2', '-f', '%p %v\\n']);
    await reading.begun;
    await addPartitions(topic, 2);
    await fill(topic, ['one'], '-p', '1');
    expect(linesOf((await reading.done).stdout).toSorted()).toEqual(['0 old', '1 one']);
  });

  it.each([
    ['', []],
    [' in a classic group', ['--group-protocol', 'classic']],
    [' in a group of the consumer protocol', ['--group-protocol', 'consumer']],
  ])('reads a new topic that matches -r%s', async (_, protocol) => {
    const first = await newTopic();
    await fill(first, ['old']);
    const name = `${first}-late`;
    const group = protocol.length === 0 ? [] : ['-g', `${first}-g`, ...protocol];
    const reading = start(['topic', 'consume', '-r', `^${first}`, ...group, '-n', '2', '-f', '%t %v\\n']);
    await reading.begun;
    await weir(['topic', 'create', name, '-p', '1']);
    await fill(name, ['new']);
    expect(linesOf((await reading.done).stdout).toSorted()).toEqual([`${name} new`, `${first} old`].toSorted());
  });
});

describe('--format with a record format, as rpk has it', () => {
  it('works on both sides, and the names of output formats keep their meaning', async () => {
    const topic = await newTopic();
    const produced = await weir(['topic', 'produce', topic, '--format', '%k=%v\\n', '-o', '%k@%o '], {
      stdin: 'a=1\nb=2\n',
    });
    expect(produced).toMatchObject({ stdout: 'a@0 b@1 ', exitCode: 0 });
    const read = await weir(['topic', 'consume', topic, '-o', ':end', '--format', '%k:%v ']);
    expect(read).toMatchObject({ stdout: 'a:1 b:2 ', stderr: '', exitCode: 0 });
    const json = await weir(['topic', 'consume', topic, '-o', ':1', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ key: 'a', value: '1' });
    const wrong = await weir(['topic', 'consume', topic, '--format', 'jso']);
    expect(wrong.exitCode).toBe(2);
    expect((await weir(['topic', 'list', '--format', '%v'])).exitCode).toBe(2);
  });
});

describe('large records', () => {
  const size = 10_000_000;

  it.each(['none', 'snappy'])('of 10 MB are unchanged both ways (%s)', async (compression) => {
    const topic = await newTopic(1, 'max.message.bytes=12000000');
    const bytes = Buffer.alloc(size);
    // Hardly compressible, and always the same.
    for (let at = 0, state = 1; at < size; at += 4) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      bytes.writeInt32BE(state & 0x3f3f3f3f, at);
    }
    const text = bytes.toString('base64');
    const value = text.slice(0, size);
    const stdin = new PassThrough();
    stdin.end(`${value}\nsmall\n`);
    const flags = ['--max-message-bytes', '11000000', '-z', compression, '-o', '%V@%o '];
    const produced = await weir(['topic', 'produce', topic, ...flags], { stdin });
    expect(produced).toMatchObject({ stdout: `${size}@0 5@1 `, stderr: '', exitCode: 0 });
    const read = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%v\\n']);
    expect(read.exitCode).toBe(0);
    expect(read.stdout === `${value}\nsmall\n`).toBe(true);
  });
});

describe('log append time', () => {
  it('is what is printed, on both sides', async () => {
    const topic = await newTopic(1, 'message.timestamp.type=LogAppendTime');
    const before = Date.now();
    const stdin = '1000 a\n';
    const produced = await weir(['topic', 'produce', topic, '-f', '%d %v\\n', '-o', '%d'], { stdin });
    expect(Number(produced.stdout)).toBeGreaterThanOrEqual(before - 1_000);
    const read = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%d %a{timestamp-type}']);
    expect(read.stdout).toBe(`${produced.stdout} 1`);
  });
});
