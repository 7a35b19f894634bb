import { describe, expect, it } from 'vitest';
import type { RedriveRequest } from '../../../../src/kafka/carry/redrive/request.ts';
import type { RequestOf, ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { addPartitionsToTxn } from '../../../../src/kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import type { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import type { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import type { produce } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import type { txnOffsetCommit } from '../../../../src/kafka/protocol/wire/apis/txn-offset-commit.ts';
import { partitionOfKey } from '../../../../src/kafka/records/batches/partitioner.ts';
import { openFilter } from '../../../../src/kafka/records/filter/filter.ts';
import type { FaultAction } from '../../../sandbox/broker/faults.ts';
import { writeBatch } from '../../records/batches/batches.ts';
import { openRedriveWorld, type RedriveWorld } from './redrive-world.ts';

type FetchAnswer = ResponseOf<typeof fetch>;

/** Chooses by a condition. */
async function where(condition: string): Promise<Pick<RedriveRequest, 'filter'>> {
  return { filter: { filter: await openFilter({ where: [condition] }), onSifted: () => undefined } };
}

/** Makes the leader of the topic `cut` the only replica that has what follows. */
function leaveReplicas({ control }: RedriveWorld): void {
  const { leader, replicas } = control.partition('cut', 0);
  for (const broker of replicas.filter((one) => one !== leader)) {
    control.holdReplication('cut', 0, broker);
    control.dropFromIsr('cut', 0, broker);
  }
}

/** Elects a replica that does not have that. */
async function cutLog({ control, world }: RedriveWorld): Promise<void> {
  const { leader, replicas } = control.partition('cut', 0);
  control.kill(leader);
  await world.clock.runFor(2_000);
  control.electUnclean('cut', 0);
  await world.clock.runFor(10_000);
  for (const broker of replicas.filter((one) => one !== leader)) control.releaseReplication('cut', 0, broker);
}

function openCut(): RedriveWorld {
  const opened = openRedriveWorld();
  opened.control.createTopic({ name: 'cut', configs: { 'min.insync.replicas': '1' } });
  return opened;
}

describe.each([false, true])(
  'dead letters whose log is cut by an unclean election, exactly once: %s',
  (isExactlyOnce) => {
    it('are put back from where it was cut, also at the offsets of others that were sent', async () => {
      const opened = openCut();
      const { write, redrive, values, warnings, world } = opened;
      await write('cut', 0, ['a', 'b']);
      await world.clock.runFor(1_000);
      leaveReplicas(opened);
      await write('cut', 0, ['c', 'd', 'e']);
      const request = { topic: 'cut', isExactlyOnce };
      expect(await redrive(request)).toEqual(['to 5']);
      await cutLog(opened);
      await write('cut', 0, ['x', 'y', 'z', 'w']);
      expect(await redrive(request)).toEqual(['to 4']);
      expect(values('to')).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z', 'w']);
      expect(warnings).toEqual([expect.stringContaining('lost offsets 2 to 4')]);
      expect(await redrive(request)).toEqual([]);
    });

    it('are put back also behind one that was left', async () => {
      const opened = openCut();
      const { write, redrive, values, world } = opened;
      await write('cut', 0, ['a', 'b']);
      await world.clock.runFor(1_000);
      leaveReplicas(opened);
      await write('cut', 0, ['c', 'd', 'e', 'f']);
      const request = { topic: 'cut', isExactlyOnce };
      expect(await redrive({ ...request, ...(await where('value != "a" && value != "f"')) })).toEqual(['to 4']);
      await cutLog(opened);
      await write('cut', 0, ['x', 'y', 'z']);
      expect(await redrive(request)).toEqual(['to 4']);
      expect(values('to')).toEqual(['b', 'c', 'd', 'e', 'a', 'x', 'y', 'z']);
    });
  },
);

describe('a destination whose log is cut by an unclean election', () => {
  /** Redrives letters of 0 to 39 to `cut`, whose log is cut while that goes on. */
  async function cutWhileSending(isExactlyOnce: boolean) {
    const opened = openCut();
    const { write, start, world } = opened;
    await write(
      'from',
      0,
      Array.from({ length: 40 }, (_, at) => `v${at}`),
    );
    await world.clock.runFor(1_000);
    const running = start({ to: { topic: 'cut' }, perSecond: 10, isExactlyOnce }, { retry: 60_000 });
    await world.clock.runFor(1_000);
    leaveReplicas(opened);
    await world.clock.runFor(1_000);
    await cutLog(opened);
    const outcome = await world.clock.runUntil(
      running.ended.catch((error: unknown) => error),
      600_000,
    );
    return { ...opened, outcome };
  }

  const named = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `v${from + at}`);

  it('is written on, with a warning of the acknowledged records that are lost, and nothing is sent twice', async () => {
    const { outcome, warnings, values, redrive } = await cutWhileSending(false);
    expect(outcome).toEqual(['cut 40']);
    expect(warnings).toEqual([expect.stringContaining('acknowledged records were lost (the last 10)')]);
    const kept = [...named(0, 8), ...named(18, 40)];
    expect(values('cut')).toEqual(kept);
    expect(await redrive({ to: { topic: 'cut' } })).toEqual([]);
    expect(values('cut')).toEqual(kept);
  });

  it('ends a run exactly once, which is continued by the next one', async () => {
    const { outcome, values, redrive } = await cutWhileSending(true);
    expect(outcome).toMatchObject({
      code: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      message: expect.stringContaining('(18 records were put back before that)'),
    });
    expect(await redrive({ to: { topic: 'cut' }, isExactlyOnce: true })).toEqual(['cut 22']);
    expect(values('cut')).toEqual([...named(0, 8), ...named(18, 40)]);
  });
});

