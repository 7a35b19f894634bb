import { describe, expect, it } from 'vitest';
import { type Placed, place, type Site } from '../../../../../src/kafka/cluster/topics/reassignment/placement.ts';

const sites = (...racks: readonly (string | undefined)[]): Site[] =>
  racks.map((rack, at) => ({ broker: at + 1, rack }));
const parts = (...replicas: readonly (readonly number[])[]): Placed[] =>
  replicas.map((brokers, partition) => ({ topic: 't', partition, replicas: brokers }));
const same = { replicas: undefined, racks: true };
const replicasOf = (placed: readonly Placed[]) => placed.map(({ replicas }) => replicas);

describe('a placement', () => {
  it('changes nothing that is balanced', () => {
    const current = parts([1, 2], [2, 3], [3, 1]);
    expect(place(current, sites('a', 'b', 'c'), same)).toEqual(current);
  });

  it('moves only the replicas of a broker that goes', () => {
    expect(replicasOf(place(parts([1, 2], [2, 3], [3, 1]), sites('a', 'b'), same))).toEqual([
      [1, 2],
      [2, 1],
      [1, 2],
    ]);
  });

  it('fills a new broker with its share, and makes it lead its share', () => {
    const placed = place(parts([1, 2], [2, 1], [1, 2], [2, 1]), sites('a', 'b', 'c'), { ...same, racks: false });
    const all = replicasOf(placed).flat();
    const counts = [1, 2, 3].map((broker) => all.filter((one) => one === broker).length);
    expect(counts.toSorted()).toEqual([2, 3, 3]);
  });

  it('spreads the replicas of a partition over racks', () => {
    expect(replicasOf(place(parts([1, 2]), sites('a', 'a', 'b'), same))).toEqual([[1, 3]]);
    expect(replicasOf(place(parts([1, 2]), sites('a', 'a', 'b'), { ...same, racks: false }))).toEqual([[1, 2]]);
    // One broker without a rack: racks cannot count.
    expect(replicasOf(place(parts([1, 2]), sites('a', 'a', undefined), same))).toEqual([[1, 2]]);
  });

  it('adds replicas in new racks and on empty brokers, and removes them without losing a rack or the leader', () => {
    const more = place(parts([1], [1]), sites('a', 'a', 'b', 'c'), { replicas: 3, racks: true });
    for (const { replicas } of more) expect([...replicas].sort()).toEqual(expect.arrayContaining([3, 4]));
    const fewer = place(parts([1, 2, 3]), sites('a', 'a', 'b'), { replicas: 2, racks: true });
    expect(replicasOf(fewer)).toEqual([[1, 3]]);
  });

  it('looks at each of 100,000 partitions a few times', () => {
    let looks = 0;
    class Counted extends Array<number> {
      override includes(broker: number): boolean {
        looks += 1;
        return super.includes(broker);
      }
    }
    const current = Array.from({ length: 100_000 }, (_, partition) => {
      return { topic: 't', partition, replicas: Counted.from([1, 2, 3]) };
    });
    const placed = place(current, sites(...new Array<undefined>(6).fill(undefined)), same);
    const held = (broker: number) => placed.filter(({ replicas }) => replicas.some((one) => one === broker)).length;
    expect([1, 2, 3, 4, 5, 6].map(held)).toEqual(new Array(6).fill(50_000));
    expect(looks / current.length).toBeLessThan(100);
  });

  it('moves replicas of many partitions over racks without looking at each of them for every move', () => {
    let looks = 0;
    const sites = Array.from({ length: 12 }, (_, at) => ({
      broker: at,
      get rack() {
        looks += 1;
        return `r${at % 3}`;
      },
    }));
    const partitions = Array.from({ length: 5_000 }, (_, at) => ({
      ...{ topic: 't', partition: at },
      replicas: [at % 3, (at + 1) % 3, (at + 2) % 3],
    }));
    const placed = place(partitions, sites, { replicas: undefined, racks: true });
    const loads = sites.map(({ broker }) => placed.filter(({ replicas }) => replicas.includes(broker)).length);
    expect(new Set(loads)).toEqual(new Set([1_250]));
    expect(looks / partitions.length).toBeLessThan(400);
  });
});
