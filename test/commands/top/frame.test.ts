import { describe, expect, it, test } from 'vitest';
import { frame, pageRows, type Scene } from '../../../src/commands/top/frame.ts';
import { noHistory, withReading } from '../../../src/commands/top/history.ts';
import { afterKey, firstState, type TopState } from '../../../src/commands/top/state.ts';
import { width } from '../../../src/format/width.ts';
import { groupOf, overviewOf, topicOf } from './overview.ts';

const sizes = { '80x24': [80, 24], '60x20': [60, 20], '40x12': [40, 12], '200x50': [200, 50] } as const;

/** A scene after some readings, in which the lag grows. */
function sceneOf(keys: readonly string[] = [], parts: Partial<Scene> = {}, live: Partial<Scene['live']> = {}): Scene {
  const overview = overviewOf();
  const readings = Array.from({ length: 12 }, (_, at) =>
    overviewOf({
      record_rate: 100 * at,
      lag: BigInt(at * at),
      topics: overview.topics.map((topic, nth) => ({ ...topic, record_rate: (at * (nth + 3)) % 7 })),
      groups: overview.groups.map((group) => ({ ...group, lag: group.lag === null ? null : BigInt(at % 5) })),
    }),
  );
  const scene: Scene = {
    live: {
      title: 'profile "prod" (b1.example:9092)',
      overview,
      history: readings.reduce(withReading, noHistory),
      intervalMs: 2000,
      ageMs: 400,
      failure: undefined,
      ...live,
    },
    state: firstState('', false),
    size: { columns: 80, rows: 24 },
    color: false,
    unicode: true,
    ...parts,
  };
  return { ...scene, state: stateAfter(scene, keys) };
}

function stateAfter(scene: Scene, keys: readonly string[]): TopState {
  return keys.reduce((state, key) => {
    const next = afterKey(state, key, { overview: scene.live.overview, page: pageRows({ ...scene, state }) });
    if (next === 'quit') throw new Error(`${key} quits`);
    return next;
  }, scene.state);
}

const situations: Readonly<Record<string, Scene>> = {
  overview: sceneOf(),
  topics: sceneOf(['2', 'down', 'down']),
  groups: sceneOf(['3']),
  partitions: sceneOf(['4']),
  brokers: sceneOf(['5']),
  topic: sceneOf(['2', 'enter']),
  group: sceneOf(['3', 'enter']),
  stale: sceneOf(
    ['p'],
    {},
    { failure: 'unable to connect to broker 1 (b1.example:9092): connection refused', ageMs: 12_300 },
  ),
  help: sceneOf(['?']),
};

describe.each(Object.entries(sizes))('a screen of %s', (name, [columns, rows]) => {
  it.each(Object.entries(situations))('shows %s', async (situation, scene) => {
    const text = frame({ ...scene, size: { columns, rows } })
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
    await expect(text).toMatchFileSnapshot(`frames/${name}/${situation}.txt`);
  });
});