it('dead letters that an earlier run has sent do not count where the log is cut before a run has read so far', async () => {
  const opened = openCut();
  const { write, redrive, start, values, world, control } = opened;
  await write('cut', 0, ['a', 'b', 'c', 'd']);
  await world.clock.runFor(1_000);
  leaveReplicas(opened);
  await write('cut', 0, ['e', 'f', 'g']);
  expect(await redrive({ topic: 'cut', range: { start: { at: 'exact', offset: 4n }, end: { at: 'end' } } })).toEqual([
    'to 3',
  ]);
  control.fault({ api: 'Fetch', times: 1_000, action: { kind: 'refuse', code: 6 } });
  const running = start({ topic: 'cut' }, { retry: 60_000 });
  await world.clock.runFor(1_000);
  await cutLog(opened);
  await write('cut', 0, ['x', 'y', 'z']);
  control.clearFaults();
  expect(await world.clock.runUntil(running.ended)).toEqual(['to 7']);
  expect(values('to')).toEqual(['e', 'f', 'g', 'a', 'b', 'c', 'd', 'x', 'y', 'z']);
});

it('a range that begins behind what an earlier run has sent is read from there, also after a change of the leader', async () => {
  const { write, redrive, values, warnings, world, control } = openRedriveWorld();
  await write('from', 0, ['a', 'b']);
  expect(await redrive()).toEqual(['to 2']);
  await world.clock.runFor(1_000);
  control.kill(control.partition('from', 0).leader);
  await world.clock.runFor(20_000);
  await write('from', 0, ['c', 'd', 'e']);
  expect(await redrive({ range: { start: { at: 'exact', offset: 4n }, end: { at: 'end' } } })).toEqual(['to 1']);
  expect({ sent: values('to'), warnings }).toEqual({ sent: ['a', 'b', 'e'], warnings: [] });
});

/** The size of the first batch. */
const lengthOfBatch = (records: Buffer): number => (records.length < 12 ? 0 : records.readInt32BE(8) + 12);

