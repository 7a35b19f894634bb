import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { fill, kcat, linesOf, newTopic, weir } from './records-world.ts';

describe('topic produce', () => {
  it('reports where every record was written, in the order of the partition', async () => {
    const topic = await newTopic();
    const { stdout, stderr, exitCode } = await weir(['topic', 'produce', topic], { stdin: 'a\nb\n' });
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(/^Produced to partition 0 at offset 0 with timestamp \d{13}\.$/),
      expect.stringMatching(/^Produced to partition 0 at offset 1 with timestamp \d{13}\.$/),
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it('keeps a last line without a line end, and empty lines', async () => {
    const topic = await newTopic();
    await weir(['topic', 'produce', topic], { stdin: 'a\n\nlast' });
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '[%v]\\n']);
    expect(stdout).toBe('[a]\n[]\n[last]\n');
  });

  it.each([
    ['a line', 'a 1\nbad\nb 2\nc 3\n', 'a=1'],
    ['a line that ends in CR LF', 'a 1\r\nbad\r\nb 2\r\n', 'a=1\r'],
    ['a last line without a line end', 'a 1\nbad', 'a=1'],
  ])('%s that does not fit the format ends the command after the records before it', async (_, stdin, written) => {
    const topic = await newTopic();
    const { stdout, stderr, exitCode } = await weir(['topic', 'produce', topic, '-f', '%k %v\n', '-o', '%o '], {
      stdin,
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '0 ', exitCode: 1 });
    expect(stderr).toMatch(/^weir: unable to read record 2 \(input line 2, /);
    const { stdout: log } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%k=%v;']);
    expect(log).toBe(`${written};`);
  });

  it('a line that does not fit is an error object on stderr with --format json', async () => {
    const topic = await newTopic();
    const line = ['topic', 'produce', topic, '-f', '%k %v\n', '--format', 'json'];
    const { stdout, stderr, exitCode } = await weir(line, { stdin: 'a 1\nbad\nb 2\nc 3\n' });
    expect(linesOf(stdout).map((one) => JSON.parse(one))).toMatchObject([{ topic, partition: 0, offset: 0 }]);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: expect.stringMatching(/^unable to read record 2 \(input line 2, /),
      hint: "send the rest with the same command, and its input from: sed -n '2,$p' FILE",
      records: { read: 1, acknowledged: 1, numbers_of: 'lines' },
    });
    expect(exitCode).toBe(1);
  });

  it('delivers ten thousand records before a line that does not fit', async () => {
    const topic = await newTopic();
    const good = Array.from({ length: 10_000 }, (_, index) => `k${index} v\n`).join('');
    const line = ['topic', 'produce', topic, '-f', '%k %v\n', '-o', ''];
    const { stderr, exitCode } = await weir(line, { stdin: `${good}bad\nlate v\n` });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('unable to read record 10001 (input line 10001, ');
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%k\n']);
    expect([linesOf(stdout).length, linesOf(stdout).at(-1)]).toEqual([10_000, 'k9999']);
  });

  it('an empty input writes nothing', async () => {
    const topic = await newTopic();
    expect(await weir(['topic', 'produce', topic])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  it('gives records the key, the headers and the partition of the flags', async () => {
    const topic = await newTopic(3);
    const flags = ['-k', 'fixed', '-H', 'a=1', '-H', 'b:2', '-H', 'a=3', '-p', '2'];
    await weir(['topic', 'produce', topic, ...flags], { stdin: 'v\n' });
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%p %k %v %h{%k=%v,}\\n']);
    expect(stdout).toBe('2 fixed v a=1,b=2,a=3,\n');
  });

  it('an empty value is a tombstone with -Z only', async () => {
    const topic = await newTopic();
    await weir(['topic', 'produce', topic, '-f', '%k,%v\\n'], { stdin: 'k1,\n' });
    await weir(['topic', 'produce', topic, '-f', '%k,%v\\n', '-Z'], { stdin: 'k1,\n' });
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--format', 'json']);
    expect(linesOf(stdout).map((line) => JSON.parse(line).value)).toEqual(['', undefined]);
  });

  it('puts a key where librdkafka puts it with murmur2', async () => {
    const topic = await newTopic(7);
    const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);
    await fill(
      topic,
      keys.map((key) => `${key},weir`),
      '-f',
      '%k,%v\\n',
    );
    await kcat(
      ['-P', '-t', topic, '-K', ',', '-X', 'topic.partitioner=murmur2_random'],
      keys.map((key) => `${key},kcat\n`).join(''),
    );
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%k %p\\n']);
    const places = Map.groupBy(linesOf(stdout), (line) => line.split(' ')[0]);
    expect(places.size).toBe(60);
    for (const lines of places.values()) expect(new Set(lines).size).toBe(1);
  });

  it.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'])('writes %s that kcat reads', async (codec) => {
    const topic = await newTopic();
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index} ${'abc'.repeat(index % 40)}`);
    await fill(topic, lines, '-z', codec);
    const read = await kcat(['-C', '-t', topic, '-e', '-q', '-o', 'beginning']);
    expect(linesOf(read)).toEqual(lines);
  });

  it.each(['0', '1'])('with --acks %s the records arrive, too', async (acks) => {
    const topic = await newTopic();
    await fill(topic, ['a', 'b'], '--acks', acks);
    const { stdout } = await weir(['topic', 'consume', topic, '-n', '2', '-f', '%v\\n']);
    expect(stdout).toBe('a\nb\n');
  });

  it('100,000 lines come back byte for byte', async () => {
    const topic = await newTopic();
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index} ${'x'.repeat(index % 97)}`);
    await fill(topic, lines);
    const { stdout } = await weir(['topic', 'consume', topic, '-n', '100000', '-f', '%v\\n']);
    expect(stdout === lines.map((line) => `${line}\n`).join('')).toBe(true);
  });

  it('accepts a record with its own topic from the input', async () => {
    const [left, right] = [await newTopic(), await newTopic()];
    const { stdout } = await weir(['topic', 'produce', '-f', '%t %v\\n', '-o', '%t %o\\n'], {
      stdin: `${left} a\n${right} b\n${left} c\n`,
    });
    expect([...linesOf(stdout)].sort()).toEqual([`${left} 0`, `${left} 1`, `${right} 0`].sort());
  });

  it('sends a typed line at once', async () => {
    const topic = await newTopic();
    const stdin = new PassThrough();
    const printed = Promise.withResolvers<void>();
    const done = weir(['topic', 'produce', topic, '-o', '%o'], { stdin, onStdout: () => printed.resolve() });
    stdin.write('first\n');
    await printed.promise;
    stdin.end('second\n');
    expect(await done).toEqual({ stdout: '01', stderr: '', exitCode: 0 });
  });

  it.each(['all', '1', '0'])('on Ctrl-C delivers complete records and exits with 130 (--acks %s)', async (acks) => {
    const topic = await newTopic();
    const stdin = new PassThrough();
    let interrupt = (): void => undefined;
    const done = weir(['topic', 'produce', topic, '-o', '%v\\n', '--acks', acks], {
      stdin,
      onStart: (kill) => {
        interrupt = () => kill('SIGINT');
      },
      onStdout: () => interrupt(),
    });
    stdin.write('whole\nhalf');
    const { stdout, exitCode } = await done;
    expect({ stdout, exitCode }).toEqual({ stdout: 'whole\n', exitCode: 130 });
  });

  it('an error in the input names the record; the records before it are written and reported', async () => {
    const topic = await newTopic();
    const { stdout, stderr, exitCode } = await weir(['topic', 'produce', topic, '-f', '%k,%v\\n', '-o', '%v\\n'], {
      stdin: 'a,1\nb,2\nwithout end',
    });
    expect(stdout).toBe('1\n2\n');
    expect(stderr).toMatch(/^weir: unable to read record 3 /);
    expect(exitCode).toBe(1);
  });

  it('--dry-run says how many records would go where and writes nothing', async () => {
    const topic = await newTopic(2);
    const { stdout, exitCode } = await weir(['topic', 'produce', topic, '--dry-run', '-p', '1'], { stdin: 'a\nb\n' });
    expect(stdout).toMatch(new RegExp(`${topic} +1 +2\\n$`));
    expect(exitCode).toBe(0);
    expect((await weir(['topic', 'consume', topic, '-o', ':end'])).stdout).toBe('');
  });

  it('--format json reports a JSON object per record', async () => {
    const topic = await newTopic();
    const { stdout } = await weir(['topic', 'produce', topic, '-f', '%v\\n', '--format', 'json'], { stdin: 'a\n' });
    expect(JSON.parse(stdout)).toEqual({ topic, partition: 0, offset: 0, timestamp: expect.any(Number) });
  });

  it('the total has the topics that records name, and a timestamp in seconds is reported once', async () => {
    const topic = await newTopic();
    const record = JSON.stringify({ topic, value: 'a', timestamp: 1_767_225_600 });
    const { stderr } = await weir(['topic', 'produce', '-f', 'json', '-o', ''], { stdin: `${record}\n${record}\n` });
    expect(stderr).toBe(
      'warning: the timestamp 1767225600 is 1970-01-21T10:53:45.6Z: timestamps are in milliseconds\n' +
        `Wrote 2 records to ${topic}\n`,
    );
  });

  it('a topic that does not exist is exit 3 before any input is read', async () => {
    const stdin = new PassThrough();
    const { stderr, exitCode } = await weir(['topic', 'produce', 'records-missing'], { stdin });
    expect(stderr).toMatch(/^weir: unable to use topic "records-missing": UNKNOWN_TOPIC_OR_PARTITION \(3\): /);
    expect(exitCode).toBe(3);
  });

  it('a record that the topic does not take ends the command with the reason of the broker', async () => {
    const topic = await newTopic(1, 'max.message.bytes=1000');
    const stdin = `a\n${'x'.repeat(5000)}\n`;
    const flags = ['-z', 'none', '--max-message-bytes', '6000'];
    const { stderr, exitCode } = await weir(['topic', 'produce', topic, ...flags], { stdin });
    expect(stderr).toMatch(
      /^weir: unable to produce a batch of 2 records, the first of which is record 1, to topic "[^"]+" partition 0: MESSAGE_TOO_LARGE \(10\): /,
    );
    expect(stderr).toMatch(/hint: lower --max-message-bytes, or raise max\.message\.bytes/);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['lines', ['-f', '%v\\n'], ''],
    ['records with keys', ['-f', '%k,%v\\n'], 'k,'],
  ])('a record that is too large alone is named: %s', async (_, flags, key) => {
    const topic = await newTopic(1, 'max.message.bytes=1000');
    // Too large for a batch of 1,000,012 bytes with the two others.
    const stdin = `${key}a\n${key}b\n${key}${'x'.repeat(1_000_000)}\n`;
    const { stderr } = await weir(['topic', 'produce', topic, ...flags, '-z', 'none'], { stdin });
    const [line, hint] = stderr.split('\n');
    expect(line).toMatch(/^weir: unable to produce record 3 to topic "[^"]+" partition 0: MESSAGE_TOO_LARGE/);
    expect(hint).toMatch(
      /hint: raise max\.message\.bytes of the topic .* to at least 10000\d\d: the record is in a batch/,
    );
    expect(stderr).not.toContain('--max-message-bytes');
  });

  it.each([
    [['-z', 'brotli'], '', /--compression.*zstd/],
    [['--acks', '5'], '', /--acks/],
    [['--delivery-timeout', '999ms'], '', /--delivery-timeout is less than 1s/],
    [['-f', '%q'], '', /%q/],
    [['-o', '%q'], '', /%q/],
  ])('%j is a usage error', async (flags, stdin, message) => {
    const topic = await newTopic();
    const { stderr, exitCode } = await weir(['topic', 'produce', topic, ...flags], { stdin });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });

  it('a partition that does not exist exits with 3', async () => {
    const topic = await newTopic();
    const { stdout, stderr, exitCode } = await weir(['topic', 'produce', topic, '-p', '5'], { stdin: 'a\n' });
    expect(stderr).toBe(
      `weir: topic "${topic}" has no partition 5, it has 1 (0 to 0) (of 1 record read, 0 were acknowledged; line 1 was not written)
hint: list its partitions with: weir topic describe ${topic} -p
hint: nothing was written: send the whole input again
`,
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
  });

  it('a compacted topic needs keys', async () => {
    const topic = await newTopic();
    await weir(['topic', 'alter-config', topic, '--set', 'cleanup.policy=compact']);
    const { stderr } = await weir(['topic', 'produce', topic], { stdin: 'a\n' });
    expect(stderr).toContain("hint: give each record a key: -k KEY, or -f '%k:%v\\n'\n");
  });

  it.each([[[]], [['--dry-run']]])('%j names the record whose partition in the input does not exist', async (flags) => {
    const topic = await newTopic(2);
    const line = ['topic', 'produce', topic, '-p', '1', '-f', '%p %v\\n', ...flags];
    const { stderr, exitCode } = await weir(line, { stdin: '0 a\n99 b\n1 c\n' });
    expect(stderr).toContain(
      `weir: unable to produce record 2: topic "${topic}" has no partition 99, it has 2 (0 to 1)`,
    );
    expect(exitCode).toBe(1);
  });

  it('takes flags that rpk once had and that do nothing any more', async () => {
    const topic = await newTopic();
    const flags = ['-n', '3', '-j', '-t', 'now', '-o', '%v@%o'];
    expect(await weir(['topic', 'produce', topic, ...flags], { stdin: 'a\n' })).toMatchObject({
      ...{ stdout: 'a@0', stderr: 'warning: --num is ignored without --generate\n', exitCode: 0 },
    });
  });

  it('without a topic on the command line or in the input is a usage error without a connection', async () => {
    const { stderr, exitCode } = await weir('topic produce', { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect(stderr).toMatch(/^weir: missing topic: neither/);
    expect(exitCode).toBe(2);
    expect(services().plaintext).toBeDefined();
  });
});
