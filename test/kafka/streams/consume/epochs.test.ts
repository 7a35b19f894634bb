import { beforeAll, describe, expect, it } from 'vitest';
import { alterPartitionReassignments } from '../../../../src/kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { divergenceOf, noteEpochs, printedEpoch, rewindTo } from '../../../../src/kafka/streams/consume/epochs.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { commitOffsets, committedOffsets } from '../../../../src/kafka/streams/groups/commits.ts';
import { linesOf, newTopic, weir } from '../../../commands/topic/records-world.ts';
import { clientOf } from '../../../services/scripted-client.ts';
import { type Cluster3, cluster3, services } from '../../../services/services.ts';
import { knownEverywhere } from '../../../services/visibility.ts';
import { batchAt } from '../../record-answers.ts';

const position = (offset = 0n, epoch = -1) =>
  createPosition({ topic: 't', partition: 0, offset, end: undefined, epoch });

describe('the epoch of the last record printed', () => {
  const batches = Buffer.concat([batchAt(0n, ['a', 'b'], 2), batchAt(2n, ['c'], 2), batchAt(3n, ['d', 'e'], 5)]);

  it.each([
    [0n, -1],
    [1n, 2],
    [2n, 2],
    [3n, 2],
    [4n, 5],
    [9n, 5],
  ])('after offset %s is %i, however much was fetched', (printed, epoch) => {
    const read = position();
    noteEpochs(read, batches, 0n);
    read.printed = printed;
    expect(printedEpoch(read)).toBe(epoch);
  });

  it('is that of the commit until something newer is printed', () => {
    const read = position(7n, 4);
    expect([printedEpoch(read), read.lastEpoch]).toEqual([4, 4]);
    noteEpochs(read, batchAt(7n, ['x'], 6), 7n);
    expect(printedEpoch(read)).toBe(4);
    read.printed = 8n;
    expect(printedEpoch(read)).toBe(6);
  });

  it('goes back where the log was cut', () => {
    const read = position();
    noteEpochs(read, batches, 0n);
    rewindTo(read, { offset: 3n, leaderEpoch: 2 });
    expect(printedEpoch(read)).toBe(2);
    rewindTo(read, { offset: 1n, leaderEpoch: 1 });
    expect([printedEpoch(read), read.printed, read.offset]).toEqual([1, 1n, 1n]);
  });

  it('begins where the batch before ends, whatever compaction has removed in between', () => {
    const read = position(5n);
    noteEpochs(read, Buffer.concat([batchAt(8n, ['a', 'b'], 2), batchAt(20n, ['c'], 3)]), 5n);
    expect(read.epochs).toEqual([
      { offset: 5n, leaderEpoch: 2 },
      { offset: 10n, leaderEpoch: 3 },
    ]);
  });

  it('is not taken from a truncated or damaged batch', () => {
    const read = position();
    const bad = batchAt(3n, ['d'], 9);
    bad.writeInt32BE(-30, 8);
    noteEpochs(read, Buffer.concat([batchAt(0n, ['a'], 2), bad]), 0n);
    expect(read.epochs).toEqual([{ offset: 0n, leaderEpoch: 2 }]);
  });
});

describe('the log of a new leader parts from what was read', () => {
  const read = Object.assign(position(), {
    ...{ offset: 30n, lastEpoch: 5 },
    epochs: [
      { offset: 0n, leaderEpoch: 1 },
      { offset: 10n, leaderEpoch: 3 },
      { offset: 20n, leaderEpoch: 5 },
    ],
  });

  it.each<[string, bigint, number, bigint | undefined]>([
    ['nowhere, if the epoch ends after it', 30n, 5, undefined],
    ['where the epoch ends', 25n, 5, 25n],
    ['where the first epoch begins that the leader does not have', 40n, 3, 20n],
    ['there as well if the leader has another one instead', 40n, 4, 20n],
    ['where the largest epoch ends that both have', 15n, 3, 15n],
    ['before everything that was read', 40n, 0, 0n],
    ['where the log ends, if no epoch is named', 12n, -1, 12n],
  ])('%s', (_where, offset, leaderEpoch, parting) => {
    expect(divergenceOf(read, { offset, leaderEpoch })).toBe(parting);
  });
});

