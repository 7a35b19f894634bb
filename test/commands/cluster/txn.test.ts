import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../services/services.ts';
import { run, type World } from '../../world.ts';
import { adminWorld, limitedWorld } from './limited-world.ts';
import { openTransaction, type TransactionalProducer } from './open-transaction.ts';

const topic = `txn-${process.pid}`;
const id = `${topic}-id`;
let producer: TransactionalProducer;
let limited: World;
const person = (answer: string): World => ({
  ...adminWorld(),
  stdin: answer,
  terminal: { stdin: true, stdout: true, stderr: true },
});

beforeAll(async () => {
  limited = await limitedWorld(topic);
  await run(`topic create ${topic} -p 2`, adminWorld());
  producer = await openTransaction(id, topic);
});

afterAll(async () => {
  await run(`topic delete ${topic}`, adminWorld());
});

const spaced = (text: string): readonly string[] => text.replace(/ +/g, ' ').trimEnd().split('\n');
const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

describe('cluster txn list', () => {
  it('prints the coordinator and the state of each transactional id', async () => {
    const { stdout, stderr, exitCode } = await run('cluster txn list', adminWorld());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [head, ...rows] = spaced(stdout);
    expect(head).toBe('COORDINATOR TRANSACTIONAL-ID PRODUCER-ID STATE');
    expect(rows).toContain(`1 ${id} ${producer.producerId} Ongoing`);
  });

  it.each([
    ['--state Ongoing', true],
    ['--state PrepareCommit,CompleteCommit', false],
    ['--older-than 1h', false],
  ])('filters with %s', async (flags, isListed) => {
    const { stdout } = await run(`cluster txn ls ${flags} --format json`, adminWorld());
    const rows: readonly { transaction_id: string }[] = JSON.parse(stdout);
    expect(rows.some((row) => row.transaction_id === id)).toBe(isListed);
  });

  it('refuses a state that the broker does not know', async () => {
    const { stderr, exitCode } = await run('cluster txn list --state Frob', adminWorld());
    expect(stderr).toContain('broker 1 does not know the transaction state "Frob"');
    expect(exitCode).toBe(2);
  });

  it('leaves out what the principal may not describe', async () => {
    const { stdout, stderr, exitCode } = await run('cluster txn list', limited);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).not.toContain(id);
  });
});

describe('cluster txn describe', () => {
  it('prints the open transaction of an id', async () => {
    const { stdout, stderr, exitCode } = await run(`cluster txn describe ${id}`, adminWorld());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [head, row] = spaced(stdout);
    expect(head).toBe('COORDINATOR TRANSACTIONAL-ID PRODUCER-ID PRODUCER-EPOCH STATE START-TIMESTAMP TIMEOUT TOPICS');
    const { producerId, epoch } = producer;
    expect(row).toMatch(new RegExp(`^1 ${id} ${producerId} ${epoch} Ongoing ${time} 10m0s ${topic}$`));
  });

  it('prints partitions with -p, and a row for each in wide', async () => {
    const { stdout } = await run(`cluster transaction describe ${id} -p --no-headers`, adminWorld());
    expect(stdout).toMatch(new RegExp(` ${topic}\\[0\\]\n$`));
    // rpk's other word for wide.
    const wide = await run(`cluster txn describe ${id} -p --format long`, adminWorld());
    expect(spaced(wide.stdout)).toEqual([
      expect.stringMatching(/ TIMEOUT TOPIC PARTITION$/),
      expect.stringMatching(new RegExp(` ${topic} 0$`)),
    ]);
  });

  it('has a row for each partition in json', async () => {
    const { stdout } = await run(`cluster txn describe ${id} --format json`, adminWorld());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ coordinator_id: 1, transaction_id: id, producer_id: producer.producerId, producer_epoch: producer.epoch },
        ...{ state: 'Ongoing', start_timestamp: expect.stringMatching(/^\d{13}$/), timeout: 600_000 },
        ...{ topic, partition: 0, error: null },
      },
    ]);
  });

  it('describes every id without arguments', async () => {
    expect((await run('cluster txn describe', adminWorld())).stdout).toContain(` ${id} `);
  });

  it('reports an id that does not exist, beside the others, exit code 3', async () => {
    const { stdout, exitCode } = await run(`cluster txn describe ${id} ${id}-nope --no-headers`, adminWorld());
    const [found, missing] = spaced(stdout);
    expect(found).toMatch(new RegExp(`^1 ${id} .* ${topic}$`));
    expect(missing).toBe(`1 ${id}-nope - - - - - - TRANSACTIONAL_ID_NOT_FOUND: the transactional id does not exist`);
    expect(exitCode).toBe(3);
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stdout, stderr, exitCode } = await run(`cluster txn describe ${id}`, limited);
    expect(stdout + stderr).toContain('TRANSACTIONAL_ID_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });
});

