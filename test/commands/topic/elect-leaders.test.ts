import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterPartitionReassignments } from '../../../src/kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { type Cluster3, cluster3, services } from '../../services/services.ts';
import { knownEverywhere, leadersEverywhere } from '../../services/visibility.ts';
import { run } from '../../world.ts';
import { limitedUser } from './limited-user.ts';

const topic = `elect-${process.pid}`;
let cluster: Cluster3;
const three = () => ({ env: { WEIR_BROKERS: cluster.brokers } });
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });

beforeAll(async () => {
  cluster = await cluster3();
  await run(`topic create ${topic} -r 3`, three());
  await knownEverywhere(cluster.brokers, topic);
  await run(`topic create ${topic}`, world());
});

afterAll(async () => {
  await run(`topic delete ${topic}`, three());
  await run(`topic delete ${topic}`, world());
});

/** Makes the leader the last of the replicas, and returns the ids of the leader and of the new first replica. */
async function demoteLeader(): Promise<readonly [leader: number, first: number]> {
  await using client = clientOf(cluster.brokers.split(','));
  const [found] = (await client.metadata([topic])).topics;
  const { leader, replicas } = found?.partitions[0] ?? { leader: -1, replicas: [] };
  const order = [...replicas.filter((id) => id !== leader), leader];
  const topics = [{ name: topic, partitions: [{ partitionIndex: 0, replicas: order }] }];
  await client.request(alterPartitionReassignments, { topics, timeoutMs: 5000 });
  await leadersEverywhere(cluster.brokers, topic, (one) => one.replicas[0] === order[0]);
  return [leader, order[0] ?? -1];
}

describe('topic elect-leaders', () => {
  it('makes the first replica the leader', async () => {
    const [leader, first] = await demoteLeader();
    expect((await run(`topic elect-leaders ${topic} --dry-run --no-headers`, three())).stdout).toBe(
      `${topic}  0  ${leader}  ${first}  OK (dry run)\n`,
    );
    expect(await run(`topic elect-leaders ${topic}`, three())).toEqual({
      stdout:
        `TOPIC${' '.repeat(topic.length - 3)}PARTITION  OLD-LEADER  NEW-LEADER  STATUS\n` +
        `${topic}  0          ${leader}           ${first}           OK\n`,
      stderr: '',
      exitCode: 0,
    });
    await leadersEverywhere(cluster.brokers, topic, (one) => one.leader === first);
    expect(await run(`topic elect-leaders ${topic}`, three())).toMatchObject({
      stderr: 'no partition needs an election\n',
      exitCode: 0,
    });
    const { stdout } = await run(`topic elect-leaders ${topic} -p 0 --format json`, three());
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ topic, partition: 0, old_leader: first, new_leader: first },
        ...{ status: 'NOT_NEEDED', dry_run: false, error: null },
      },
    ]);
  });

  it('elects no unclean leader where there is a leader', async () => {
    const { stdout } = await run(`topic elect-leaders ${topic} --unclean -p 0 --yes --no-headers`, world());
    expect(stdout).toBe(`${topic}  0  1  1  NOT_NEEDED\n`);
  });

  it('exits with 3 when a topic or a partition does not exist', async () => {
    const unknown = 'UNKNOWN_TOPIC_OR_PARTITION: the broker has no such topic or partition';
    const none = await run(`topic elect-leaders ${topic}-nope --no-headers`, world());
    expect(none).toMatchObject({ stdout: `${topic}-nope  -  -  -  ${unknown}\n`, exitCode: 3 });
    const other = await run(`topic elect-leaders ${topic} -p 0,7 --no-headers`, world());
    expect(other.stdout).toBe(`${topic}  0  1  1  NOT_NEEDED\n${topic}  7  -  -  ${unknown}\n`);
    expect(other.exitCode).toBe(3);
  });

  it('exits with 4 when the principal has no rights', async () => {
    expect(await run(`topic elect-leaders ${topic}`, await limitedUser(topic))).toMatchObject({ exitCode: 4 });
  });

  it.each([
    ['topic elect-leaders a b -p 1', '--partitions needs exactly one TOPIC'],
    ['topic elect-leaders -p 1', '--partitions needs exactly one TOPIC'],
    ['topic elect-leaders a -p x', '--partitions'],
    ['topic elect-leaders a/b', 'it contains "/"'],
  ])('%s is a usage error', async (line, message) => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });
});
