import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignPartitions, groupByTopic } from '../../../../src/kafka/streams/groups/assignors.ts';
import { balancers } from '../../../../src/kafka/streams/groups/balancer-words.ts';
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  type GroupMember,
  type TopicPartitions,
} from '../../../../src/kafka/streams/groups/subscription.ts';

function member(
  memberId: string,
  topics: readonly string[],
  more: { owned?: readonly TopicPartitions[]; generation?: number; instanceId?: string } = {},
): GroupMember {
  const { owned = [], generation = -1, instanceId } = more;
  return { memberId, instanceId, subscription: { topics, owned, generation } };
}

function share(topic: string, ...partitions: number[]): TopicPartitions {
  return { topic, partitions };
}

const counts = new Map([
  ['a', 3],
  ['b', 3],
]);

describe('assignors', () => {
  it('range gives neighbouring partitions per topic, the first members one more', () => {
    const shares = assignPartitions('range', [member('m2', ['a', 'b']), member('m1', ['a', 'b'])], counts);
    expect(shares.get('m1')).toEqual([share('a', 0, 1), share('b', 0, 1)]);
    expect(shares.get('m2')).toEqual([share('a', 2), share('b', 2)]);
  });

  it('roundrobin deals out all partitions in one sequence', () => {
    const shares = assignPartitions('roundrobin', [member('m1', ['a', 'b']), member('m2', ['a', 'b'])], counts);
    expect(shares.get('m1')).toEqual([share('a', 0, 2), share('b', 1)]);
    expect(shares.get('m2')).toEqual([share('a', 1), share('b', 0, 2)]);
  });

  it('roundrobin skips members that are not subscribed', () => {
    const shares = assignPartitions('roundrobin', [member('m1', ['a']), member('m2', ['b'])], counts);
    expect(shares.get('m1')).toEqual([share('a', 0, 1, 2)]);
    expect(shares.get('m2')).toEqual([share('b', 0, 1, 2)]);
  });

  it('static members come first, by instance id', () => {
    const members = [member('a', ['a']), member('z', ['a'], { instanceId: 'i' })];
    expect(assignPartitions('range', members, counts).get('z')).toEqual([share('a', 0, 1)]);
  });

  it('sticky gives a partition without an owner to the first of the least loaded members', () => {
    const members = ['m1', 'm2', 'm3'].map((name) => member(name, ['a', 'b']));
    const shares = assignPartitions('sticky', members, new Map([['a', 4]]));
    expect(shares.get('m1')).toEqual([share('a', 0, 3)]);
    expect(shares.get('m2')).toEqual([share('a', 1)]);
    expect(shares.get('m3')).toEqual([share('a', 2)]);
  });

  it('sticky moves only what balance requires', () => {
    const members = [
      member('m1', ['a', 'b'], { owned: [share('a', 0, 1, 2), share('b', 0, 1, 2)], generation: 4 }),
      member('m2', ['a', 'b']),
    ];
    const shares = assignPartitions('sticky', members, counts);
    expect(shares.get('m1')?.flatMap((item) => item.partitions)).toHaveLength(3);
    expect(shares.get('m2')?.flatMap((item) => item.partitions)).toHaveLength(3);
  });

  it.each(['sticky', 'cooperative-sticky'] as const)('%s takes a topic from a member that gave it up', (balancer) => {
    const members = [
      member('m1', ['b'], { owned: [share('a', 0, 1, 2), share('b', 0, 1, 2)], generation: 4 }),
      member('m2', ['a', 'b']),
    ];
    const shares = assignPartitions(balancer, members, counts);
    expect(shares.get('m1')).toEqual([share('b', 0, 1, 2)]);
    expect(shares.get('m2')).toEqual(balancer === 'sticky' ? [share('a', 0, 1, 2)] : []);
  });

  it('sticky trusts the later generation when two members claim a partition', () => {
    const members = [
      member('m1', ['a'], { owned: [share('a', 0, 1)], generation: 3 }),
      member('m2', ['a'], { owned: [share('a', 1, 2)], generation: 4 }),
    ];
    expect(assignPartitions('sticky', members, counts).get('m2')).toEqual([share('a', 1, 2)]);
  });

  it('cooperative-sticky withholds what its old owner must give up first, then assigns it', () => {
    const before = [member('m1', ['a'], { owned: [share('a', 0, 1, 2)], generation: 1 }), member('m2', ['a'])];
    const first = assignPartitions('cooperative-sticky', before, counts);
    expect(first.get('m1')).toEqual([share('a', 0, 1)]);
    expect(first.get('m2')).toEqual([]);
    const after = [member('m1', ['a'], { owned: [share('a', 0, 1)], generation: 2 }), member('m2', ['a'])];
    expect(assignPartitions('cooperative-sticky', after, counts).get('m2')).toEqual([share('a', 2)]);
  });

  it('topics that do not exist are omitted', () => {
    for (const balancer of balancers) {
      expect(assignPartitions(balancer, [member('m1', ['gone'])], counts).get('m1')).toEqual([]);
    }
  });

  it('every assignor gives every subscribed partition to exactly one subscriber', () => {
    const topics = ['t0', 't1', 't2', 't3'];
    const scenario = fc.record({
      sizes: fc.tuple(...topics.map(() => fc.integer({ min: 1, max: 7 }))),
      subscriptions: fc.array(fc.subarray(topics, { minLength: 1 }), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(scenario, fc.constantFrom(...balancers), ({ sizes, subscriptions }, balancer) => {
        const partitionCounts = new Map(topics.map((topic, index) => [topic, sizes[index] ?? 1]));
        const members = subscriptions.map((names, index) => member(`m${index}`, names));
        const shares = assignPartitions(balancer, members, partitionCounts);
        const given = [...shares].flatMap(([id, items]) =>
          items.flatMap((item) => item.partitions.map((partition) => ({ id, topic: item.topic, partition }))),
        );
        const wanted = [...new Set(subscriptions.flat())].flatMap((topic) =>
          Array.from({ length: partitionCounts.get(topic) ?? 0 }, (_, partition) => `${topic}/${partition}`),
        );
        expect(given.map((item) => `${item.topic}/${item.partition}`).sort()).toEqual(wanted.sort());
        for (const item of given) {
          expect(members.find(({ memberId }) => memberId === item.id)?.subscription.topics).toContain(item.topic);
        }
      }),
    );
  });
});

it('shares are grouped by topic, with topics and partitions in order', () => {
  const items = [10, 9, 2].flatMap((partition) => ['b', 'a'].map((topic) => ({ topic, partition })));
  expect(groupByTopic(items)).toEqual([share('a', 2, 9, 10), share('b', 2, 9, 10)]);
});

describe('group metadata', () => {
  it('writes a subscription as the Java client does, with owned partitions and generation', () => {
    const bytes = encodeSubscription({ topics: ['foo'], owned: [share('foo', 1)], generation: 7 }, 'range');
    expect(bytes.toString('hex')).toBe(
      [
        '0003',
        '00000001',
        '0003666f6f',
        'ffffffff',
        '00000001',
        '0003666f6f',
        '0000000100000001',
        '00000007',
        'ffff',
      ].join(''),
    );
    expect(decodeSubscription(bytes)).toEqual({ topics: ['foo'], owned: [share('foo', 1)], generation: 7 });
  });

  it('reads a subscription of version 0', () => {
    const bytes = Buffer.from('0000000000010003666f6fffffffff', 'hex');
    expect(decodeSubscription(bytes)).toEqual({ topics: ['foo'], owned: [], generation: -1 });
  });

  it('reads the generation from the user data of a cooperative-sticky member of version 1', () => {
    // Version 1, topics [foo], user data of 4 bytes (generation 9), owned [foo: 1].
    const bytes = Buffer.from('0001000000010003666f6f000000040000000900000001' + '0003666f6f0000000100000001', 'hex');
    expect(decodeSubscription(bytes)).toEqual({ topics: ['foo'], owned: [share('foo', 1)], generation: 9 });
  });

  it('reads what a sticky member owns from its user data', () => {
    const bytes = encodeSubscription({ topics: ['foo'], owned: [share('foo', 1)], generation: 7 }, 'sticky');
    const withoutOwned = Buffer.concat([
      bytes.subarray(0, bytes.length - 23),
      Buffer.from('00000000ffffffffffff', 'hex'),
    ]);
    expect(decodeSubscription(withoutOwned)).toEqual({ topics: ['foo'], owned: [share('foo', 1)], generation: 7 });
  });

  it('writes and reads an assignment', () => {
    const bytes = encodeAssignment([share('foo', 0, 2)]);
    expect(bytes.toString('hex')).toBe('0000000000010003666f6f000000020000000000000002ffffffff');
    expect(decodeAssignment(bytes)).toEqual([share('foo', 0, 2)]);
    expect(decodeAssignment(Buffer.alloc(0))).toEqual([]);
  });
});
