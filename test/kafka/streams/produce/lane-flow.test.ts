import { describe, expect, it } from 'vitest';
import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import { createBatchWriter } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { type Batch, createLane, type Lane, sealLane } from '../../../../src/kafka/streams/produce/lane.ts';
import {
  acknowledge,
  giveBack,
  maySend,
  needsLeader,
  resume,
  takeNext,
} from '../../../../src/kafka/streams/produce/lane-flow.ts';
import { decideRecovery, type Memory } from '../../../../src/kafka/streams/produce/lane-recovery.ts';
import { sequenceAfter, sequenceDistance } from '../../../../src/kafka/streams/produce/sequence.ts';

const identity = { producerId: 77n, producerEpoch: 3 };
const again = { error: new Error('again'), lostTrack: 0 };

/** A lane with finished batches of that many records each. */
function laneOf(...counts: number[]): Lane {
  const lane = createLane('foo', 0, 1);
  fill(lane, ...counts);
  return lane;
}

function fill(lane: Lane, ...counts: number[]): void {
  for (const count of counts) {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 1_000 });
    for (let record = 0; record < count; record += 1) writer.append(createOutgoingRecord());
    lane.open = { writer, createdAt: 0, createdWallMs: 0, numbers: [1, 1] };
    sealLane(lane, identity);
  }
}

/** Sends what may be sent. */
function send(lane: Lane, now = 0): number[] {
  const sent: number[] = [];
  while (maySend(lane, 'idempotent', now)) sent.push(takeNext(lane, now)?.order ?? -1);
  return sent;
}

const first = (lane: Lane): Batch => lane.inFlight[0] as Batch;

