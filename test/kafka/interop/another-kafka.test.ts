import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTransaction } from '../../commands/cluster/open-transaction.ts';
import { type Kfake, startKfake } from '../../services/kfake.ts';
import { services } from '../../services/services.ts';
import { type Outcome, run } from '../../world.ts';

// The same scripts on Apache Kafka and on another implementation of the protocol, with the same results.

let kfake: Kfake;
beforeAll(async () => {
  kfake = await startKfake();
});
afterAll(() => kfake[Symbol.asyncDispose]());

/** A place to run the scripts: an open cluster, and one with SASL and ACLs. */
interface Target {
  readonly open: () => string;
  /** A single broker without authentication. */
  readonly single: () => string;
  readonly closed: () => string;
  readonly admin: () => { readonly user: string; readonly pass: string; readonly mechanism: string };
}

const targets: readonly (readonly [name: string, target: Target])[] = [
  [
    'Kafka',
    {
      open: () => services().plaintext,
      single: () => services().plaintext,
      closed: () => services().sasl,
      admin: () => ({ ...services().user, mechanism: 'SCRAM-SHA-256' }),
    },
  ],
  [
    'kfake',
    {
      open: () => kfake.open,
      single: () => kfake.single,
      closed: () => kfake.closed,
      admin: () => ({ user: 'admin', pass: 'admin-secret', mechanism: 'SCRAM-SHA-256' }),
    },
  ],
];

const prefix = `another-${process.pid}`;
const orders = `${prefix}-orders`;