describe('cluster txn describe-producers', () => {
  it('prints the producers of partitions', async () => {
    const { stdout, exitCode } = await run(`cluster txn describe-producers -t ${topic} -p 0`, adminWorld());
    const [head, row] = spaced(stdout);
    expect(head).toBe(
      'LEADER TOPIC PARTITION PRODUCER-ID PRODUCER-EPOCH LAST-SEQUENCE LAST-TIMESTAMP COORDINATOR-EPOCH TXN-START-OFFSET ERROR',
    );
    expect(row).toMatch(new RegExp(`^1 ${topic} 0 ${producer.producerId} ${producer.epoch} 0 ${time} - 0$`));
    expect(exitCode).toBe(0);
  });

  it('has rpk keys in json', async () => {
    const { stdout } = await run(`cluster txn describe-producers -t ${topic} --format json`, adminWorld());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ leader: 1, topic, partition: 0, producer_id: producer.producerId, producer_epoch: producer.epoch },
        ...{ last_sequence: 0, coordinator_epoch: -1, transaction_start_offset: 0, error: null },
        last_timestamp: expect.stringMatching(/^\d{13}$/),
      },
    ]);
  });

  it('describes all topics with -a', async () => {
    const { stdout } = await run('cluster txn describe-producers -a', adminWorld());
    expect(spaced(stdout).some((row) => row.startsWith(`1 ${topic} 0 ${producer.producerId} `))).toBe(true);
  });

  it('reports topics and partitions that do not exist, exit code 3', async () => {
    const line = `cluster txn describe-producers -t ${topic},${topic}-nope -p 0,7 --no-headers`;
    const { stdout, exitCode } = await run(line, adminWorld());
    const [found, noPartition, noTopic] = spaced(stdout);
    expect(found).toMatch(new RegExp(`^1 ${topic} 0 `));
    expect(noPartition).toMatch(new RegExp(`^- ${topic} 7 .*UNKNOWN_TOPIC_OR_PARTITION: `));
    expect(noTopic).toMatch(new RegExp(`^- ${topic}-nope - .*UNKNOWN_TOPIC_OR_PARTITION: `));
    expect(exitCode).toBe(3);
  });

  it('exits with 4 for a principal without rights', async () => {
    const { stdout, exitCode } = await run(`cluster txn describe-producers -t ${topic}`, limited);
    expect(stdout).toContain('TOPIC_AUTHORIZATION_FAILED');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['', 'no topic is given'],
    ['-t a --all', '--topics cannot be combined with --all'],
    ['-t a -p x', 'not a whole number'],
    ['-t a/b', 'it contains "/"'],
  ])('%s is a usage error', async (flags, message) => {
    const world = { env: { WEIR_BROKERS: '127.0.0.1:1' } };
    const { stdout, stderr, exitCode } = await run(`cluster txn describe-producers ${flags}`, world);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});