describe('a group on a real broker', () => {
  it.each(['classic', 'consumer'])('commits the epoch and reads it back (%s)', async (protocol) => {
    const topic = await newTopic();
    const group = `${topic}-g`;
    await weir(['topic', 'produce', topic, '-o', ''], { stdin: 'a\nb\nc\n' });
    const words = ['topic', 'consume', topic, '-g', group, '--group-protocol', protocol, '-n', '2', '-f', '%v'];
    expect((await weir(words)).stdout).toBe('ab');
    await using client = clientOf([services().plaintext]);
    const committed = await committedOffsets(client, group, [{ topic, partition: 0 }]);
    expect(committed).toMatchObject([{ partition: 0, offset: 2n, leaderEpoch: 0 }]);
  });

  it('that has committed more than the epoch contains reports that the log was cut', async () => {
    const topic = await newTopic();
    const group = `${topic}-g`;
    await weir(['topic', 'produce', topic, '-o', ''], { stdin: 'a\nb\nc\n' });
    await using client = clientOf([services().plaintext]);
    const nobody = { group, generation: -1, memberId: '', instanceId: undefined };
    const beyond = [{ topic, partition: 0, offset: 8000n, leaderEpoch: 0 }];
    await client.retry('OffsetCommit', () => commitOffsets(client, nobody, beyond));
    let isDone = false;
    const reading = weir(['topic', 'consume', topic, '-g', group, '-n', '1', '-f', '%o=%v']).finally(() => {
      isDone = true;
    });
    // Until one arrives after the read began, wherever it found the end.
    while (!isDone) await weir(['topic', 'produce', topic, '-o', ''], { stdin: 'new\n' });
    const { stdout, stderr, exitCode } = await reading;
    const [, goesOn] =
      /has truncated the log and lost offsets \d+ to 7999 \(already read\): reading continues at (\d+)/.exec(stderr) ??
      [];
    expect({ stdout, exitCode }).toEqual({ stdout: `${goesOn}=new`, exitCode: 0 });
  });
});

describe('a partition whose leadership moves', () => {
  let cluster: Cluster3;
  beforeAll(async () => {
    cluster = await cluster3();
  });

  it('is read further by a group, which commits the epoch of what it printed', async () => {
    const [topic, env] = [`moved-${process.pid}`, { WEIR_BROKERS: cluster.brokers }];
    const [before, after] = [[...'abcde'], [...'fghij']];
    await weir(['topic', 'create', topic, '-p', '1', '-r', '3'], { env });
    await knownEverywhere(cluster.brokers, topic);
    const fill = (values: readonly string[]) =>
      weir(['topic', 'produce', topic, '-o', ''], { env, stdin: values.map((value) => `${value}\n`).join('') });
    await fill(before);
    const half = Promise.withResolvers<void>();
    const reading = weir(['topic', 'consume', topic, '-g', `${topic}-g`, '-n', '10', '-f', '%e %v\\n'], {
      env,
      onStdout: () => half.resolve(),
    });
    await half.promise;
    const partition = async () => {
      const { stdout } = await weir(['topic', 'describe', topic, '-p', '--format', 'json'], { env });
      const [row] = JSON.parse(stdout) as { partitions: { replicas: number[]; leader: number }[] }[];
      return row?.partitions[0];
    };
    const { replicas = [], leader = -1 } = (await partition()) ?? {};
    await using client = clientOf(cluster.brokers.split(','));
    const partitions = [{ partitionIndex: 0, replicas: [...replicas.filter((id) => id !== leader), leader] }];
    await client.request(alterPartitionReassignments, { topics: [{ name: topic, partitions }], timeoutMs: 5000 });
    // Nobody is elected while the preferred replica is not in sync.
    const move = async () => {
      await weir(['topic', 'elect-leaders', topic], { env });
      return (await partition())?.leader ?? leader;
    };
    await expect.poll(move, { timeout: 180_000 }).not.toBe(leader);
    await fill(after);
    const { stdout, stderr, exitCode } = await reading;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const read = linesOf(stdout).map((line) => line.split(' '));
    expect(read.map(([, value]) => value)).toEqual([...before, ...after]);
    const epochs = read.map(([epoch]) => Number(epoch));
    expect(epochs[9]).toBeGreaterThan(epochs[0] ?? 0);

    const share = [{ topic, partition: 0 }];
    const all = await committedOffsets(client, `${topic}-g`, share);
    expect(all).toMatchObject([{ offset: 10n, leaderEpoch: epochs[9] }]);
    // One fetch returns both epochs; the one of the fourth record is committed.
    await weir(['topic', 'consume', topic, '-g', `${topic}-h`, '-n', '4', '-f', ''], { env });
    const some = await committedOffsets(client, `${topic}-h`, share);
    expect(some).toMatchObject([{ offset: 4n, leaderEpoch: epochs[0] }]);
  });
});
