import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../services/services.ts';
import { run } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const topic = `find-${process.pid}`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`);

beforeAll(async () => {
  await run(`topic create ${topic} -p 5`, world());
});

afterAll(async () => {
  await run(`topic delete ${topic}`, world());
});

describe('topic find', () => {
  it('names the partitions to which topic produce writes the keys', async () => {
    const produced = await run(['topic', 'produce', topic, '-f', '%k\n', '-o', '%k %p\n'], {
      ...world(),
      stdin: keys.map((key) => `${key}\n`).join(''),
    });
    const { stdout, exitCode } = await run(['topic', 'find', topic, ...keys, '--format', 'json'], world());
    expect(exitCode).toBe(0);
    const rows: { key: string; partition: number }[] = JSON.parse(stdout);
    expect(rows.map(({ key, partition }) => `${key} ${partition}`).sort()).toEqual(
      produced.stdout.trim().split('\n').sort(),
    );
    expect(rows[0]).toEqual({
      ...{ topic, key: 'key-0', partitioner: 'murmur2', partitions: 5, partition: expect.any(Number), leader: 1 },
    });
  });

  it('computes for other partitioners, encodings and numbers of partitions', async () => {
    const line = `topic find ${topic} --encoding hex --partitioner crc32 -n 1000003 313233343536373839`;
    const { stdout } = await run(`${line} --format wide`, world());
    expect(stdout.split('\n').map((row) => row.split(/ +/))).toEqual([
      ['KEY', 'PARTITION', 'LEADER', 'PARTITIONS', 'PARTITIONER'],
      ['313233343536373839', `${0xcbf43926 % 1_000_003}`, '-', '1000003', 'crc32'],
      [''],
    ]);
    expect((await run(`topic find ${topic} --encoding base64 MTIzNDU2Nzg5 --no-headers`, world())).stdout).toBe(
      (await run(`topic find ${topic} 123456789 --no-headers`, world())).stdout.replace('123456789', 'MTIzNDU2Nzg5'),
    );
  });

  it('exits with 3 when the topic does not exist', async () => {
    expect(await run(`topic find ${topic}-nope a`, world())).toEqual({
      stdout: '',
      stderr: expect.stringContaining(`unable to read topic "${topic}-nope": UNKNOWN_TOPIC_OR_PARTITION`),
      exitCode: 3,
    });
  });

  it('exits with 4 when the principal has no rights', async () => {
    expect(await run(`topic find ${topic} a`, await limitedUser(topic))).toMatchObject({ stdout: '', exitCode: 4 });
  });

  it.each([
    ['topic find x', 'KEY'],
    ['topic find x --encoding hex zz', 'invalid key "zz": it is not hex'],
    ['topic find x a --partitioner md5', '--partitioner'],
    ['topic find x a -n 0', '--partitions'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