it('a range before what an earlier run has sent is put back, and nothing of that again', async () => {
  const { write, start, redrive, values, warnings, world, control } = openRedriveWorld();
  const range = (from: bigint, to: bigint) =>
    ({ start: { at: 'exact', offset: from }, end: { at: 'exact', offset: to } }) as const;
  await write('from', 0, ['a', 'b', 'c', 'd']);
  await world.clock.runFor(1_000);
  const { leader, replicas } = control.partition('from', 0);
  control.moveLeader('from', 0, replicas.find((broker) => broker !== leader) ?? leader);
  await write('from', 0, ['e', 'f', 'g']);
  expect(await redrive({ range: range(4n, 7n) })).toEqual(['to 3']);
  // The answer ends before what was sent, whose epoch it does not show.
  const change = ({ responses, ...answer }: FetchAnswer): FetchAnswer => ({
    ...answer,
    responses: responses.map((topic) => ({
      ...topic,
      partitions: topic.partitions.map((one) => ({
        ...one,
        records: one.records?.subarray(0, lengthOfBatch(one.records)),
      })),
    })),
  });
  control.fault({ api: 'Fetch', times: 100, action: { kind: 'change', change } });
  expect(await redrive({ range: range(0n, 2n) })).toEqual(['to 2']);
  control.clearFaults();
  const again = start({ range: range(0n, 1n) });
  await world.clock.runUntil(again.ended);
  expect(again.offsets).toBe(0);
  expect(await redrive()).toEqual(['to 2']);
  expect({ sent: values('to'), warnings }).toEqual({ sent: ['e', 'f', 'g', 'a', 'b', 'c', 'd'], warnings: [] });
});

it('a dry run that fails remembers nothing', async () => {
  const { write, redrive, dryRun, control } = openRedriveWorld();
  await write('from', 0, ['a', 'b']);
  await write('from', 0, ['c']);
  const change = (answer: FetchAnswer): FetchAnswer => {
    for (const { partitions } of answer.responses) {
      for (const { records } of partitions) records?.writeUInt8((records.at(-1) ?? 0) ^ 1, records.length - 1);
    }
    return answer;
  };
  control.fault({ api: 'Fetch', times: 100, action: { kind: 'change', change } });
  await expect(dryRun()).rejects.toMatchObject({ code: 'CORRUPT_MESSAGE' });
  control.clearFaults();
  expect(await redrive()).toEqual(['to 3']);
});

it('a transaction that a killed run has left open is ended by the next run at once', async () => {
  const { write, start, redrive, dryRun, values, control, world } = openRedriveWorld();
  await write('from', 0, ['a', 'b']);
  await redrive({ isExactlyOnce: true });
  await write('from', 0, ['c', 'd']);
  const hasRecords = ({ topics }: RequestOf<typeof txnOffsetCommit>): boolean =>
    topics.some(({ partitions }) => partitions.some(({ committedOffset }) => committedOffset > 2n));
  let isStored = false;
  const note = (answer: unknown): unknown => {
    isStored = true;
    return answer;
  };
  control.fault({ api: 'TxnOffsetCommit', where: hasRecords, action: { kind: 'change', change: note } });
  control.fault({
    api: 'EndTxn',
    times: 1_000,
    where: () => isStored,
    action: { kind: 'swallow' },
  });
  const killed = start({ isExactlyOnce: true });
  await world.clock.runFor(5_000);
  killed.kill();
  expect(isStored).toBe(true);
  control.clearFaults();
  const before = world.clock.now();
  expect(await dryRun({ isExactlyOnce: true })).toEqual(['to 2']);
  expect(await redrive({ isExactlyOnce: true })).toEqual(['to 2']);
  expect(world.clock.now() - before).toBeLessThan(2_000);
  expect(values('to')).toEqual(['a', 'b', 'c', 'd']);
});

it('two topics with dead letters are put back at once with one group', async () => {
  const { write, start, values, world, control } = openRedriveWorld();
  control.createTopic({ name: 'other' });
  const all = Array.from({ length: 20 }, (_, at) => `a${at}`);
  await write('from', 0, all);
  await write('other', 0, all);
  const request = { group: 'both', isExactlyOnce: true, perSecond: 5 };
  const runs = ['from', 'other'].map((topic) => start({ ...request, topic }));
  expect(await world.clock.runUntil(Promise.all(runs.map(({ ended }) => ended)))).toEqual([['to 20'], ['to 20']]);
  expect(values('to')).toHaveLength(40);
});

/** Letters for a compacted topic, whose brokers refuse those without a key. */
const letters = Array.from({ length: 60 }, (_, at) => {
  const value = `v${at}`.padEnd(40, '.');
  return at % 20 === 13 ? { value } : { key: `k${at}`, value };
});
const taken = letters.flatMap(({ key, value }) => (key === undefined ? [] : [value]));

/** Whether a Produce request has a value. */
function hasValue(start: string): (request: RequestOf<typeof produce>) => boolean {
  return ({ topicData }) =>
    topicData.some(({ partitionData }) =>
      partitionData.some(({ records }) => Buffer.from(records ?? []).includes(start)),
    );
}

