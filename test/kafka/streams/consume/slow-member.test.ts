import { describe, expect, it } from 'vitest';
import type { GroupMembershipRequest } from '../../../../src/kafka/streams/consume/request.ts';
import { type ConsumePlan, type Consuming, startConsume } from '../../../simulation/consuming.ts';
import { runProduce } from '../../../simulation/producing.ts';
import { createWorld, type World } from '../../../simulation/world.ts';

const many = 60_000;
const few = 6_000;

/** A broker with so many records in two partitions, all of which can come with one answer. */
async function filledWorld(records: number, maxMessageBytes = 1 << 20): Promise<World> {
  const world = createWorld({ seed: 1, brokerCount: 1, latencyMs: 1, settings: {} });
  world.cluster.control.createTopic({ name: 't', partitions: 2, replicas: 1 });
  const plan = { acks: -1, compression: 'none', deliveryTimeoutMs: undefined, maxMessageBytes } as const;
  const more = { topic: 't', records, hasKeys: false, burst: records, pauseMs: 0 };
  await world.clock.runUntil(runProduce(world, world.openClient('p', {}), { ...plan, ...more }), 600_000);
  return world;
}

interface Reader {
  readonly protocol: 'classic' | 'consumer';
  readonly readerMs: number;
  readonly stall?: ConsumePlan['stall'];
  /** Of an answer. */
  readonly bytes?: number;
}

function startMember(world: World, name: string, reader: Reader): Consuming {
  const { protocol, readerMs, stall, bytes = 50 << 20 } = reader;
  const group: GroupMembershipRequest = {
    ...{ name: 'g', instanceId: undefined, protocol, balancers: ['range'], assignor: undefined },
  };
  return startConsume(world, world.openClient(name, {}), {
    ...{ topic: 't', isRegex: false, sideTopic: undefined, range: 'start', startsAt: 0 },
    ...{ group, readerMs, stall, readCommitted: false, rack: '' },
    ...{ fetchMaxBytes: bytes, fetchMaxPartitionBytes: bytes, fetchMaxWaitMs: 500 },
  });
}

describe.each(['classic', 'consumer'] as const)('a member of the %s protocol whose reader is slow', (protocol) => {
  it('shares its partitions in the middle of an answer, and nothing is printed twice', async () => {
    const world = await filledWorld(many);
    const { clock } = world;
    const slow = startMember(world, 'slow', { protocol, readerMs: 60_000 });
    while (slow.printed.length === 0) await clock.runFor(1_000);
    const before = slow.printed.length;
    const quick = startMember(world, 'quick', { protocol, readerMs: 0 });
    await clock.runFor(60_000);
    expect(before).toBeLessThan(many);
    expect(quick.printed.length).toBeGreaterThan(0);
    await clock.runFor(600_000);
    const offsets = [...slow.printed, ...quick.printed].map(({ partition, offset }) => `${partition}/${offset}`);
    expect({ printed: offsets.length, different: new Set(offsets).size }).toEqual({
      printed: many,
      different: many,
    });
    for (const member of [slow, quick]) {
      member.stop();
      await clock.runUntil(member.ended, 60_000);
      expect(member.error).toBeUndefined();
    }
  });

  it.each([
    ['takes nothing any more', 600_000],
    ['takes the last piece a moment later', 2_000],
  ])('commits what was printed when it is stopped, although the reader %s', async (_how, forMs) => {
    const world = await filledWorld(few, 1_000);
    const { clock } = world;
    const at = protocol === 'classic' ? 3_500 : 500;
    const first = startMember(world, 'first', { protocol, readerMs: 50, stall: { at, forMs }, bytes: 1 });
    await clock.runFor(at + 500);
    const before = first.printed.length;
    const startedAt = clock.now();
    first.stop();
    await clock.runUntil(first.ended, 10_000);
    expect(clock.now() - startedAt).toBeLessThan(4_500);
    const next = startMember(world, 'next', { protocol, readerMs: 0 });
    await clock.runFor(60_000);
    expect(before).toBeGreaterThan(100);
    expect(before).toBeLessThan(few / 2);
    const offsets = [...first.printed, ...next.printed].map(({ partition, offset }) => `${partition}/${offset}`);
    expect({ printed: offsets.length, different: new Set(offsets).size }).toEqual({
      printed: few,
      different: few,
    });
    next.stop();
    await clock.runUntil(next.ended, 60_000);
  });
});
