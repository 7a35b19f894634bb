import { describe, expect, it } from 'vitest';
import type { GroupMembershipRequest } from '../../../src/kafka/consume/request.ts';
import { type Consuming, startConsume } from '../../simulation/consuming.ts';
import { runProduce } from '../../simulation/producing.ts';
import { createWorld, type World } from '../../simulation/world.ts';

const records = 60_000;

/** A broker with many records in two partitions, all of which come with one answer. */
async function filledWorld(): Promise<World> {
  const world = createWorld({ seed: 1, brokerCount: 1, latencyMs: 1, settings: {} });
  world.cluster.control.createTopic({ name: 't', partitions: 2, replicas: 1 });
  const plan = { acks: -1, compression: 'none', deliveryTimeoutMs: undefined, maxMessageBytes: 1 << 20 } as const;
  const more = { topic: 't', records, hasKeys: false, burst: records, pauseMs: 0 };
  await world.clock.runUntil(runProduce(world, world.openClient('p', {}), { ...plan, ...more }), 600_000);
  return world;
}

function startMember(world: World, name: string, protocol: 'classic' | 'consumer', readerMs: number): Consuming {
  const group: GroupMembershipRequest = {
    ...{ name: 'g', instanceId: undefined, protocol, balancers: ['range'], assignor: undefined },
  };
  return startConsume(world, world.openClient(name, {}), {
    ...{ topic: 't', isRegex: false, sideTopic: undefined },
    ...{ range: 'start', group, readerMs, stall: undefined, startsAt: 0 },
    ...{ readCommitted: false, rack: '' },
    ...{ fetchMaxBytes: 50 << 20, fetchMaxPartitionBytes: 50 << 20, fetchMaxWaitMs: 500 },
    ...{ stall: undefined, sideTopic: undefined },
  });
}

describe.each(['classic', 'consumer'] as const)('a member of the %s protocol whose reader is slow', (protocol) => {
  it('shares its partitions in the middle of an answer, and nothing is printed twice', async () => {
    const world = await filledWorld();
    const { clock } = world;
    const slow = startMember(world, 'slow', protocol, 60_000);
    while (slow.printed.length === 0) await clock.runFor(1_000);
    const before = slow.printed.length;
    const quick = startMember(world, 'quick', protocol, 0);
    await clock.runFor(60_000);
    expect(before).toBeLessThan(records);
    expect(quick.printed.length).toBeGreaterThan(0);
    await clock.runFor(600_000);
    const offsets = [...slow.printed, ...quick.printed].map(({ partition, offset }) => `${partition}/${offset}`);
    expect({ printed: offsets.length, different: new Set(offsets).size }).toEqual({
      printed: records,
      different: records,
    });
    for (const member of [slow, quick]) {
      member.stop();
      await clock.runUntil(member.ended, 60_000);
      expect(member.error).toBeUndefined();
    }
  });
});