describe('a lane of an idempotent producer', () => {
  it('has one batch in flight until the leader acknowledges one, then five', () => {
    const lane = laneOf(1, 1, 1, 1, 1, 1, 1, 1);
    expect(send(lane)).toEqual([0]);
    acknowledge(lane, first(lane), 0n, 0);
    expect(send(lane)).toEqual([1, 2, 3, 4, 5]);
  });

  it('starts with one again for another leader, after a failure and after an idle second', () => {
    const lane = laneOf(1, 1, 1, 1);
    send(lane);
    acknowledge(lane, first(lane), 0n, 0);
    send(lane, 10);
    for (const batch of [...lane.inFlight]) giveBack(lane, batch, again);
    expect(send(lane)).toEqual([]);
    resume(lane, 2);
    expect(send(lane)).toEqual([1]);
    acknowledge(lane, first(lane), 1n, 20);
    expect(send(lane, 20)).toEqual([2, 3]);
    for (const batch of [...lane.inFlight]) acknowledge(lane, batch, BigInt(batch.order), 30);
    fill(lane, 1, 1);
    expect(send(lane, 1_100)).toEqual([4]);
  });

  it('looks for its leader when all that is in flight has come back', () => {
    const lane = laneOf(1, 1, 1);
    send(lane);
    acknowledge(lane, first(lane), 0n, 0);
    send(lane);
    giveBack(lane, first(lane), again);
    expect(needsLeader(lane)).toBe(false);
    giveBack(lane, first(lane), again);
    expect(needsLeader(lane)).toBe(true);
  });

  it("sends nothing that would push a batch of unknown fate out of the broker's memory", () => {
    const lane = laneOf(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    send(lane);
    acknowledge(lane, first(lane), 0n, 0);
    send(lane);
    const [one, two, three, four, five] = lane.inFlight as Batch[];
    for (const batch of [one, three]) giveBack(lane, batch as Batch, again);
    for (const batch of [two, four, five]) acknowledge(lane, batch as Batch, BigInt(batch?.order ?? 0), 0);
    resume(lane, 1);
    expect(send(lane)).toEqual([1]);
    acknowledge(lane, first(lane), 1n, 0);
    // The broker remembers 3 until something after 7 is appended.
    expect(send(lane)).toEqual([3, 6, 7]);
  });

  it('detects lost acknowledged records by their offsets', () => {
    const lane = laneOf(2, 2, 2);
    send(lane);
    expect(acknowledge(lane, first(lane), 10n, 0)).toBeUndefined();
    send(lane);
    const [second, third] = lane.inFlight as [Batch, Batch];
    giveBack(lane, second, again);
    expect(acknowledge(lane, third, 14n, 0)).toBeUndefined();
    resume(lane, 1);
    send(lane);
    // Before its successor it is a duplicate; below its predecessor it can only be if that was cut off.
    expect(acknowledge({ ...lane, acknowledged: structuredClone(lane.acknowledged) }, second, 12n, 0)).toBeUndefined();
    expect(acknowledge(lane, second, 11n, 0)).toBe(11n);
  });
});

describe('sequence numbers', () => {
  it('wrap to 0 after 2^31 - 1 in every comparison', () => {
    expect(sequenceAfter(0x7fffffff, 1)).toBe(0);
    expect(sequenceAfter(2, -3)).toBe(0x7fffffff);
    expect(sequenceDistance(0x7ffffffe, 3)).toBe(5);
    expect(sequenceDistance(3, 0x7ffffffe)).toBe(-5);
    const lane = createLane('foo', 0, 1);
    lane.nextSequence = 0x7ffffffe;
    fill(lane, 4, 1);
    expect(lane.queue.map(({ sequence }) => sequence)).toEqual([0x7ffffffe, 2]);
    expect(lane.queue[1]?.bytes.readInt32BE(53)).toBe(2);
    for (const batch of lane.queue) batch.isUncertain = true;
    const decide = (lastSequence: number) => decideRecovery(lane, 45, identity, { producerEpoch: 3, lastSequence });
    expect(decide(1)).toMatchObject({ kind: 'continue', written: [{ order: 0 }], gone: 0 });
    expect(decide(0x7ffffffd)).toMatchObject({ kind: 'continue', written: [], gone: 0 });
    expect(decide(0)).toEqual({ kind: 'undecided' });
  });
});

describe('a leader that has lost track of the producer', () => {
  /** Records 0 to 9 are acknowledged, 10 and 11 uncertain, 12 and 13 were never sent. */
  function troubled(isUncertain = true): Lane {
    const lane = laneOf(10, 2, 2);
    send(lane);
    acknowledge(lane, first(lane), 0n, 0);
    const [uncertain] = lane.queue;
    if (uncertain !== undefined) uncertain.isUncertain = isUncertain;
    return lane;
  }
  const at = (lastSequence: number, producerEpoch = 3): Memory => ({ producerEpoch, lastSequence });

  it.each<[string, number, Memory, boolean, object]>([
    ['has the uncertain batch', 45, at(11), true, { kind: 'continue', written: [{ sequence: 10 }], gone: 0 }],
    ['does not have it', 45, at(9), true, { kind: 'continue', written: [], gone: 0 }],
    ['has lost three acknowledged records', 45, at(6), true, { kind: 'renumber', written: [], gone: 3 }],
    ['has lost them, nothing is uncertain', 45, at(6), false, { kind: 'renumber', written: [], gone: 3 }],
    ['claims what was never sent', 45, at(13), true, { kind: 'undecided' }],
    ['claims half a batch', 45, at(10), true, { kind: 'undecided' }],
    ['has lost all of it', 45, 'unknown', true, { kind: 'renumber', gone: 10 }],
    ['knows an epoch of long ago', 45, at(4, 2), true, { kind: 'renumber', gone: 10 }],
    ['knows a later epoch', 47, at(4, 4), true, { kind: 'undecided' }],
    ['knows a later epoch, nothing is uncertain', 47, 'unavailable', false, { kind: 'renumber' }],
    ['contradicts itself', 47, 'unknown', true, { kind: 'undecided' }],
    ['cannot be asked', 45, 'unavailable', true, { kind: 'undecided' }],
    ['cannot be asked, nothing is uncertain', 45, 'unavailable', false, { kind: 'renumber', gone: undefined }],
    ['has forgotten it', 59, 'unknown', true, { kind: 'undecided' }],
    ['has forgotten it, nothing is uncertain', 59, 'unknown', false, { kind: 'renumber', gone: undefined }],
  ])('that %s', (...[, code, memory, isUncertain, expected]) => {
    expect(decideRecovery(troubled(isUncertain), code, identity, memory)).toMatchObject(expected);
  });

  it('and accepts a later batch before it forgets an earlier one leaves no order to keep', () => {
    const lane = troubled(false);
    lane.acknowledged.lastSequence = 13;
    expect(decideRecovery(lane, 59, identity, 'unknown')).toEqual({ kind: 'undecided' });
  });
});
