import { describe, expect, test } from 'vitest';
import { type NameSource, namesNow, refreshNames } from '../../../src/commands/complete/live-names.ts';
import type { KnownNames } from '../../../src/commands/complete/name-cache.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';

type Answer = readonly string[] | 'fails' | 'never' | 'not asked';

/** A cluster and a cache in virtual time. */
function stage(answer: Answer = [], takesMs = 20) {
  const clock = createVirtualClock();
  const counts = { asked: 0, refreshes: 0 };
  const state = {
    answer,
    kept: undefined as KnownNames | undefined,
    isRefreshing: false,
    writes: true,
  };
  const source: NameSource = {
    clock,
    cache: {
      read: () => state.kept,
      async write(known) {
        if (!state.writes) throw new Error('read-only');
        state.kept = known;
      },
      isRefreshing: async () => state.isRefreshing,
    },
    async ask() {
      counts.asked += 1;
      if (state.answer === 'not asked') return undefined;
      if (state.answer === 'never') return await new Promise(() => undefined);
      await clock.sleep(takesMs);
      if (state.answer === 'fails') throw new Error('no broker');
      return state.answer;
    },
    startRefresh() {
      counts.refreshes += 1;
    },
  };
  const known = (names: readonly string[], ageMs: number): KnownNames => {
    return { names, readAt: clock.wallTime() - ageMs, failedAt: undefined };
  };
  return {
    clock,
    state,
    counts,
    known,
    now: (leftMs = 130) => clock.runUntil(namesNow(source, leftMs)),
    refresh: (leftMs = 4_800) => clock.runUntil(refreshNames(source, leftMs)),
  };
}

describe('names for a shell', () => {
  test('come from the cluster without a cache, and are kept', async () => {
    const { now, state, clock, counts } = stage(['a', 'b']);
    expect(await now()).toEqual(['a', 'b']);
    expect(state.kept).toEqual({ names: ['a', 'b'], readAt: clock.wallTime(), failedAt: undefined });
    expect(counts).toEqual({ asked: 1, refreshes: 0 });
  });

  test.each([0, 10_000])('come from a cache of %i ms alone', async (age) => {
    const { now, state, clock, counts, known } = stage(['new']);
    state.kept = known(['a'], age);
    expect(await now()).toEqual(['a']);
    expect([clock.now(), counts]).toEqual([0, { asked: 0, refreshes: 0 }]);
  });

  test('come at once from an older cache, which is refreshed in the background', async () => {
    const { now, state, clock, counts, known } = stage(['new']);
    state.kept = known(['a'], 10_001);
    expect(await now()).toEqual(['a']);
    expect([clock.now(), counts]).toEqual([0, { asked: 0, refreshes: 1 }]);
  });

  test('come from an older cache without a second refresh while one is running', async () => {
    const { now, state, counts, known } = stage();
    state.kept = known(['a'], 60_000);
    state.isRefreshing = true;
    expect(await now()).toEqual(['a']);
    expect(counts.refreshes).toBe(0);
  });

  test.each([7 * 24 * 3_600_000 + 1, -1])('do not come from a cache of %i ms', async (age) => {
    const { now, state, counts, known } = stage(['new']);
    state.kept = known(['a'], age);
    expect(await now()).toEqual(['new']);
    expect(counts.asked).toBe(1);
  });

  test('are none at the deadline, and a refresh is left for the next time', async () => {
    const { now, state, clock, counts } = stage('never');
    expect(await now(130)).toEqual([]);
    expect([clock.now(), counts, state.kept]).toEqual([130, { asked: 1, refreshes: 1 }, undefined]);
  });

  test('are not asked for if there is no time left', async () => {
    const { now, clock, counts } = stage(['a']);
    expect(await now(-40)).toEqual([]);
    expect([clock.now(), counts]).toEqual([0, { asked: 0, refreshes: 1 }]);
  });

  test('of a dead cluster cost nothing until it may be asked again', async () => {
    const { now, clock, counts, state } = stage('fails');
    expect(await now()).toEqual([]);
    await clock.runFor(10_000);
    expect(await now()).toEqual([]);
    expect(counts).toEqual({ asked: 1, refreshes: 0 });
    state.answer = ['a'];
    await clock.runFor(1);
    expect(await now()).toEqual(['a']);
  });

  test('of a dead cluster come from an old cache, and no refresh is started before it may be asked again', async () => {
    const { now, clock, counts, state, known } = stage();
    state.kept = { ...known(['a'], 60_000), failedAt: clock.wallTime() - 10_000 };
    expect(await now()).toEqual(['a']);
    expect(counts.refreshes).toBe(0);
    await clock.runFor(1);
    expect(await now()).toEqual(['a']);
    expect(counts.refreshes).toBe(1);
  });

  test('are waited for, and not asked for, while a refresh is running', async () => {
    const { now, clock, counts, state, known } = stage(['no']);
    state.isRefreshing = true;
    clock.after(45, () => {
      state.kept = known(['a'], 0);
    });
    expect(await now()).toEqual(['a']);
    expect([clock.now(), counts]).toEqual([50, { asked: 0, refreshes: 0 }]);
  });

  test('are none if a running refresh fails or takes too long', async () => {
    const { now, clock, counts, state } = stage();
    state.isRefreshing = true;
    expect(await now()).toEqual([]);
    expect(clock.now()).toBe(120);
    clock.after(15, () => {
      state.kept = { names: [], readAt: undefined, failedAt: clock.wallTime() };
    });
    expect(await now()).toEqual([]);
    expect([clock.now(), counts]).toEqual([140, { asked: 0, refreshes: 0 }]);
  });

  test('are none and no failure is remembered if the cluster could not be asked', async () => {
    const { now, counts, state } = stage('not asked');
    expect(await now()).toEqual([]);
    expect([counts, state.kept]).toEqual([{ asked: 1, refreshes: 0 }, undefined]);
  });

  test('are offered although they cannot be kept', async () => {
    const { now, state } = stage(['a']);
    state.writes = false;
    expect(await now()).toEqual(['a']);
  });
});

describe('a refresh', () => {
  test('replaces old names and forgets a failure', async () => {
    const { refresh, state, clock, known } = stage(['new']);
    state.kept = { ...known(['a'], 60_000), failedAt: clock.wallTime() - 50_000 };
    await refresh();
    expect(state.kept).toEqual({ names: ['new'], readAt: clock.wallTime(), failedAt: undefined });
  });

  test('asks nothing if another process has just refreshed', async () => {
    const { refresh, state, counts, known } = stage(['new']);
    state.kept = known(['a'], 500);
    await refresh();
    expect([counts.asked, state.kept.names]).toEqual([0, ['a']]);
  });

  test.each(['fails', 'never'] as const)('that %s keeps the old names and remembers the failure', async (answer) => {
    const { refresh, state, clock, known } = stage(answer);
    const old = known(['a'], 60_000);
    state.kept = old;
    await refresh(4_800);
    expect(state.kept).toEqual({ ...old, failedAt: clock.wallTime() });
    expect(clock.now()).toBe(answer === 'never' ? 4_800 : 20);
  });

  test('that cannot ask changes nothing', async () => {
    const { refresh, state, known } = stage('not asked');
    const old = known(['a'], 60_000);
    state.kept = old;
    await refresh();
    expect(state.kept).toBe(old);
  });
});
