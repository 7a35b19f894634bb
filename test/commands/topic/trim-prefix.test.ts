import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const prefix = `trim-${process.pid}`;
const [a, b, closed] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-closed`];
const [dry, counted, filed] = [`${prefix}-dry`, `${prefix}-counted`, `${prefix}-filed`];
const home = temporaryDirectory();
const world = () => ({ home, cwd: home, env: { WEIR_BROKERS: services().plaintext } });
const nowhere = { home, cwd: home, env: { WEIR_BROKERS: '127.0.0.1:1' } };

/** Appends ten records to a partition; record N of the first ten has the timestamp N seconds. */
async function fill(topic: string, partition: number): Promise<void> {
  const lines = Array.from({ length: 10 }, (_, at) => `${at + 1}000 value\n`).join('');
  await run(['topic', 'produce', topic, '-p', `${partition}`, '-f', '%d %v\n'], { ...world(), stdin: lines });
}

beforeAll(async () => {
  await run(`topic create ${a} -p 3 -c retention.ms=-1`, world());
  await run(`topic create ${dry} ${counted} -p 3 -c retention.ms=-1`, world());
  await run(`topic create ${b} ${filed} -c retention.ms=-1`, world());
  await run(`topic create ${closed} -c cleanup.policy=compact`, world());
  await Promise.all([a, dry, counted].flatMap((topic) => [0, 1, 2].map((partition) => fill(topic, partition))));
  await Promise.all([fill(b, 0), fill(filed, 0)]);
});

afterAll(async () => {
  await run(`topic delete -r '${prefix}-.*' --yes`, world());
});

async function shown(line: string, stdin = ''): Promise<[string, number]> {
  const { stdout, exitCode } = await run(`${line} --no-headers`, { ...world(), stdin });
  return [stdout.replace(/ +/g, ' '), exitCode];
}

const would = (records: number) => `OK (dry run: would delete ${records} record${records === 1 ? '' : 's'})`;

async function starts(topic: string): Promise<number[]> {
  const { stdout } = await run(`topic describe ${topic} --format json`, world());
  const [row]: { partitions: { log_start_offset: number }[] }[] = JSON.parse(stdout);
  return (row?.partitions ?? []).map(({ log_start_offset: start }) => start);
}

describe('topic trim-prefix', () => {
  it('deletes the records before an offset, and never moves a start back', async () => {
    expect(await run(`topic trim-prefix ${a} -o 2 -p 1,0 --yes`, world())).toEqual({
      stdout: [
        `TOPIC${' '.repeat(a.length - 3)}PARTITION  NEW-START-OFFSET  ERROR`,
        `${a}  0          2`,
        `${a}  1          2`,
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await starts(a)).toEqual([2, 2, 0]);
    expect(await shown(`topic trim ${a} -o 1 -p 0 --yes`)).toEqual([`${a} 0 2\n`, 0]);
  });

  it('shows in a dry run what is before a time, and deletes nothing', async () => {
    const { stdout, exitCode } = await run(`topic trim-prefix ${dry} -o @1970-01-01T00:00:05Z --dry-run`, world());
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]?.split(/ +/)).toEqual([
      ...['TOPIC', 'PARTITION', 'PRIOR-START-OFFSET', 'NEW-START-OFFSET', 'STATUS'],
    ]);
    expect((await shown(`topic trim-prefix ${dry} -o @1970-01-01T00:00:05Z --dry-run`))[0]).toBe(
      [0, 1, 2].map((partition) => `${dry} ${partition} 0 4 ${would(4)}\n`).join(''),
    );
    // No record is that new.
    expect((await shown(`topic trim-prefix ${dry} -o @2000-01-01 -p 2 --dry-run`))[0]).toBe(
      `${dry} 2 0 10 ${would(10)}\n`,
    );
    expect(await starts(dry)).toEqual([0, 0, 0]);
  });

  it('counts +N from the start and -N from the end, and trims everything with end', async () => {
    expect(await shown(`topic trim-prefix ${counted} -o +1 -p 0 --yes`)).toEqual([`${counted} 0 1\n`, 0]);
    expect(await shown(`topic trim-prefix ${counted} -o -4 -p 1 --yes`)).toEqual([`${counted} 1 6\n`, 0]);
    expect(await shown(`topic trim-prefix ${counted} -o end -p 2 --yes`)).toEqual([`${counted} 2 10\n`, 0]);
    expect(await starts(counted)).toEqual([1, 6, 10]);
  });

  it('shows the plan above the question, and deletes nothing on no', async () => {
    const person = { ...world(), stdin: 'n\n', terminal: { stdin: true, stdout: true, stderr: true } };
    const { stdout, stderr, exitCode } = await run(`topic trim-prefix ${filed} -o 3`, person);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    const columns = `TOPIC${' '.repeat(filed.length - 3)}PARTITION  PRIOR-START-OFFSET  NEW-START-OFFSET`;
    expect(stderr).toContain(
      `${columns}\n${filed}  0          0                   3\nDelete 3 records of 1 partition (${filed}) on `,
    );
    expect(await starts(filed)).toEqual([0]);
  });

  it.each([
    ['offsets.txt', `# topic partition offset\n\n${filed} 0 1 # the first\n`, 1],
    ['offsets.json', JSON.stringify([{ topic: filed, partition: 0, offset: 2 }]), 2],
    ['offsets.yaml', `- topic: ${filed}\n  partition: 0\n  offset: "3"\n`, 3],
  ])('reads partitions and offsets from %s', async (name, text, offset) => {
    writeFileSync(join(home, name), text);
    expect(await shown(`topic trim-prefix --from-file ${name} --dry-run`)).toEqual([
      `${filed} 0 0 ${offset} ${would(offset)}\n`,
      0,
    ]);
  });

  it('reads standard input, with the topic from the command line', async () => {
    expect(await shown(`topic trim-prefix ${filed} -f - --dry-run`, '0 5\n')).toEqual([
      `${filed} 0 0 5 ${would(5)}\n`,
      0,
    ]);
  });

  it('reports each partition that cannot be trimmed, and trims the others', async () => {
    const [stdout, exitCode] = await shown(
      'topic trim-prefix -f - --yes',
      `${a} 0 99\n${a} 7 1\n${b} 0 6\n${prefix}-nope 0 1\n${closed} 0 0\n`,
    );
    expect(stdout).toBe(
      `${a} 0 - OFFSET_OUT_OF_RANGE: offset 99 is beyond the end of the partition, 10\n` +
        `${a} 7 - UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n` +
        `${b} 0 6\n` +
        `${closed} 0 0\n` +
        `${prefix}-nope 0 - UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
    );
    expect(exitCode).toBe(1);
  });

  it('exits with 3 when the topic does not exist', async () => {
    expect(await shown(`topic trim-prefix ${prefix}-nope -o end --yes`)).toEqual([
      `${prefix}-nope - - UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition\n`,
      3,
    ]);
  });

  it('exits with 1 when the topic is only compacted', async () => {
    await run(['topic', 'produce', closed, '-k', 'k'], { ...world(), stdin: 'x\n' });
    expect(await shown(`topic trim-prefix ${closed} -o end --yes`)).toEqual([
      `${closed} 0 - POLICY_VIOLATION: a policy of the cluster forbids this\n`,
      1,
    ]);
  });

  it('exits with 4 when the principal has no rights', async () => {
    const { stdout, exitCode } = await run(`topic trim-prefix ${b} -o end --yes`, await limitedUser(b));
    expect(stdout).toContain('TOPIC_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['topic trim-prefix', '', 'missing argument TOPIC'],
    ['topic trim-prefix x', '', 'missing flag --offset'],
    ['topic trim-prefix x -o 1:2', '', 'one offset is needed'],
    ['topic trim-prefix x -o start', '', 'one offset is needed'],
    ['topic trim-prefix x -o @end', '', 'use end without @'],
    ['topic trim-prefix x -o 1 -p a', '', '--partitions'],
    ['topic trim-prefix x -o 1 -f -', '', '--from-file cannot be combined'],
    ['topic trim-prefix -f -', '', 'standard input: it names no partition'],
    ['topic trim-prefix -f -', 'x 1\n', 'standard input, line 1: expected TOPIC PARTITION OFFSET'],
    ['topic trim-prefix -f -', '- partition: 1\n  offset: 2\n', 'standard input, item 1: the topic is missing'],
    ['topic trim-prefix x -f -', '1 -\n', 'standard input, line 1: the offset is not a whole number'],
    ['topic trim-prefix -f -', 'x 1 2 3\n', 'line 1: expected TOPIC PARTITION OFFSET'],
    ['topic trim-prefix -f -', 'x a 2\n', 'line 1: the partition is not a whole number'],
    ['topic trim-prefix -f -', '[{"topic":"x","partition":1,"offset":-1}]', 'item 1: the offset is not a whole number'],
    ['topic trim-prefix y -f -', 'x 1 2\n', 'line 1: topic "x" is not the topic "y" of the command line'],
    ['topic trim-prefix -f -', 'x 1 2\nx 1 3\n', 'names topic x partition 1 twice'],
    ['topic trim-prefix -f -', '{"x": 1}', 'it is not a list'],
  ])('%s with the input %j is a usage error', async (line, stdin, message) => {
    const { stdout, stderr, exitCode } = await run(line, { ...nowhere, stdin });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it('names the flag with the bad value to programs', async () => {
    const { stderr } = await run('topic trim-prefix x -o 1:2 --format json', nowhere);
    expect(JSON.parse(stderr)).toMatchObject({ error: { target: 'offset' } });
  });

  it('exits with 2 when the file does not exist', async () => {
    expect(await run('topic trim-prefix -f nope.txt --yes', nowhere)).toMatchObject({
      stderr: expect.stringContaining('unable to read nope.txt'),
      exitCode: 2,
    });
  });
});