const code = {
  timedOut: 7,
  notLeader: 6,
  notEnoughReplicas: 19,
  unknownMember: 25,
  forbidden: 29,
  clusterForbidden: 31,
  invalidRecord: 87,
};
const forbid: FaultAction = { kind: 'refuse', code: code.forbidden };
const late = 'v7.';

describe.each([false, true])('letters that their destination refuses, exactly once: %s', (isExactlyOnce) => {
  it.each<readonly [what: string, value: string, actions: readonly FaultAction[]]>([
    ['their request is cut off', 'v13.', [{ kind: 'cut' }]],
    ['their request is cut off again and again', 'v13.', [{ kind: 'cut' }, { kind: 'do-and-cut' }, { kind: 'cut' }]],
    ['their request is not answered', 'v13.', [{ kind: 'swallow' }]],
    ['their leader has moved', 'v13.', [{ kind: 'refuse', code: code.notLeader }]],
    ['others before them are written late', late, [{ kind: 'do-and-refuse', code: code.timedOut }]],
    ['others turn out to be written', 'v6.', [{ kind: 'do-and-cut' }, { kind: 'refuse', code: code.invalidRecord }]],
  ])('are left, and all others go on once, if %s', async (_what, value, actions) => {
    const { write, redrive, values, control } = openRedriveWorld();
    control.createTopic({ name: 'small', configs: { 'cleanup.policy': 'compact', 'max.message.bytes': '400' } });
    await write('from', 0, letters);
    for (const action of actions) control.fault({ api: 'Produce', where: hasValue(value), action });
    if (value === late) control.fault({ api: 'DescribeProducers', times: 9, action: forbid });
    const request = { to: { topic: 'small' }, isExactlyOnce };
    expect(await redrive(request, { retry: 60_000, overhead: 5_000 })).toEqual(['small 57', 'small 3 INVALID_RECORD']);
    expect(values('small')).toEqual(taken);
    expect(await redrive(request)).toEqual(['small 3 INVALID_RECORD']);
    expect(values('small')).toEqual(taken);
    expect(control.defects).toEqual([]);
  });
});

it.each([false, true])(
  'a refused letter does not end a run that adds others while those behind it are without an answer, exactly once: %s',
  async (isExactlyOnce) => {
    const { write, redrive, values, control } = openRedriveWorld();
    control.createTopic({ name: 'small', configs: { 'cleanup.policy': 'compact' } });
    await write('from', 0, letters);
    for (const [value, milliseconds] of [
      ['v13.', 250],
      ['v14.', 1_000],
    ] as const) {
      control.fault({ api: 'Produce', where: hasValue(value), action: { kind: 'late', milliseconds } });
    }
    const request = { to: { topic: 'small' }, isExactlyOnce, perSecond: 10 };
    expect(await redrive(request)).toEqual(['small 57', 'small 3 INVALID_RECORD']);
    expect(values('small')).toEqual(taken);
    expect(await redrive(request)).toEqual(['small 3 INVALID_RECORD']);
    expect(control.defects).toEqual([]);
  },
);

it('a slow run ends when it has failed', async () => {
  const { write, start, world, control } = openRedriveWorld();
  await write('from', 0, letters);
  control.fault({ api: 'Produce', action: { kind: 'refuse', code: code.clusterForbidden } });
  const begun = world.clock.now();
  const running = start({ perSecond: 1 });
  await expect(world.clock.runUntil(running.ended)).rejects.toMatchObject({ code: 'CLUSTER_AUTHORIZATION_FAILED' });
  expect(world.clock.now() - begun).toBeLessThan(10_000);
});

it('a slow run ends soon after it was stopped, also between two letters, and the next one goes on', async () => {
  const { write, start, redrive, values, world } = openRedriveWorld();
  await write('from', 0, ['a', 'b', 'c', 'd']);
  const running = start({ perSecond: 0.1 });
  await world.clock.runFor(12_000);
  running.stop();
  expect(await world.clock.runUntil(running.ended, 2_000)).toEqual(['to 2']);
  const next = start();
  await world.clock.runUntil(next.ended);
  expect({ offsets: next.offsets, values: values('to') }).toEqual({ offsets: 2, values: ['a', 'b', 'c', 'd'] });
  expect(await redrive()).toEqual([]);
});

