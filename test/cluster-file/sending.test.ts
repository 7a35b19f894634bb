import { expect, test, vi } from 'vitest';
import { topics } from '../../src/cluster-file/kinds/topics.ts';
import { applyPlan } from '../../src/cluster-file/plan/application.ts';
import { checkedPlan, type PlannedChange, scopeOf } from '../../src/cluster-file/plan/plan.ts';
import type { Context, StopCause } from '../../src/context.ts';
import { unreachableError, usageError } from '../../src/errors.ts';

const options = { prune: false, strict: false, force: false, rotate: [], allow: [] };

/** What a request for topics does: it answers, fails, or is never answered. */
type Request = (names: readonly string[]) => Promise<void>;

/** A plan that creates three topics, with a request for each because of their size. */
function world(request: Request) {
  const stops = new Set<(cause: StopCause) => unknown>();
  const warn = vi.fn();
  const asked: string[] = [];
  const create = async ({ topics: list }: { topics: readonly { topic: string }[] }) => {
    const names = list.map(({ topic }) => topic);
    asked.push(names.join());
    await request(names);
    return names.map((topic) => ({ topic, ignored: [], error: null }));
  };
  const kafka = {
    createTopics: create,
    validateTopics: create,
    describeTopics: async () => [],
    isRedpanda: async () => false,
    clusterInfo: async () => ({ brokers: [{}] }),
  };
  const context = {
    kafka: async () => kafka,
    signal: new AbortController().signal,
    warn,
    onStop(listener: (cause: StopCause) => unknown) {
      stops.add(listener);
      return () => stops.delete(listener);
    },
  } as unknown as Context;
  const entries = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { partitions: 8000 }]));
  const scope = scopeOf(topics, { sections: { topics: entries }, defaults: {}, owns: {} } as never);
  const existing = { topics: new Map() };
  const by = { kind: topics, scope, existing, options };
  const plan: PlannedChange[] = topics.compare(scope, existing, options).map((change) => ({ ...change, by }));
  const stop = (cause: StopCause) => {
    for (const listener of stops) listener(cause);
  };
  return { context, plan, asked, warn, stop };
}

/** What became of the topics when the request for `b` does something. */
async function applied(atB: (stop: (cause: StopCause) => void) => Promise<void>) {
  const { context, plan, asked, stop } = world(async ([name]) => {
    if (name === 'b') await atB(stop);
  });
  const outcomes = await applyPlan(context, plan);
  return { asked, errors: outcomes.map(({ error }) => error && `${error.exit_code} ${error.code}: ${error.message}`) };
}

test('after brokers cannot be reached, what was answered is done, and the rest has the reason', async () => {
  expect(await applied(() => Promise.reject(unreachableError('refused', { code: 'REFUSED' })))).toEqual({
    asked: ['a', 'b'],
    errors: [null, '5 REFUSED: refused', '5 NOT_CHANGED: not changed: refused'],
  });
});

test('after a signal, the request that is on its way is the last', async () => {
  expect(await applied(async (stop) => stop('signal'))).toEqual({
    asked: ['a', 'b'],
    errors: [null, null, '130 NOT_CHANGED: not changed: the command was stopped'],
  });
});

test('a timeout does not wait for the answer', async () => {
  const { errors } = await applied((stop) => {
    stop('timeout');
    return new Promise(() => {});
  });
  expect(errors).toEqual([
    null,
    '5 COMMAND_TIMEOUT: there was no answer before the command timed out; it may have been done',
    '5 NOT_CHANGED: not changed: the command timed out',
  ]);
});

test('the cluster checks the same parts, and a check that fails blocks nothing', async () => {
  const { context, plan, asked, warn } = world(async ([name]) => {
    if (name === 'b') throw usageError('the version is too old');
  });
  expect((await checkedPlan(context, plan)).map(({ action }) => action)).toEqual(['create', 'create', 'create']);
  expect(asked).toEqual(['a', 'b', 'c']);
  expect(warn).toHaveBeenCalledExactlyOnceWith('the cluster could not check all changes: the version is too old');
  const lost = world(() => Promise.reject(unreachableError('refused', { code: 'REFUSED' })));
  await expect(checkedPlan(lost.context, lost.plan)).rejects.toThrow('refused');
});