test('no frame has a line that is wider than its screen, or more lines', () => {
  const wrong: string[] = [];
  for (const [situation, scene] of Object.entries(situations)) {
    for (let columns = 1; columns <= 160; columns += columns < 20 ? 1 : 7) {
      for (const rows of [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 19, 20, 24, 60]) {
        const lines = frame({ ...scene, size: { columns, rows } });
        const widest = Math.max(0, ...lines.map(width));
        if (lines.length !== rows || widest > columns) wrong.push(`${situation} ${columns}x${rows}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('the views are named as long as there is room for all of them', () => {
  const tabs = frame(sceneOf()).find((line) => line.startsWith('[1 overview]')) ?? '';
  const hasTabs = (columns: number) => frame(sceneOf([], { size: { columns, rows: 24 } })).includes(tabs);
  expect([hasTabs(tabs.length), hasTabs(tabs.length - 1)]).toEqual([true, false]);
});

test('a terminal without UTF-8 gets ASCII except in names, and colors change no character', () => {
  for (const scene of Object.values(situations)) {
    const text = frame({ ...scene, unicode: false }).join('\n');
    expect(text.replaceAll('注文', '')).toMatch(/^[ -~\n]*$/);
    const colored = frame({ ...scene, color: true }).join('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences start with it
    expect(colored.replace(/\u001b\[[\d;]*m/g, '')).toBe(frame(scene).join('\n'));
  }
});

test('what is wrong is red', () => {
  const shown = (situation: string) => frame({ ...(situations[situation] ?? sceneOf()), color: true }).join('\n');
  expect(shown('partitions')).toContain('\u001b[31mclicks');
  expect(shown('overview')).toContain('\u001b[31mUNHEALTHY\u001b[39m');
  // The selected row is inverse as a whole.
  const [, inverse = ''] = /> (orders.*)/.exec(shown('partitions')) ?? [];
  expect(inverse.split('\u001b')).toEqual([expect.stringContaining(' stalled '), '[27m']);
  const error = { code: 'X', number: null, message: 'broken', retryable: false, exit_code: 1 };
  const live = { overview: overviewOf({ topics: [topicOf('fine'), topicOf('broken', { error })] }) };
  expect(frame(sceneOf(['2'], {}, live)).join('\n')).toMatch(/^>!broken /m);
});

test('names from the cluster cannot control the terminal', () => {
  const text = frame(sceneOf(['2', 'enter', 'escape', '/', 'b', 'a', 'd', 'enter'])).join('\n');
  expect(text).toContain('bad\\u001b[31m\\u202ename');
  expect([text.includes('\u001b'), text.includes('\u202e')]).toEqual([false, false]);
});

function screenAfter(...keys: readonly string[]): string {
  return frame(sceneOf(keys)).join('\n');
}

describe('keys', () => {
  it('select a row and keep it when the order changes', () => {
    expect(screenAfter('2', 'down')).toContain('> payments');
    expect(screenAfter('2', 'down', 's', 's', 'r')).toContain('> payments');
    expect(screenAfter('2', 'end')).toMatch(/^> quiet-39 /m);
    expect(screenAfter('2', 'end', 'home')).toContain('> orders');
    expect(screenAfter('2', 'page-down', 'page-down')).toMatch(/^> quiet-29 /m);
    expect(screenAfter('2', 'k')).toContain('> orders');
  });

  it('sort by each column in both directions', () => {
    expect(screenAfter('2', 's', 's', 's', 's')).toContain('TOPIC▲');
    expect(screenAfter('2', 's', 's', 's', 's', 'r')).toContain('TOPIC▼');
    expect(screenAfter('3', 'r')).toMatch(/^> reports .*\n.* billing .*\n.* idle /m);
  });

  it('sort topics by records while no sizes are known', () => {
    const topics = ['a', 'z'].map((topic, at) => topicOf(topic, { record_rate: at, byte_rate: null }));
    const shown = frame(sceneOf(['2'], {}, { overview: overviewOf({ topics }) })).join('\n');
    expect(shown).toMatch(/RECORDS\/S▼[\s\S]*^> z .*\n {2}a /m);
  });

  it('sort groups by their members', () => {
    const groups = [1, 3, 2].map((members) => groupOf(`g${members}`, { members, lag: BigInt(members % 3) }));
    const scene = sceneOf(
      ['3', ...'sssss'],
      { size: { columns: 200, rows: 24 } },
      { overview: overviewOf({ groups }) },
    );
    const text = frame(scene).join('\n');
    expect(text).toContain('MEMBERS▼');
    expect(text.match(/\bg\d/g)).toEqual(['g3', 'g2', 'g1']);
  });

  it('filter by a part of a name, in any case', () => {
    expect(screenAfter('2', '/', 'P', 'A', 'Y')).toContain('filter: PAY_');
    const kept = screenAfter('2', '/', 'P', 'A', 'Y', 'x', 'backspace', 'enter');
    expect([kept.includes('payments'), kept.includes('orders')]).toEqual([true, false]);
    expect(screenAfter('2', '/', '注', '😀')).toContain('filter: 注😀_');
    expect(screenAfter('2', '/', 'z', 'z')).toContain('no topics match the filter');
    expect(screenAfter('2', '/', 'z', 'z', 'escape')).toContain('orders');
    expect(screenAfter('2', '/', 'z', 'enter', 'escape')).toContain('orders');
    // The brokers have no such names: they stay.
    expect(screenAfter('2', '/', 'z', 'z', 'enter', '5')).not.toContain('no brokers');
  });

  it('say that no partition is behind', () => {
    const shown = frame(sceneOf(['4'], {}, { overview: overviewOf({ slowest_partitions: [] }) })).join('\n');
    expect(shown).toContain('no partitions behind');
  });

  it('open a topic or a group, and go back', () => {
    expect(screenAfter('2', 'enter')).toContain('topic orders');
    expect(screenAfter('4', 'enter')).toContain('group billing');
    expect(screenAfter('2', 'enter', 'end', 'escape', 'down', 'enter')).toMatch(/^topic payments$[^>]*^> 0 /m);
    expect(screenAfter('2', 'enter', 'escape')).not.toContain('topic orders');
    expect(screenAfter('5', 'enter')).toContain('[5 brokers]');
    expect(screenAfter('enter')).toContain('[2 topics]');
    const gone = sceneOf(['3', 'enter'], {}, {});
    const live = { ...gone.live, overview: overviewOf({ groups: [] }) };
    expect(frame({ ...gone, live }).join('\n')).toContain('group billing  is no longer there');
  });

  it('show internal topics when asked to', () => {
    expect(screenAfter('2', '/', '_', '_')).not.toContain('__consumer_offsets');
    expect(screenAfter('i', '2', '/', '_', '_')).toContain('__consumer_offsets');
  });

  it('go around the views, and end with q', () => {
    expect(screenAfter('tab')).toContain('[2 topics]');
    expect(screenAfter('backtab')).toContain('[5 brokers]');
    expect(screenAfter('backtab', 'tab')).toContain('[1 overview]');
    const seen = { overview: overviewOf(), page: 10 };
    expect(afterKey(firstState('', false), 'q', seen)).toBe('quit');
    expect(afterKey({ ...firstState('', false), isTyping: true }, 'q', seen)).toMatchObject({ filter: 'q' });
  });
});

test('what could not be read is said', () => {
  const error = { code: 'X', number: null, message: 'broken', retryable: false, exit_code: 1 };
  const errors = [
    { part: 'sizes', error },
    { part: 'groups', error },
  ] as const;
  const live = { overview: overviewOf({ errors }) };
  expect(frame(sceneOf([], {}, live)).join('\n')).toContain('sizes incomplete (and 1 more): X: broken');
  expect(frame(sceneOf([], {}, { ageMs: 9000 })).join('\n')).toContain('STALE 9s: waiting for an answer');
  expect(frame(sceneOf(['p'], {}, { ageMs: 9000 })).join('\n')).not.toContain('STALE');
});

test('what is out of date is said to have been so', () => {
  const health = { ...overviewOf().health, is_healthy: true };
  const shown = (live: Partial<Scene['live']>) =>
    frame(sceneOf([], {}, { overview: overviewOf({ health }), ...live })).join('\n');
  expect(shown({})).toMatch(/^HEALTHY /m);
  for (const live of [{ ageMs: 9000 }, { failure: 'no broker answers' }]) expect(shown(live)).toMatch(/^WAS HEALTHY /m);
});

test('the counts are those of the topics that are listed', () => {
  const topics = [topicOf('a'), topicOf('__consumer_offsets', { internal: true, partitions: 50 })];
  const shown = (...keys: readonly string[]) =>
    frame(sceneOf(keys, { size: { columns: 120, rows: 24 } }, { overview: overviewOf({ topics }) })).join('\n');
  expect(shown()).toContain(' 1 topic  3 partitions ');
  expect(shown('i')).toContain(' 2 topics  53 partitions ');
});

test('the footer offers to open only what can be opened', () => {
  const none = { overview: overviewOf({ topics: [], groups: [] }) };
  const footer = (keys: readonly string[], live = {}) => frame(sceneOf(keys, {}, live)).at(-1);
  for (const keys of [['1'], ['2'], ['3'], ['4']]) expect(footer(keys)).toContain('enter open');
  expect(footer(['5'])).not.toContain('enter open');
  expect(footer(['2', 'enter'])).not.toContain('enter open');
  for (const keys of [['2'], ['3']]) expect(footer(keys, none)).not.toContain('enter open');
  expect(footer(['2', '/', 'z', 'z', 'enter'])).not.toContain('enter open');
});