describe('cluster txn find-hanging', () => {
  it('leaves out a transaction that its coordinator has', async () => {
    const line = `cluster txn find-hanging -t ${topic} --max-transaction-timeout 0s`;
    expect(await run(line, adminWorld())).toEqual({ stdout: '', stderr: 'no hanging transactions\n', exitCode: 0 });
  });

  it('exits with 3 for a topic that does not exist, and with 4 without rights', async () => {
    expect((await run(`cluster txn find-hanging -t ${topic}-nope`, adminWorld())).exitCode).toBe(3);
    expect((await run(`cluster txn find-hanging -t ${topic},${topic}-nope`, adminWorld())).exitCode).toBe(3);
    expect((await run(`cluster txn find-hanging -t ${topic}`, limited)).exitCode).toBe(4);
  });
});

describe('cluster txn abort', () => {
  const abort = () => `cluster txn abort ${topic} -p 0 --producer-id ${producer.producerId}`;
  const isOpen = async (): Promise<boolean> => {
    const { stdout } = await run(`cluster txn describe-producers -t ${topic} -p 0 --format json`, adminWorld());
    return JSON.parse(stdout)[0].transaction_start_offset >= 0;
  };

  it('shows what it would abort in a dry run', async () => {
    const { stdout, exitCode } = await run(`${abort()} --start-offset 0 --dry-run --format json`, adminWorld());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ topic, partition: 0, producer_id: producer.producerId, producer_epoch: producer.epoch },
        ...{ coordinator_epoch: 0, start_offset: 0, last_timestamp: expect.any(Number) },
        ...{ transaction_id: id, state: 'Ongoing', status: 'OK', error: null, dry_run: true },
      },
    ]);
    expect(exitCode).toBe(0);
    const text = await run(`${abort()} --dry-run`, adminWorld());
    expect(text.stdout).toContain(' OK (dry run: would be aborted)\n');
    expect(await isOpen()).toBe(true);
  });

  it('shows the transaction before asking, and does nothing on no', async () => {
    const { stdout, stderr, exitCode } = await run(abort(), person('n\n'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    const [head, row, question] = spaced(stderr);
    expect(head).toBe('TOPIC PARTITION PRODUCER-ID PRODUCER-EPOCH START-OFFSET LAST-TIMESTAMP TRANSACTIONAL-ID STATE');
    expect(row).toMatch(new RegExp(`^${topic} 0 ${producer.producerId} ${producer.epoch} 0 ${time} ${id} Ongoing$`));
    expect(question).toContain(`Abort 1 transaction on topic ${topic} partition 0, and lose its records on `);
    expect(await isOpen()).toBe(true);
  });

  it.each([
    ['-p 0 --start-offset 77', 3, 'has no open transaction that starts at offset 77'],
    ['-p 1 --start-offset 0', 3, 'partition 1 has no open transaction'],
    ['-p 9 --start-offset 0', 3, 'UNKNOWN_TOPIC_OR_PARTITION'],
    ['-p 0', 2, 'no transaction is given'],
    ['--start-offset 0', 2, 'missing flag --partition'],
    ['-p 0 --start-offset x', 2, 'not a whole number'],
  ])('%s exits with %d', async (flags, code, message) => {
    const { stdout, stderr, exitCode } = await run(`cluster txn abort ${topic} ${flags}`, adminWorld());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: code });
    expect(stderr).toContain(message);
  });

  it('exits with 4 for a principal without rights', async () => {
    expect((await run(`${abort()} --yes`, limited)).exitCode).toBe(4);
    expect(await isOpen()).toBe(true);
  });

  it('aborts the transaction on yes, and only that', async () => {
    const own = `${topic}-aborted`;
    await run(`topic create ${own}`, adminWorld());
    const { producerId } = await openTransaction(`${own}-id`, own);
    const wide = `cluster txn abort ${own} -p 0 --start-offset 0 --format wide`;
    const { stdout, exitCode } = await run(wide, person('y\n'));
    const [, row] = spaced(stdout);
    expect(row).toMatch(new RegExp(`^${own} 0 ${producerId} .* ${own}-id Ongoing OK$`));
    expect(exitCode).toBe(0);
    const again = await run(`cluster txn abort ${own} -p 0 --start-offset 0 --yes`, adminWorld());
    expect(again.exitCode).toBe(3);
    expect(await isOpen()).toBe(true);
    await run(`topic delete ${own}`, adminWorld());
  });
});
