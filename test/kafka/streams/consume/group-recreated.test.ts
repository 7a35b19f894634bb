import { describe, expect, it } from 'vitest';
import { print, groupScene as scene, shown } from './group-scene.ts';

const commit = { commit: true, discovery: false };
const nothing = { commit: false, discovery: false };

describe('commits', () => {
  it('for a topic that was deleted and created again do not become those of the new one, which is read from its start', async () => {
    const { source, clock, offsets, warnings, ids, of } = await scene({ t: 1 });
    print(await source.open(), 't/0', 841n);
    ids.set('t', 't-2');
    await source.tick(commit);
    await clock.runFor(100);
    expect({ offsets, requests: of('OffsetCommit').length }).toEqual({ offsets: new Map(), requests: 0 });
    const positions = (await source.tick(nothing)) ?? [];
    expect(shown(positions)).toEqual(['t/0:0']);
    expect(warnings).toEqual(['topic "t" was deleted and created again: reading starts over at its beginning']);
    // A commit for the deleted topic may have arrived late.
    await source.tick(commit);
    await clock.runFor(100);
    expect(offsets.get('t/0')).toBe(0n);
  });
});