it('a rate is kept in every tenth of a second', async () => {
  const { write, start, values, world } = openRedriveWorld();
  await write('from', 0, letters);
  const running = start({ perSecond: 20 });
  while (values('to').length === 0) await world.clock.runFor(10);
  await world.clock.runFor(500);
  expect(values('to').length).toBeGreaterThan(9);
  expect(values('to').length).toBeLessThan(15);
  running.stop();
  await world.clock.runUntil(running.ended);
});

it.each([
  ['written in a transaction', 'AddPartitionsToTxn'],
  ['looked up', 'Metadata'],
])('letters for a topic that must not be %s are left, and others go on', async (_what, api) => {
  const { write, redrive, values, control } = openRedriveWorld();
  control.createTopic({ name: 'secret' });
  const records = ['to', 'secret'].map((topic) => ({
    key: null,
    value: Buffer.from(`for ${topic}`),
    headers: [[Buffer.from('source_topic'), Buffer.from(topic)] as const],
    timestamp: 1,
  }));
  await write('from', 0, writeBatch(records));
  const isSecret = (request: Partial<RequestOf<typeof addPartitionsToTxn> & RequestOf<typeof metadata>>): boolean =>
    [...(request.v3AndBelowTopics ?? []), ...(request.topics ?? [])].some(({ name }) => name === 'secret');
  control.fault({ api, times: 9, where: isSecret, action: forbid });
  expect(await redrive({ to: 'origin', isExactlyOnce: true })).toEqual(['to 1', 'secret 1 TOPIC_AUTHORIZATION_FAILED']);
  expect([values('to'), values('secret')]).toEqual([['for to'], []]);
});

it('what was sent in front of too many gaps is not sent again after a failure', async () => {
  const { write, redrive, values, control } = openRedriveWorld();
  control.createTopic({ name: 'wide', partitions: 3 });
  const all = Array.from({ length: 30_000 }, (_, at) => ({ key: `k${at}`, value: `v${at}` }));
  const isFirst = ({ key }: { readonly key: string }): boolean =>
    partitionOfKey(Buffer.from(key), 0, key.length, 3) === 0;
  // So many are sent and remembered together.
  const before = all.filter((one) => !isFirst(one)).slice(0, 4_096);
  const behind = all.slice(7_000);
  for (const some of [before, behind]) await write('from', 0, some);
  const toFirst = ({ topicData }: RequestOf<typeof produce>) =>
    topicData.some(({ partitionData }) => partitionData.some(({ index }) => index === 0));
  const refuse: FaultAction = { kind: 'refuse', code: code.notEnoughReplicas };
  control.fault({ api: 'Produce', times: 1_000, where: toFirst, action: refuse });
  const request = { to: { topic: 'wide' }, partitionsBy: 'key' } as const;
  await expect(redrive(request, { retry: 200 })).rejects.toMatchObject({ code: 'RETRY_TIMEOUT' });
  control.clearFaults();
  await redrive(request);
  const found = [0, 1, 2].flatMap((partition) => values('wide', partition));
  expect(new Set(found).size).toBe(before.length + behind.length);
  const known = new Set(before.map(({ value }) => value));
  expect(found.filter((value) => known.has(value))).toHaveLength(before.length);
});

it('letters that were refused take no memory, however many they are', async () => {
  const { write, redrive, control } = openRedriveWorld();
  const value = Buffer.alloc(900_000, 'x');
  const records = Array.from({ length: 30 }, (_, timestamp) => ({ key: null, value, headers: [], timestamp }));
  for (const some of [records.slice(0, 28), records.slice(28)]) {
    await write('from', 0, writeBatch(some, { compression: 'zstd' }));
  }
  control.fault({ api: 'Produce', times: 1_000, action: { kind: 'refuse', code: code.invalidRecord } });
  expect(await redrive()).toEqual(['to 30 INVALID_RECORD']);
});

it('a group that another program has joined since is named with a way out', async () => {
  const { write, redrive, control } = openRedriveWorld();
  await write('from', 0, ['a']);
  control.fault({ api: 'OffsetCommit', times: 9, action: { kind: 'refuse', code: code.unknownMember } });
  await expect(redrive()).rejects.toMatchObject({
    code: 'GROUP_IN_USE',
    exitCode: 6,
    hints: ['use another group: -g NAME'],
  });
});