describe.each(targets)('%s', (_name, target) => {
  const weir = (line: string, stdin = '', env = { WEIR_BROKERS: target.open() }) => run(line, { stdin, env });
  const must = async (line: string, stdin = '', env = { WEIR_BROKERS: target.open() }): Promise<string> => {
    const { stdout, stderr, exitCode } = await weir(line, stdin, env);
    expect({ line, stderr: exitCode === 0 ? '' : stderr, exitCode }).toEqual({ line, stderr: '', exitCode: 0 });
    return stdout;
  };
  const rowsOf = async (line: string) => JSON.parse(await must(`${line} --format json`));

  beforeAll(() => must(`topic create ${orders} -p 3`));
  afterAll(() => must(`topic delete ${orders} --yes`));

  test('creates, grows and describes topics', async () => {
    const topic = `${prefix}-topics`;
    expect(await weir(`topic create ${topic} -p 2 -c retention.ms=90000000`)).toMatchObject({ exitCode: 0 });
    expect(await weir(`topic create ${topic}`)).toMatchObject({ exitCode: 6 });
    await must(`topic add-partitions ${topic} -n 2`);
    const [{ summary }] = await rowsOf(`topic describe ${topic}`);
    expect(summary).toMatchObject({ name: topic, partitions: 4, internal: false, error: null });
    await must(`topic delete ${topic} --yes`);
    expect(await weir(`topic describe ${topic}`)).toMatchObject({ exitCode: 3 });
  });

  test('alters configs', async () => {
    const retention = async () => {
      const [{ configs }] = await rowsOf(`topic describe ${orders} -c`);
      return configs.find(({ key }: { key: string }) => key === 'retention.ms');
    };
    await must(`topic alter-config ${orders} --set retention.ms=90000000 --yes`);
    expect(await retention()).toMatchObject({ value: '90000000', source: 'DYNAMIC_TOPIC_CONFIG' });
    await must(`topic alter-config ${orders} --delete retention.ms --yes`);
    expect(await retention()).toMatchObject({ value: '604800000', source: 'DEFAULT_CONFIG' });
  });

  test.each(['0', '1', '-1'])('writes with acks %s, in every codec, and reads the records back', async (acks) => {
    const topic = `${prefix}-acks${acks}`;
    await must(`topic create ${topic} -p 1`);
    // The leader is ready afterward: with acks 0, nobody would say that it is not.
    await must(`topic produce ${topic}`, 'x\n');
    const codecs = ['gzip', 'lz4', 'none', 'snappy', 'zstd'];
    for (const codec of codecs) {
      const line = `${codec} ${'x'.repeat(200)}\n`;
      await must(`topic produce ${topic} --acks ${acks} -z ${codec} -f '%k %v\\n'`, line);
    }
    const read = await must(`topic consume ${topic} -o 1: -n 5 -f '%k %V %a{compression}\\n'`);
    // With acks 0, a broker may take in what comes over another connection first.
    const lines = acks === '0' ? read.trim().split('\n').sort() : read.trim().split('\n');
    expect(lines).toEqual(codecs.map((codec) => `${codec} 200 ${codec}`));
    await must(`topic delete ${topic} --yes`);
  });

  test('seeks by time, trims, and reads from the new start', async () => {
    const topic = `${prefix}-trim`;
    await must(`topic create ${topic} -p 1`);
    await must(`topic produce ${topic}`, 'a\nb\nc\nd\n');
    expect(await must(`topic consume ${topic} -o @-1h:end -f '%v'`)).toBe('abcd');
    await must(`topic trim-prefix ${topic} -o 2 --yes`);
    expect(await must(`topic consume ${topic} -o :end -f '%v'`)).toBe('cd');
    expect(await weir(`topic consume ${topic} -o 0:1 -f '%v'`)).toMatchObject({ stdout: '' });
    await must(`topic delete ${topic} --yes`);
  });

  test.each(['classic', 'consumer'])(
    'reads as a member of a %s group, which can be seen, moved and deleted',
    async (protocol) => {
      const [topic, group] = [`${prefix}-${protocol}`, `${prefix}-group-${protocol}`];
      await must(`topic create ${topic} -p 1`);
      await must(`topic produce ${topic}`, 'a\nb\nc\n');
      const read = (count: number) =>
        must(`topic consume ${topic} -g ${group} --group-protocol ${protocol} -n ${count} -f '%v'`);
      expect(await read(2)).toBe('ab');
      const [described] = await rowsOf(`group describe ${group}`);
      expect(described.partitions ?? described.lag).toBeDefined();
      expect(await must(`group lag ${group} --format json`)).toContain('"lag":1');
      expect(await read(1)).toBe('c');
      await must(`group seek ${group} --to start --yes`);
      expect(await read(3)).toBe('abc');
      await must(`group offset-delete ${group} -t ${topic}:0`);
      await must(`group delete ${group} --yes`);
      expect(await weir(`group describe ${group}`)).toMatchObject({ exitCode: 3 });
      await must(`topic delete ${topic} --yes`);
    },
  );

  test('sets and removes quotas', async () => {
    const name = `client-id=${prefix}`;
    await must(`cluster quotas alter --name ${name} --add producer_byte_rate=2000`);
    expect(await must(`cluster quotas describe --name ${name}`)).toContain('producer_byte_rate=2000');
    await must(`cluster quotas alter --name ${name} --delete producer_byte_rate`);
    expect(await must(`cluster quotas describe --name ${name}`)).not.toContain('producer_byte_rate');
  });

  test('shows an open transaction, keeps it from a committed reader, and aborts it', async () => {
    const [topic, id] = [`${prefix}-txn`, `${prefix}-id`];
    const single = { WEIR_BROKERS: target.single() };
    await must(`topic create ${topic} -p 1`, '', single);
    await openTransaction(id, topic, 0, target.single());
    expect(await must('cluster txn list', '', single)).toContain(`${id} `);
    expect(await must(`cluster txn describe ${id}`, '', single)).toContain('Ongoing');
    const [producer] = JSON.parse(
      await must(`cluster txn describe-producers -t ${topic} -p 0 --format json`, '', single),
    );
    expect(producer).toMatchObject({ topic, partition: 0, transaction_start_offset: 0, error: null });
    expect(await must(`topic consume ${topic} -o :end --read-committed -f '%v'`, '', single)).toBe('');
    await must(`cluster txn abort ${topic} -p 0 --start-offset 0 --yes`, '', single);
    await must(`topic produce ${topic}`, 'after\n', single);
    expect(await must(`topic consume ${topic} -o :end --read-committed -f '%v'`, '', single)).toBe('after');
    await must(`topic delete ${topic} --yes`, '', single);
  });

  test('describes the cluster, its health, log directories and features', async () => {
    expect(await weir('cluster info')).toMatchObject({ exitCode: 0 });
    expect(await weir('cluster health')).toMatchObject({ exitCode: 0 });
    expect(await must('cluster logdirs describe')).toContain(orders);
    expect(await must('cluster features')).toContain('metadata.version');
    expect(await must('topic list')).toContain(orders);
    expect(await weir('doctor')).toMatchObject({ exitCode: 0 });
  });

  test('manages users and ACLs, which decide what a user may do', async () => {
    const admin = target.admin();
    const as = (user: string, pass: string, mechanism: string) => ({
      ...{ WEIR_BROKERS: target.closed(), WEIR_USER: user, WEIR_PASS: pass, WEIR_SASL_MECHANISM: mechanism },
      WEIR_GLOBALS_RETRY_TIMEOUT: '1ms',
    });
    const manage = (line: string, stdin = ''): Promise<Outcome> =>
      run(line, { stdin, env: as(admin.user, admin.pass, admin.mechanism) });
    const [user, topic] = [`${prefix}-ana`, `${prefix}-acl`];
    const ana = (line: string, stdin = '') => run(line, { stdin, env: as(user, 'secret', 'SCRAM-SHA-512') });
    const ok = { stderr: '', exitCode: 0 };
    expect(
      await manage(`security user create ${user} --mechanism SCRAM-SHA-512 --password-stdin`, 'secret'),
    ).toMatchObject({ exitCode: 0 });
    expect(await manage('security user list')).toMatchObject({ ...ok, stdout: expect.stringContaining(user) });
    expect(await manage(`topic create ${topic} -p 1`)).toMatchObject(ok);
    // A topic that has ACLs is closed to everyone they do not name.
    const other = `--allow-principal ${user}-2 --topic ${topic}`;
    expect(await manage(`security acl create ${other} --operation all`)).toMatchObject({ exitCode: 0 });
    await expect.poll(async () => (await ana('topic list')).exitCode).toBe(0);
    await expect.poll(async () => (await ana('topic list')).stdout).not.toContain(topic);
    expect(await ana(`topic produce ${topic} --acks 1`, 'x\n')).not.toMatchObject({ exitCode: 0 });
    const acl = `--allow-principal ${user} --topic ${topic}`;
    expect(await manage(`security acl create ${acl} --operation write,describe`)).toMatchObject(ok);
    await expect.poll(async () => (await ana(`topic produce ${topic} --acks 1`, 'x\n')).exitCode).toBe(0);
    expect(await ana(`topic consume ${topic} -n 1`)).toMatchObject({ exitCode: 4 });
    expect(await manage(`security acl list ${acl}`)).toMatchObject({ ...ok, stdout: expect.stringContaining('WRITE') });
    expect(await manage(`security acl delete ${acl} --yes`)).toMatchObject(ok);
    expect(await manage(`security acl delete ${other} --yes`)).toMatchObject(ok);
    expect(await manage(`security user delete ${user} --yes`)).toMatchObject({ exitCode: 0 });
    expect(await manage(`topic delete ${topic} --yes`)).toMatchObject(ok);
  });

  test('says that a login fails, whether the broker answers it or only closes the connection', async () => {
    const { user } = target.admin();
    const { stderr, exitCode } = await run('topic list', {
      env: {
        ...{ WEIR_BROKERS: target.closed(), WEIR_USER: user, WEIR_PASS: 'wrong', WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' },
        WEIR_GLOBALS_RETRY_TIMEOUT: '1ms',
      },
    });
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/hint: check .*pass/);
  });
});
