import { describe, expect, it } from 'vitest';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { createVirtualClock, type VirtualClock } from '../../../simulation/virtual-clock.ts';
import { type FakeClient, fakeClient, produceBy } from './fake-client.ts';

/** Records of 20,000 bytes, one every 200 ms: three to a partition, then another one is chosen. */
async function* steadily(clock: VirtualClock, untilMs: number, key = ''): AsyncGenerator<Buffer> {
  for (let record = 0; clock.now() < untilMs; record += 1) {
    yield Buffer.from(`${key}${`${record} `.padEnd(20_000, 'x')}\n`);
    await clock.sleep(200);
  }
}

/** The partitions that got records between two moments. */
function partitionsOf(times: readonly (readonly [number, number])[], from: number, to: number): number[] {
  return [...new Set(times.filter(([at]) => at >= from && at < to).map(([, partition]) => partition))].sort();
}

/** A client with the current leaders, and the time of each batch by partition. */
function observed(leadersAt: (now: number) => readonly number[]) {
  const clock = createVirtualClock(1);
  const times: [number, number][] = [];
  const client: FakeClient = fakeClient(clock, {
    leaders: () => leadersAt(clock.now()),
    produce({ partition }) {
      if ((leadersAt(clock.now())[partition] ?? -1) < 0) return { code: 6 };
      times.push([clock.now(), partition]);
      return { base: times.length };
    },
  });
  return { clock, client, times };
}

const large = { maxMessageBytes: 1_000_000, report: undefined };

describe('records without a key', () => {
  it('leave a partition that has lost its leader, and come back when it has one again', async () => {
    const { clock, client, times } = observed((now) => (now > 10_000 && now < 60_000 ? [1, -1, 1] : [1, 1, 1]));
    const input = steadily(clock, 100_000);
    const { error } = await produceBy(client, [], { ...large, input, deliveryTimeoutMs: 80_000 });
    expect(error).toBeUndefined();
    expect(partitionsOf(times, 0, 10_000)).toEqual([0, 1, 2]);
    expect(partitionsOf(times, 10_000, 60_000)).toEqual([0, 2]);
    expect(partitionsOf(times, 66_000, 100_000)).toEqual([0, 1, 2]);
    // The few records already assigned to it wait, the others do not.
    expect(times.filter(([at]) => at > 12_000 && at < 60_000).length).toBeGreaterThan(200);
  });

  it('reach added partitions, which are looked up every five minutes', async () => {
    const { clock, client, times } = observed((now) => (now < 60_000 ? [1, 1] : [1, 1, 1, 1]));
    const { error } = await produceBy(client, [], { ...large, input: steadily(clock, 400_000) });
    expect(error).toBeUndefined();
    expect(partitionsOf(times, 0, 299_000)).toEqual([0, 1]);
    expect(partitionsOf(times, 301_000, 400_000)).toEqual([0, 1, 2, 3]);
    expect(client.looks()).toBe(2);
  });
});

describe('records with a key', () => {
  it('stay with their partition while it has no leader', async () => {
    const { clock, client, times } = observed((now) => (now > 1_000 && now < 8_000 ? [-1, -1] : [1, 1]));
    const input = steadily(clock, 5_000, 'k,');
    const { error } = await produceBy(client, [], { ...large, input, parser: compileParser('%k,%v\\n') });
    expect(error).toBeUndefined();
    expect(partitionsOf(times, 0, 20_000)).toHaveLength(1);
    expect(partitionsOf(times, 1_000, 8_000)).toEqual([]);
  });
});
