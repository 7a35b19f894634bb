import { beforeAll, describe, expect, it } from 'vitest';
import '../../../services/services.ts';
import { fill, linesOf, newTopic, weir } from '../records-world.ts';

/** Flags of consume and produce that no other table has: one row each, against the real broker. */
let topic: string;
const lines = ['0', '1', '2', '3', '4'];

beforeAll(async () => {
  topic = await newTopic();
  await fill(topic, lines);
});

describe('topic consume', () => {
  it.each<[readonly string[], string]>([
    [['-n', '0', '-f', '%v'], '01234'],
    [['-n', '2', '-f', '%v'], '01'],
    [['-n', '99', '-f', '%v'], '01234'],
    [['--commit', '-f', '%v'], '01234'],
    [['-b', 'sticky', '-f', '%v'], '01234'],
    [['-p', '0', '-p', '0,0', '-f', '%v'], '01234'],
    [['-f', ''], ''],
    [['-f', 'yaml '], 'yaml yaml yaml yaml yaml '],
    [['-f', '%v', '--pretty-print', '--meta-only'], '01234'],
    [['--fetch-max-bytes', '1', '--fetch-max-partition-bytes', '1', '-f', '%v'], '01234'],
    [['--fetch-max-wait', '1ms', '-f', '%v'], '01234'],
    [['--read-committed', '--print-control-records', '-f', '%v'], '01234'],
    [['--rack', 'nowhere', '-f', '%v'], '01234'],
  ])('-o :end %j prints %j', async (flags, expected) => {
    const outcome = await weir(['topic', 'consume', topic, '-o', ':end', ...flags]);
    expect(outcome).toEqual({ stdout: expected, stderr: '', exitCode: 0 });
  });

  it('prints a topic that is named twice only once', async () => {
    const words = ['topic', 'consume', topic, topic, '-o', ':end', '-f', '%v'];
    expect(await weir(words)).toEqual({ stdout: '01234', stderr: '', exitCode: 0 });
    const group = ['topic', 'consume', topic, topic, '-g', `${topic}-twice`, '-n', '5', '-f', '%v'];
    expect(await weir(group)).toEqual({ stdout: '01234', stderr: '', exitCode: 0 });
  });

  it('-r reads ranges and times of the topics that match now', async () => {
    const words = ['topic', 'consume', '-r', `${topic.slice(2)}$`, '-f', '%v'];
    expect((await weir([...words, '-o', ':end'])).stdout).toBe('01234');
    expect((await weir([...words, '-o', '1:3'])).stdout).toBe('12');
    expect((await weir([...words, '-o', '@-1h:end'])).stdout).toBe('01234');
    expect((await weir([...words, '-o', '@:-1h'])).stdout).toBe('');
    const none = ['topic', 'consume', '-r', `nothing-like-${topic}`, '-o', ':end'];
    expect(await weir(none)).toEqual({
      ...{ stdout: '', stderr: `no topic matches nothing-like-${topic}\n`, exitCode: 0 },
    });
  });

  it('--pretty-print indents JSON, and =false never does', async () => {
    const words = ['topic', 'consume', topic, '-n', '1'];
    const spread = await weir([...words, '--pretty-print']);
    expect(spread.stdout).toMatch(/^\{\n {2}"topic": "[^"]+",\n {2}"value": "0",\n {2}"timestamp": \d+,\n/);
    const meta = await weir([...words, '--pretty-print', '--meta-only']);
    expect(meta.stdout).toMatch(/\n {2}"value_size": 1,\n/);
    const one = await weir([...words, '--pretty-print=false'], { terminal: { stdout: true } });
    expect(linesOf(one.stdout)).toHaveLength(1);
    expect(JSON.parse(one.stdout)).toEqual(JSON.parse(spread.stdout));
  });

  it('--meta-only prints 0 for a tombstone', async () => {
    const tombstones = await newTopic();
    await fill(tombstones, ['k,'], '-Z', '-f', '%k,%v\\n');
    const { stdout } = await weir(['topic', 'consume', tombstones, '-n', '1', '--meta-only']);
    expect(JSON.parse(stdout)).toMatchObject({ key: 'k', value_size: 0 });
  });

  it.each([
    [['--use-schema-registry=x'], /unknown part "x" of --use-schema-registry/],
    [['--on-decode-error', 'skip'], /--on-decode-error needs --use-schema-registry/],
    [['--use-schema-registry', '--on-decode-error', 'ignore'], /--on-decode-error/],
    [['-b', ''], /--balancer/],
    [['-b', 'fair'], /--balancer/],
    [['-p', '-1'], /--partitions/],
    [['-p', '0-1'], /--partitions/],
    [['-n', 'x'], /--num/],
    [['--fetch-max-bytes', '0'], /--fetch-max-bytes/],
    [['--fetch-max-partition-bytes', '-1'], /--fetch-max-partition-bytes/],
    [['--fetch-max-bytes', '2147483648'], /--fetch-max-bytes/],
    [['--fetch-max-wait', '5'], /--fetch-max-wait/],
    [['--format', 'xml'], /--format/],
    [['-g', ''], /--group is empty/],
  ])('%j is a usage error that dials nobody', async (flags, message) => {
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await weir(['topic', 'consume', topic, ...flags], { env });
    expect(stderr).toMatch(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });

  it('-g -o @TIME starts at that time if nothing is committed', async () => {
    const old = await newTopic();
    const stdin = `1000 old\n${Date.now()} new\n`;
    await weir(['topic', 'produce', old, '-f', '%d %v\\n', '-o', ''], { stdin });
    const words = ['topic', 'consume', old, '-g', `${old}-g`, '-o', '@-1h', '-n', '1', '-f', '%v'];
    expect((await weir(words)).stdout).toBe('new');
  });
});

describe('topic produce', () => {
  /** Flags, input, and what -o prints. */
  it.each<[readonly string[], string, string]>([
    [['-k', 'fixed', '-o', '%k:%v '], 'a\n', 'fixed:a '],
    [['-k', 'fixed', '-f', '%k=%v\\n', '-o', '%k:%v '], 'k=a\n=b\n', 'k:a :b '],
    [['-H', 'a:b=c', '-H', 'x=y:z', '-H', 'empty=', '-o', '%h{%k>%v;}'], 'v\n', 'a>b=c;x>y:z;empty>;'],
    [['-H', 'first=0', '-f', '%H %h{%k:%v,}%v\\n', '-o', '%h{%k=%v;}'], '1 h:1,v\n', 'first=0;h=1;'],
    [['-Z', '-o', '%V%v '], '\na\n', '0 1a '],
    [['-z', 'gzip', '-o', '%a{compression}'], `${'a'.repeat(500)}\n`, 'gzip'],
    [['-z', 'snappy', '-o', '%a{compression}'], `${'a'.repeat(500)}\n`, 'snappy'],
    [['-z', 'lz4', '-o', '%a{compression}'], `${'a'.repeat(500)}\n`, 'lz4'],
    [['-z', 'zstd', '-o', '%a{compression}'], `${'a'.repeat(500)}\n`, 'zstd'],
    [['-z', 'none', '-o', '%a{compression}'], `${'a'.repeat(500)}\n`, 'none'],
    [['-z', 'zstd', '-o', '%a{compression;number}'], 'a\n', '0'],
    [['--delivery-timeout', '60s', '-o', '%v'], 'a\n', 'a'],
    [['--delivery-timeout', '0', '-o', '%v'], 'a\n', 'a'],
    [['--acks', '-1', '-o', '%v'], 'a\n', 'a'],
    [['--acks', 'all', '-o', '%v'], 'a\n', 'a'],
    [['--acks', '1', '-o', '%v'], 'a\n', 'a'],
    // No offsets are reported.
    [['--acks', '0', '-o', '%o%v '], 'a\nb\n', '-1a -1b '],
    [
      ['-k', 'fixed', '-f', 'json', '-o', '%k:%K:%v '],
      '{"value":"a"}{"key":null,"value":"b"}{"key":"k"}',
      'fixed:5:a :0:b k:1: ',
    ],
    [['--schema-id', '', '-o', '%v'], 'a\n', 'a'],
  ])('%j of %j says %j', async (flags, stdin, expected) => {
    const target = await newTopic();
    const outcome = await weir(['topic', 'produce', target, ...flags], { stdin });
    expect(outcome).toEqual({ stdout: expected, stderr: '', exitCode: 0 });
  });

  it.each([
    ['%p %v\\n', []],
    ['%p %v\\n', ['-p', '-1']],
  ])('-f %j with %j warns once that %%p is ignored', async (layout, partition) => {
    const flags = ['-f', layout, ...partition, '-o', '%p%v '];
    const outcome = await weir(['topic', 'produce', await newTopic(), ...flags], { stdin: '9 a\n9 b\n' });
    const warning =
      'warning: %p is ignored without --partition: add -p N to use it (N is for records without a partition)\n';
    expect(outcome).toEqual({ stdout: '0a 0b ', stderr: warning, exitCode: 0 });
  });

  it('neither a used %p nor the partition of an envelope is worth a warning', async () => {
    const target = await newTopic();
    const used = await weir(['topic', 'produce', target, '-f', '%p %v\\n', '-p', '0'], { stdin: '0 a\n' });
    expect(used).toMatchObject({ stderr: '', exitCode: 0 });
    const stdin = '{"partition":5,"value":"a"}\n';
    const envelope = await weir(['topic', 'produce', target, '-f', 'json'], { stdin });
    expect(envelope).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('--acks 0 reports no offset, because the broker reports none', async () => {
    const { stdout } = await weir(['topic', 'produce', await newTopic(), '--acks', '0'], { stdin: 'a\n' });
    expect(stdout).toMatch(/^Sent to partition 0 with timestamp \d{13}\.\n$/);
  });

  it('--max-message-bytes limits what shares a batch', async () => {
    const target = await newTopic();
    const stdin = `${'x'.repeat(400)}\n`.repeat(10);
    const flags = ['-z', 'none', '--max-message-bytes', '1000', '-o', ''];
    await weir(['topic', 'produce', target, ...flags], { stdin });
    // A batch that is read from its middle begins before it: one batch per fetch of a single byte.
    const words = ['topic', 'consume', target, '-o', ':end', '-f', '%v\\n', '--trace', '-'];
    const read = await weir([...words, '--fetch-max-bytes', '1', '--fetch-max-partition-bytes', '1']);
    expect(linesOf(read.stdout)).toHaveLength(10);
    expect(read.stderr.split('\n').filter((line) => /\bFetch\b/.test(line)).length).toBeGreaterThanOrEqual(5);
  });

  it('--max-message-bytes refuses a single larger record; the records before it are written', async () => {
    const target = await newTopic();
    const stdin = `a\n${'x'.repeat(200)}\nb\n`;
    const outcome = await weir(['topic', 'produce', target, '--max-message-bytes', '100', '-o', '%v '], { stdin });
    expect(outcome).toMatchObject({ stdout: 'a ', exitCode: 1 });
    expect(outcome.stderr).toMatch(
      new RegExp(
        `^weir: unable to produce record 2 to topic "${target}": its batch takes 2\\d\\d bytes, more than --max-message-bytes 100 \\(of 3 records read, 1 was acknowledged; lines 2–3 were not written\\)\n`,
      ),
    );
    expect(outcome.stderr).toContain('raise --max-message-bytes');
  });

  it('--max-message-bytes -1 sets no limit', async () => {
    const words = ['topic', 'produce', await newTopic(), '--max-message-bytes', '-1', '-o', '%v '];
    expect(await weir(words, { stdin: 'a\nb\n' })).toEqual({ stdout: 'a b ', stderr: '', exitCode: 0 });
  });

  it('%t of the input overrides the argument', async () => {
    const [argument, named] = [await newTopic(), await newTopic()];
    const flags = ['-f', '%t %v\\n', '-o', '%t %o'];
    expect((await weir(['topic', 'produce', argument, ...flags], { stdin: `${named} a\n` })).stdout).toBe(`${named} 0`);
  });

  it.each([
    [['-H', 'nocolon'], /--header/],
    [['-f', ''], /invalid input layout: it is empty/],
    [['-f', '%p{3}'], /it reads nothing/],
    [['-f', 'f1'], /-format f1 reads no part of a record\n.*\n.*standard input: weir topic produce \S+ < f1/],
    [['-p', '-2'], /--partition/],
    [['-p', '2147483648'], /--partition/],
    [['-z', 'brotli'], /--compression/],
    [['--acks', '2'], /--acks/],
    [['--delivery-timeout', '999ms'], /--delivery-timeout is less than 1s/],
    [['--max-message-bytes', 'x'], /--max-message-bytes/],
    [['--max-message-bytes', '-2'], /--max-message-bytes/],
    [['--schema-type', 'a.B'], /--schema-type needs --schema-id/],
    [['--schema-key-type', 'a.B', '--schema-id', '1'], /--schema-key-type needs --schema-key-id/],
    [['--schema-id', '-1'], /--schema-id.*use a schema id, or the word topic/],
    [['--schema-id', '4294967296'], /--schema-id/],
    [['--schema-key-id', 'orders-key'], /--schema-key-id/],
  ])('%j is a usage error without a connection', async (flags, message) => {
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await weir(['topic', 'produce', topic, ...flags], { env, stdin: 'a\n' });
    expect(stderr).toMatch(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});