it('what follows a refused letter gets another epoch, which fences what is still on its way', async () => {
  const { write, redrive, control } = openRedriveWorld();
  control.createTopic({ name: 'small', configs: { 'cleanup.policy': 'compact', 'max.message.bytes': '400' } });
  await write('from', 0, letters);
  control.fault({ api: 'Produce', where: hasValue('v13.'), action: { kind: 'cut' } });
  await redrive({ to: { topic: 'small' } });
  const epochs = control.log('small', 0).map(({ producerEpoch }) => producerEpoch);
  expect([epochs[0], epochs.at(-1)]).toEqual([0, 1]);
});

it('a run ends if nobody says whether its destination has a letter that it refuses now, and the next one goes on', async () => {
  const { write, redrive, values, control } = openRedriveWorld();
  control.createTopic({ name: 'small', configs: { 'cleanup.policy': 'compact', 'max.message.bytes': '400' } });
  await write('from', 0, letters);
  control.fault({ api: 'Produce', where: hasValue('v13.'), action: { kind: 'cut' } });
  control.fault({ api: 'DescribeProducers', times: 9, action: forbid });
  await expect(redrive({ to: { topic: 'small' } })).rejects.toMatchObject({ code: 'INVALID_RECORD' });
  control.clearFaults();
  await redrive({ to: { topic: 'small' } });
  expect(values('small')).toEqual(taken);
});

it.each([false, true])(
  'what was answered before a run failed is not sent again, exactly once: %s',
  async (isExactlyOnce) => {
    const { write, redrive, values, control } = openRedriveWorld();
    control.createTopic({ name: 'wide', partitions: 3 });
    await write('from', 0, letters);
    const request = { to: { topic: 'wide' }, partitionsBy: 'key', isExactlyOnce } as const;
    const toFirst = ({ topicData }: RequestOf<typeof produce>) =>
      topicData.some(({ partitionData }) => partitionData.some(({ index }) => index === 0));
    control.fault({
      api: 'Produce',
      times: 1_000,
      where: toFirst,
      action: { kind: 'refuse', code: code.notEnoughReplicas },
    });
    const failure = redrive(request, { retry: 5_000 });
    await expect(failure).rejects.toMatchObject({ code: 'RETRY_TIMEOUT' });
    control.clearFaults();
    await redrive(request);
    const found = [0, 1, 2].flatMap((partition) => values('wide', partition));
    expect(found.toSorted()).toEqual(letters.map(({ value }) => value).toSorted());
    expect(await redrive(request)).toEqual([]);
  },
);

it('what was answered before the letters in front of it is not sent again either', async () => {
  const { write, redrive, values, control } = openRedriveWorld();
  control.createTopic({ name: 'wide', partitions: 3 });
  const keyOf = (partition: number): string => {
    const keys = Array.from({ length: 50 }, (_, at) => `k${at}`);
    return keys.find((key) => partitionOfKey(Buffer.from(key), 0, key.length, 3) === partition) ?? '';
  };
  const places = [0, 0, 1, 2];
  await write(
    'from',
    0,
    places.map((partition, at) => ({ key: keyOf(partition), value: `v${at}` })),
  );
  const toPartition = (partition: number) => (request: RequestOf<typeof produce>) =>
    request.topicData.some(({ partitionData }) => partitionData.some(({ index }) => index === partition));
  control.fault({ api: 'Produce', where: toPartition(0), action: { kind: 'late', milliseconds: 1_000 } });
  const refuse: FaultAction = { kind: 'refuse', code: code.notEnoughReplicas };
  control.fault({ api: 'Produce', times: 1_000, where: toPartition(2), action: refuse });
  // Two letters at a time.
  const request = { to: { topic: 'wide' }, partitionsBy: 'key', perSecond: 20 } as const;
  await expect(redrive(request, { retry: 5_000 })).rejects.toMatchObject({ code: 'RETRY_TIMEOUT' });
  control.clearFaults();
  expect(await redrive(request)).toEqual(['wide 1']);
  expect([0, 1, 2].map((partition) => values('wide', partition))).toEqual([['v0', 'v1'], ['v2'], ['v3']]);
});
