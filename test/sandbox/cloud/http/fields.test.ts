import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../../src/sandbox/cloud/http/api-error.ts';
import { type Effect, readFault, startFaults } from '../../../../src/sandbox/cloud/http/faults.ts';
import { type Fields, isObject, readFields } from '../../../../src/sandbox/cloud/http/fields.ts';
import { startJournal } from '../../../../src/sandbox/cloud/http/journal.ts';
import { spell } from '../../../../src/sandbox/cloud/http/spelling.ts';
import { changeSettings, defaultSettings } from '../../../../src/sandbox/cloud/settings.ts';
import { findRoute } from '../../../../src/sandbox/http/router.ts';

/** The problems of a request, one line each. */
function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    const { details } = error as ApiError;
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { reason: 'REASON_INVALID_INPUT' } });
    return (details.violations ?? []).map(({ field, description }) => `${field}: ${description}`);
  }
  return [];
}

const rule = { pattern: /^a+$/, description: 'must be a' };

test.each<[string, unknown, (fields: Fields) => unknown, unknown, readonly string[]]>([
  ['a text', { n: 'a' }, (fields) => fields.text('n', rule), 'a', []],
  ['a missing text', {}, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['an empty text', { n: '' }, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['a text that is null', { n: null }, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['a number for a text', { n: 5 }, (fields) => fields.text('n'), '', ['x.n: must be a text']],
  ['a wrong text', { n: 'b' }, (fields) => fields.text('n', rule), '', ['x.n: must be a']],
  ['no optional text', {}, (fields) => fields.optionalText('n', rule), undefined, []],
  ['a choice', { n: 'a' }, (fields) => fields.choice('n', ['a']), 'a', []],
  ['a wrong choice', { n: 'b' }, (fields) => fields.choice('n', ['a']), 'b', ['x.n: unknown value "b"']],
  ['a missing choice', {}, (fields) => fields.choice('n', ['a']), '', ['x.n: is required']],
  ['no optional choice', {}, (fields) => fields.optionalChoice('n', ['a']), undefined, []],
  ['texts', { n: ['a', 'b'] }, (fields) => fields.texts('n'), ['a', 'b'], []],
  ['no texts', { n: [] }, (fields) => fields.texts('n'), [], ['x.n: must be a list with at least one item']],
  ['a text for texts', { n: 'a' }, (fields) => fields.texts('n'), [], ['x.n: must be a list with at least one item']],
  ['an empty text in texts', { n: ['a', ''] }, (fields) => fields.texts('n'), [], ['x.n: every item must be a text']],
  ['a number in texts', { n: ['a', 5] }, (fields) => fields.texts('n'), [], ['x.n: every item must be a text']],
  ['a text twice', { n: ['a', 'a'] }, (fields) => fields.texts('n'), [], ['x.n: must not contain an item twice']],
  ['an object', { n: { a: 1 } }, (fields) => fields.optionalObject('n'), { a: 1 }, []],
  ['no object', { n: null }, (fields) => fields.optionalObject('n'), undefined, []],
  ['a list for an object', { n: [] }, (fields) => fields.optionalObject('n'), {}, ['x.n: must be an object']],
  ['an unknown field', { n: 1, m: 1 }, (fields) => fields.only(['n']), undefined, ['x.m: unknown field']],
  ['a list for the whole', [], (fields) => fields.sent, {}, ['x: must be an object']],
])('%s is read', (_, body, read, ...[value, problems]) => {
  const fields = readFields(body, 'x.');
  expect(read(fields)).toEqual(value);
  expect(problemsOf(() => fields.check())).toEqual(problems);
});

test('without a prefix the whole is the body; objects are neither lists nor null', () => {
  expect(problemsOf(() => readFields(null, '').check())).toEqual(['body: must be an object']);
  expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

const route = {
  name: 'a.get',
  method: 'GET',
  path: '/a/{id}',
  access: 'open',
  handle: () => ({ status: 200 }),
} as const;
const control = { ...route, name: 'sim.get', path: '/sim/a' };

describe('a fault', () => {
  const effect: Effect = { kind: 'garbage' };
  const read = (part: object) => problemsOf(() => readFault({ route: '*', effect, ...part }, [route]));

  test.each<[string, object, readonly string[]]>([
    ['of a route', { route: 'a.get' }, []],
    ['of a path', { route: 'GET /a/{id}' }, []],
    ['for all calls', { times: null }, []],
    ['after some calls', { skip: 2, times: 3 }, []],
    ['of an unknown route', { route: 'b' }, ['route: must be the name of a route, "METHOD /path" or "*"']],
    ['after fewer than no calls', { skip: -1 }, ['skip: must be a number from 0']],
    ['for no call', { times: 0 }, ['times: must be a number above 0 or null']],
    ['for a text of calls', { times: 'x' }, ['times: must be a number above 0 or null']],
    ['with a status', { effect: { kind: 'status', status: 200, body: null, headers: { a: 'b' } } }, []],
    [
      'with the last status',
      { effect: { kind: 'status', status: 599, code: 'ABORTED', reason: 'R', message: 'm' } },
      [],
    ],
    ['with a status below', { effect: { kind: 'status', status: 199 } }, ['effect.status: is missing or invalid']],
    ['with a status above', { effect: { kind: 'status', status: 600 } }, ['effect.status: is missing or invalid']],
    ['with a broken status', { effect: { kind: 'status', status: 200.5 } }, ['effect.status: is missing or invalid']],
    [
      'with wrong parts of a status',
      { effect: { kind: 'status', status: 400, code: 'X', reason: 1, message: 1, headers: { a: 1 } } },
      ['code', 'reason', 'message', 'headers'].map((name) => `effect.${name}: is missing or invalid`),
    ],
    ['with a delay', { effect: { kind: 'delay', ms: 0 } }, []],
    ['with a delay without an end', { effect: { kind: 'delay', ms: '5' } }, ['effect.ms: is missing or invalid']],
    ['with a drop', { effect: { kind: 'drop', when: 'after' } }, []],
    ['with a drop at no time', { effect: { kind: 'drop', when: 'never' } }, ['effect.when: is missing or invalid']],
    ['with a cut', { effect: { kind: 'truncate', bytes: 1 } }, []],
    ['with a cut somewhere', { effect: { kind: 'truncate' } }, ['effect.bytes: is missing or invalid']],
    ['with slow bytes', { effect: { kind: 'slow', bytes: 1, everyMs: 1 } }, []],
    ['with slow bytes of a time', { effect: { kind: 'slow', bytes: 1 } }, ['effect.everyMs: is missing or invalid']],
    ['with a false file', { effect: { kind: 'artifact', change: 'missing' } }, []],
    ['with another file', { effect: { kind: 'artifact', change: 'x' } }, ['effect.change: is missing or invalid']],
    ['with a field too many', { effect: { kind: 'garbage', ms: 1 } }, ['effect.ms: unknown field']],
  ])('%s is read', (_, part, problems) => {
    expect(read(part)).toEqual(problems);
  });

  test('of an unknown kind is refused with the known ones, and so is none', () => {
    for (const effect of [{ kind: 'x' }, 'x', { kind: 'toString' }])
      expect(read({ effect })).toContain(
        'effect.kind: must be one of status, delay, drop, truncate, slow, garbage, artifact',
      );
    expect(readFault({ route: '*', effect }, [route])).toEqual({ route: '*', skip: 0, times: 1, effect });
  });

  test('takes effect after the calls to skip, as often as asked, and never on a control call', () => {
    const faults = startFaults();
    faults.add({ route: '*', skip: 1, times: 2, effect });
    faults.add({ route: 'GET /a/{id}', skip: 0, times: null, effect: { kind: 'delay', ms: 1 } });
    expect(faults.take(control)).toEqual([]);
    expect(
      [1, 2, 3, 4].map(() =>
        faults
          .take(route)
          .map(({ kind }) => kind)
          .join(),
      ),
    ).toEqual([...['delay', 'garbage,delay', 'garbage,delay', 'delay']]);
    expect(faults.list()).toHaveLength(1);
    expect(faults.take({ ...route, method: 'POST', name: 'a.post' })).toEqual([]);
    faults.clear();
    expect([faults.list(), faults.take(route)]).toEqual([[], []]);
  });
});

test('the journal numbers requests, hides secrets in queries, and drops the oldest', () => {
  const journal = startJournal();
  const entry = { at: 0 } as Parameters<typeof journal.add>[0];
  journal.add(entry, new URLSearchParams('a=1&a=2&client_secret=x&page_token=p&user_code=c&__proto__=y'));
  expect(journal.entries()[0]).toMatchObject({ number: 1, at: 0 });
  expect(Object.entries(journal.entries()[0]?.query ?? {})).toEqual([
    ['a', ['1', '2']],
    ['client_secret', ['(hidden)']],
    ['page_token', ['p']],
    ['user_code', ['(hidden)']],
    ['__proto__', ['y']],
  ]);
  for (let at = 1; at < 20_000; at += 1) journal.add(entry, new URLSearchParams());
  expect(journal.entries()).toHaveLength(20_000);
  journal.add(entry, new URLSearchParams());
  expect([journal.entries().length, journal.entries()[0]?.number]).toEqual([10_001, 10_001]);
  journal.clear();
  journal.add(entry, new URLSearchParams());
  expect(journal.entries().map(({ number }) => number)).toEqual([1]);
});

test.each([
  ['GET', '/a/x%2Fy', { id: 'x/y' }],
  ['GET', '/a/', undefined],
  ['GET', '/a/%', undefined],
  ['GET', '/a', undefined],
  ['GET', '/b/x', undefined],
  ['GET', '/a/x/y', undefined],
  ['POST', '/a/x', 'other-method'],
])('%s %s is found as %j', (method, path, expected) => {
  const match = findRoute([route], method, path);
  expect(typeof match === 'object' ? match.params : match).toEqual(expected);
});

test.each([
  ['milliseconds', '2026-01-01T00:00:01.500Z'],
  ['seconds', '2026-01-01T00:00:01Z'],
  ['nanoseconds', '2026-01-01T00:00:01.500000000Z'],
  ['object', { seconds: 1_767_225_601, nanos: 500_000_000 }],
  ['null', null],
] as const)('times are spelled in %s', (timestamps, expected) => {
  const body = { created_at: '2026-01-01T00:00:01.500Z', name: 'n', '@type': 'a/b', state: 'A', n: 1 };
  const settings = { ...defaultSettings, timestamps, typeUrls: 'bare', enums: { A: 'B' } } as const;
  expect(spell(body, settings)).toEqual({ ...body, created_at: expected, '@type': 'b', state: 'B' });
  expect(spell(body, defaultSettings)).toBe(body);
  expect(spell(body, { ...defaultSettings, timestamps: 'null' })).toEqual({ ...body, created_at: null });
});

test.each<[unknown, string]>([
  [{ nothing: 1 }, 'unknown setting "nothing"'],
  [{ pageSize: '5' }, '"pageSize" must be of type number'],
  [{ enums: null }, '"enums" must be of type object'],
  [{ durations: { nothing: 1 } }, 'unknown setting "durations.nothing"'],
  [{ durations: { networkCreateMs: 'x' } }, '"durations.networkCreateMs" must be of type number'],
  ['x', 'the settings must be an object'],
  [null, 'the settings must be an object'],
])('the change %j of the settings is refused', (change, message) => {
  expect(() => changeSettings(defaultSettings, change)).toThrow(message);
});

test('a change of the settings keeps the others', () => {
  const { durations } = defaultSettings;
  expect(changeSettings(defaultSettings, undefined)).toBe(defaultSettings);
  expect(
    changeSettings(defaultSettings, { pageSize: 2, enums: { A: 'B' }, durations: { networkCreateMs: 1 } }),
  ).toEqual({
    ...{ ...defaultSettings, pageSize: 2, enums: { A: 'B' }, durations: { ...durations, networkCreateMs: 1 } },
  });
});
