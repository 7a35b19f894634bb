import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { services } from '../../services/services.ts';
import { fill, kcat, linesOf, newTopic, weir } from './records-world.ts';

describe('topic consume', () => {
  let ten: string;
  beforeAll(async () => {
    ten = await newTopic();
    await fill(ten, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it.each([
    [':end', '0123456789'],
    ['3:6', '345'],
    ['3-6', '345'],
    [':4', '0123'],
    ['7:end', '789'],
    ['0:100', '0123456789'],
  ])('-o %s reads exactly that range and ends', async (range, expected) => {
    const { stdout, exitCode } = await weir(['topic', 'consume', ten, '-o', range, '-f', '%v']);
    expect({ stdout, exitCode }).toEqual({ stdout: expected, exitCode: 0 });
  });

  it.each([
    ['start', '5', '01234'],
    ['+4', '2', '45'],
    ['-3', '3', '789'],
    ['6', '2', '67'],
    ['@-1h', '1', '0'],
  ])('-o %s -n %s starts there and stops after that many records', async (offset, count, expected) => {
    const { stdout } = await weir(['topic', 'consume', ten, '-o', offset, '-n', count, '-f', '%v']);
    expect(stdout).toBe(expected);
  });

  it('an empty range ends at once with nothing', async () => {
    const empty = await newTopic(3);
    const { stdout, stderr, exitCode } = await weir(['topic', 'consume', empty, '-o', ':end']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toMatch(/^[^\n]*no records[^\n]*\n$/);
  });

  it('an empty range of time is reported with the time of the newest record, by a search too', async () => {
    const topic = await newTopic(3);
    await fill(topic, ['a', 'b']);
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%d\n']);
    const newest = new Date(Math.max(...linesOf(stdout).map(Number))).toISOString().replace(/\.?0*Z$/, 'Z');
    const said = (range: string) => `the range ${range} contains no records`;
    const known = `; the newest record is from ${newest}\n`;
    const read = await weir(['topic', 'consume', topic, '-o', '@-1ms:end']);
    expect([read.stderr, read.exitCode]).toEqual([said('@-1ms:end') + known, 0]);
    const search = async (...words: readonly string[]) => {
      const { stderr, exitCode } = await weir(['topic', 'search', topic, ...words]);
      return [stderr, exitCode];
    };
    expect(await search('--contains', 'a', '-o', '@-1ms')).toEqual([`0 of 0 records: ${said('@-1ms')}${known}`, 3]);
    expect(await search('--contains', 'a', '-o', '5:9')).toEqual([`0 of 0 records: ${said('5:9')}\n`, 3]);
    expect(await search('--where', 'offset > 9')).toEqual([
      '0 of 0 records: no record in the range :end can match the conditions\n',
      3,
    ]);
    const late = `no record in the range :end can match the conditions${known}`;
    expect(await search('--where', 'timestampMs > 9000000000000')).toEqual([`0 of 0 records: ${late}`, 3]);
    const empty = await newTopic();
    const { stderr } = await weir(['topic', 'search', empty, '--contains', 'a', '-o', '@-1h']);
    expect(stderr).toBe(`0 of 0 records: ${said('@-1h')}\n`);
  });

  it('an offset beyond the end is reported, and the read waits for new records', async () => {
    const topic = await newTopic();
    await fill(topic, ['a']);
    const reported = Promise.withResolvers<void>();
    const onStderr = (text: string) => void (text.includes('reading from') && reported.resolve());
    const done = weir(['topic', 'consume', topic, '-o', '5', '-n', '1', '-f', '%o'], { onStderr });
    await Promise.race([reported.promise, done]);
    await fill(topic, ['b']);
    const { stdout, stderr, exitCode } = await done;
    expect(stderr).toMatch(/has offsets 0 to 1, not 5: reading from 1/);
    expect({ stdout, exitCode }).toEqual({ stdout: '1', exitCode: 0 });
  });

  it('a range whose start is gone from the log says where it begins', async () => {
    const topic = await newTopic();
    await fill(topic, ['a', 'b', 'c']);
    await weir(['topic', 'trim-prefix', topic, '-o', '2', '--yes']);
    const { stdout, stderr } = await weir(['topic', 'consume', topic, '-o', '0:3', '-f', '%v']);
    expect(stderr).toMatch(/has offsets 2 to 3, not 0: reading from 2/);
    expect(stdout).toBe('c');
  });

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('reads %s that kcat wrote', async (codec) => {
    const topic = await newTopic();
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} ${'abc'.repeat(index % 40)}`);
    await kcat(['-P', '-t', topic, '-z', codec], lines.map((line) => `${line}\n`).join(''));
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%v\\n']);
    expect(linesOf(stdout)).toEqual(lines);
  });

  it('JSON passes through produce and consume unchanged: null, empty, binary, ordered and repeated headers', async () => {
    const [first, second] = [await newTopic(), await newTopic()];
    const records = [
      { value: 'v' },
      { key: '', value: '' },
      { key: 'k', value: null },
      { key: '/wAB', key_encoding: 'base64', value: '/w==', value_encoding: 'base64' },
      {
        value: 'h',
        headers: [
          { key: 'a', value: '1' },
          { key: 'b', value: null },
          { key: 'a', value: '2' },
        ],
      },
    ];
    const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const wrote = await weir(['topic', 'produce', first, '--format', 'json'], { stdin });
    expect(wrote.stderr).toBe('');
    const once = await weir(['topic', 'consume', first, '-o', ':end', '--format', 'json']);
    await weir(['topic', 'produce', second, '-f', 'json'], { stdin: once.stdout.replaceAll(first, second) });
    const twice = await weir(['topic', 'consume', second, '-o', ':end', '--format', 'json']);
    expect(linesOf(once.stdout)).toHaveLength(records.length);
    expect(twice.stdout.replaceAll(second, first)).toBe(once.stdout);
    const yaml = await weir(['topic', 'consume', first, '-o', ':end', '--format', 'yaml']);
    expect(yaml.stdout).toMatch(/^---\ntopic: /);
    expect(yaml.stdout).not.toMatch(/ \n/);
    expect(parseAllDocuments(yaml.stdout).map((one) => one.toJS({ maxAliasCount: 0 }))).toEqual(
      linesOf(once.stdout).map((line) => JSON.parse(line)),
    );
    const layout = '%K %V %k{hex} %v{hex} %h{%k=%v;}\\n';
    const raw = await weir(['topic', 'consume', second, '-o', ':end', '-f', layout]);
    expect(raw.stdout).toBe('0 1  76 \n0 0   \n1 0 6b  \n3 1 ff0001 ff \n0 1  68 a=1;b=;a=2;\n');
  });

  it('JSON is a line per record in a pipe, and indented on a terminal', async () => {
    const words = ['topic', 'consume', ten, '-n', '1'];
    expect(linesOf((await weir(words)).stdout)).toHaveLength(1);
    expect((await weir(words, { terminal: { stdout: true } })).stdout).toMatch(/^\{\n {2}"topic": /);
  });

  it('reads only the requested partitions of every topic', async () => {
    const [left, right] = [await newTopic(3), await newTopic(3)];
    for (const topic of [left, right])
      for (const partition of ['0', '1', '2']) await fill(topic, [partition], '-p', partition);
    const { stdout } = await weir(['topic', 'consume', left, right, '-p', '0,2', '-o', ':end', '-f', '%t %p %v\\n']);
    const expected = [left, right].flatMap((topic) => [`${topic} 0 0`, `${topic} 2 2`]);
    expect([...linesOf(stdout)].sort()).toEqual(expected.sort());
  });

  it('--regex reads the topics that match anywhere in their name', async () => {
    const topic = await newTopic();
    await fill(topic, ['x']);
    const { stdout } = await weir(['topic', 'consume', '-r', `${topic.slice(3)}$`, '-n', '1', '-f', '%t']);
    expect(stdout).toBe(topic);
  });

  it('Ctrl-C ends an endless read with 130', async () => {
    const { stdout, stderr, exitCode } = await weir(['topic', 'consume', ten, '-f', '%v'], {
      onStart: (kill) => {
        interruptOnOutput = () => kill('SIGINT');
      },
      onStdout: () => interruptOnOutput(),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '0123456789', exitCode: 130 });
    expect(stderr).toBe('stopping (press Ctrl-C again to end at once)\n');
  });
  let interruptOnOutput = (): void => undefined;

  it('a slow reader of stdout gets everything', async () => {
    const topic = await newTopic();
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${'y'.repeat(200)}`);
    await fill(topic, lines);
    const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%v\\n']);
    expect(linesOf(stdout)).toEqual(lines);
  });

  it('--meta-only omits the value and prints its size', async () => {
    const { stdout } = await weir(['topic', 'consume', ten, '-n', '1', '--meta-only']);
    expect(JSON.parse(stdout)).toMatchObject({ topic: ten, value_size: 1, offset: 0 });
    expect(JSON.parse(stdout)).not.toHaveProperty('value');
  });

  it.each([
    [['-p', '7'], 3, /has no partition 7, it has 1 \(0 to 0\)/],
    [['--idle', '0'], 2, /invalid --idle: it must be longer than 0s/],
    [['-g', 'g', '-p', '0'], 2, /--group and --partitions are mutually exclusive/],
    [['-b', 'fair', '-g', 'g'], 2, /--balancer/],
    [['--instance-id', 'i'], 2, /--instance-id needs --group/],
    [['-o', 'abc'], 2, /abc/],
    [['-f', '%q'], 2, /%q/],
    [['-r', '-p', '0'], 2, /--regex and --partitions are mutually exclusive/],
    [['-f', '%v', '--format', 'json'], 2, /-f and --format json are mutually exclusive/],
  ])('%j is exit %i', async (flags, expected, message) => {
    const { stdout, stderr, exitCode } = await weir(['topic', 'consume', ten, ...flags]);
    expect(stderr).toMatch(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected });
  });

  it('a topic that does not exist is exit 3', async () => {
    const { stderr, exitCode } = await weir('topic consume records-missing');
    expect(stderr).toMatch(/^weir: unable to use topic "records-missing": UNKNOWN_TOPIC_OR_PARTITION \(3\): /);
    expect(exitCode).toBe(3);
  });
});

describe('topic consume in a group', () => {
  it('continues exactly after what was printed', async () => {
    const topic = await newTopic();
    await fill(
      topic,
      Array.from({ length: 100 }, (_, index) => String(index)),
    );
    const printed: string[] = [];
    for (const count of [7, 1, 42, 50]) {
      const { stdout } = await weir([
        'topic',
        'consume',
        topic,
        '-g',
        `g-${topic}`,
        '-n',
        String(count),
        '-f',
        '%v\\n',
      ]);
      expect(linesOf(stdout)).toHaveLength(count);
      printed.push(...linesOf(stdout));
    }
    expect(printed).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
  });

  it('with conditions, counts matches for -n and commits what it has looked at', async () => {
    const topic = await newTopic();
    await fill(topic, ['0', '1', '2', '3', '4', '5', '6', '7']);
    const next = async (...conditions: readonly string[]): Promise<string> => {
      const words = ['topic', 'consume', topic, '-g', `g-${topic}`, '-n', '1', '-f', '%v', ...conditions];
      return (await weir(words)).stdout;
    };
    expect(await next('--where', 'int(value) > 0 && int(value) % 3 == 0')).toBe('3');
    expect(await next()).toBe('4');
    expect(await next('--contains', '7')).toBe('7');
    await fill(topic, ['8']);
    expect(await next()).toBe('8');
  });

  it.each([['cooperative-sticky'], ['sticky'], ['roundrobin'], ['range']])(
    'two members share a topic with %s',
    async (balancer) => {
      const topic = await newTopic(4);
      const members = [member(topic, ['-b', balancer]), member(topic, ['-b', balancer])];
      await untilShared(topic, 2);
      const values = Array.from({ length: 200 }, (_, index) => `${index},v`);
      await fill(topic, values, '-f', '%k,%v\\n');
      await untilPrinted(members, 200);
      for (const one of members) one.stop();
      const outcomes = await Promise.all(members.map((one) => one.done));
      expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([130, 130]);
      const partitions = outcomes.map(({ stdout }) => new Set(linesOf(stdout).map((line) => line.split(' ')[0])));
      expect(partitions.map((set) => set.size)).toEqual([2, 2]);
      expect(new Set(outcomes.flatMap(({ stdout }) => linesOf(stdout))).size).toBe(200);
      expect(outcomes.flatMap(({ stdout }) => linesOf(stdout))).toHaveLength(200);
    },
  );

  it('shares a group with librdkafka', async () => {
    const topic = await newTopic(2);
    const other = execa(
      'kcat',
      ['-b', services().plaintext, '-X', 'auto.offset.reset=earliest'].concat([
        '-u',
        '-q',
        '-f',
        '%p %k\\n',
        '-G',
        `g-${topic}`,
        topic,
      ]),
      { reject: false },
    );
    let theirs = '';
    other.stdout.on('data', (chunk: Buffer) => {
      theirs += chunk.toString();
    });
    const mine = member(topic, []);
    await untilShared(topic, 2);
    await fill(
      topic,
      Array.from({ length: 100 }, (_, index) => `${index},v`),
      '-f',
      '%k,%v\\n',
    );
    await until(() => linesOf(mine.stdout()).length + linesOf(theirs).length >= 100);
    mine.stop();
    const outcome = await mine.done;
    other.kill('SIGINT');
    await other;
    expect(linesOf(outcome.stdout).length).toBeGreaterThan(0);
    expect(linesOf(theirs).length).toBeGreaterThan(0);
    expect(new Set([...linesOf(outcome.stdout), ...linesOf(theirs)]).size).toBe(100);
  });
});

interface Member {
  readonly done: ReturnType<typeof weir>;
  stdout(): string;
  stop(): void;
}

/** A member of the topic's own group that runs until it is stopped. */
function member(topic: string, flags: readonly string[]): Member {
  let stop = (): void => undefined;
  let text = '';
  const done = weir(['topic', 'consume', topic, '-g', `g-${topic}`, '-f', '%p %k\\n', ...flags], {
    onStart: (kill) => {
      stop = () => kill('SIGINT');
    },
    onStdout: (chunk) => {
      text += chunk;
    },
  });
  return { done, stdout: () => text, stop: () => stop() };
}

/** Waits until the topic's group is stable with that many members, all of which have partitions. */
async function untilShared(topic: string, members: number): Promise<void> {
  const { clientOf } = await import('../../services/scripted-client.ts');
  await using client = clientOf([services().plaintext]);
  const { describeGroupState } = await import('./group-state.ts');
  await until(async () => (await describeGroupState(client, `g-${topic}`)) === `Stable ${members}`);
}

async function untilPrinted(members: readonly Member[], records: number): Promise<void> {
  await until(() => members.reduce((sum, one) => sum + linesOf(one.stdout()).length, 0) >= records);
}

/** Repeats a check until it succeeds or the test times out. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}
