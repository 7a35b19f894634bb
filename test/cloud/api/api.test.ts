import { expect, test } from 'vitest';
import { type ApiParts, type CloudCall, calls, createApi, listAll } from '../../../src/cloud/api/api.ts';
import { CliError } from '../../../src/errors.ts';
import type { HttpRequest } from '../../../src/net/http.ts';
import { HttpError } from '../../../src/net/http-error.ts';
import { pathOf } from '../../../src/net/json-api/call.ts';
import { fieldsOf } from '../../../src/shape/object.ts';
import { anything, converted, object } from '../../../src/shape/shape.ts';
import { deadlineOf } from '../../services/scripted-client.ts';
import { failure } from '../client.ts';

type Scripted = { readonly status: number; readonly body?: unknown; readonly text?: string } | Error;

/** An API whose server answers by a script, one answer for each request, the last one again and again. */
function apiOf(script: readonly Scripted[] | ((request: HttpRequest) => Scripted), tries = 2) {
  const requests: HttpRequest[] = [];
  const warnings: string[] = [];
  const renewed: string[] = [];
  const deadline = deadlineOf();
  const parts: ApiParts = {
    http: {
      async request(request) {
        const { method, url, headers = {}, body } = request;
        requests.push({ method, url, headers, ...(body !== undefined && { body }) });
        request.onStart?.();
        const answer = typeof script === 'function' ? script(request) : (script[requests.length - 1] ?? script.at(-1));
        if (answer instanceof Error) throw answer;
        const text = answer?.text ?? JSON.stringify(answer?.body ?? {});
        return { status: answer?.status ?? 500, headers: {}, body: Buffer.from(text) };
      },
    },
    tokens: {
      get: async () => 'first',
      async renew(refused) {
        renewed.push(refused);
        return 'second';
      },
    },
    startCourse() {
      let left = tries;
      return {
        async again() {
          left -= 1;
          return left > 0;
        },
        last: (error) => error,
      };
    },
    signal: deadline.signal,
    apiUrl: 'http://api',
    legacyUrl: 'http://old',
    firstContact: 'stop',
    warn: (line) => void warnings.push(line),
  };
  return { api: createApi(parts), parts, requests, warnings, renewed, deadline };
}

const read = calls.get('read it', pathOf`/v1/x`, anything);
const fields = converted(fieldsOf, object);
const item = { noun: 'item', row: fields, answer: fields };

/** A change whose check finds these results one after another. */
function changeOf(found: readonly (string | undefined)[] = [], more: Partial<CloudCall<unknown>> = {}) {
  const looks: (string | undefined)[] = [];
  const change: CloudCall<unknown> = {
    ...calls.post('create it', pathOf`/v1/x`, { body: { a: 1 }, answer: anything }),
    async look() {
      looks.push(found[looks.length]);
      return looks.at(-1);
    },
    ...more,
  };
  return { change, looks };
}

test('a read has a token and no type of content; a change with a body has one', async () => {
  const { api, requests } = apiOf([{ status: 200 }]);
  await api.call(read);
  await api.call(changeOf().change);
  await api.call({ ...read, isLegacy: true });
  const headers = { authorization: 'Bearer first', accept: 'application/json' };
  expect(requests).toEqual([
    { method: 'GET', url: 'http://api/v1/x', headers },
    {
      method: 'POST',
      url: 'http://api/v1/x',
      body: '{"a":1}',
      headers: { ...headers, 'content-type': 'application/json' },
    },
    { method: 'GET', url: 'http://old/v1/x', headers },
  ]);
});

test('a change without a body sends none', async () => {
  const { api, requests } = apiOf([{ status: 200 }]);
  const { change } = changeOf();
  const { body: _, ...bare } = change;
  await api.call({ ...bare, method: 'DELETE' });
  expect(requests[0]).not.toHaveProperty('body');
  expect(requests[0]?.headers).not.toHaveProperty('content-type');
});

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [302, false],
  [404, false],
])('the status %d is a success: %s', async (status, succeeds) => {
  const { api } = apiOf([{ status, body: { id: 'a' } }]);
  const work = api.call(read);
  if (succeeds) expect(await work).toEqual({ id: 'a' });
  else expect(await failure(work)).toMatchObject({ status });
});

test('an empty body is an empty object; one that is not JSON is an error that can be repeated', async () => {
  expect(await apiOf([{ status: 204, text: '' }]).api.call(read)).toEqual({});
  const { api, requests } = apiOf([{ status: 200, text: '<html>' }]);
  expect(await failure(api.call(read))).toMatchObject({
    message: 'unable to read it: the response to GET http://api/v1/x is not a JSON object',
    code: 'BAD_ANSWER',
    exitCode: 5,
    sent: true,
    retryable: true,
    target: 'GET http://api/v1/x',
    hints: ['check that cloud.api_url is the address of a control plane'],
  });
  expect(requests).toHaveLength(2);
});

test('a refused token is replaced by another, once', async () => {
  const { api, requests, renewed } = apiOf([{ status: 401 }, { status: 200, body: { id: 'a' } }]);
  expect(await api.call(read)).toEqual({ id: 'a' });
  expect(renewed).toEqual(['first']);
  expect(requests.map(({ headers }) => headers?.authorization)).toEqual(['Bearer first', 'Bearer second']);
});

test('without another token, the refusal is reported and the request is not repeated', async () => {
  const { parts, requests } = apiOf([{ status: 401 }]);
  const api = createApi({ ...parts, tokens: { ...parts.tokens, renew: async () => undefined } });
  expect(await failure(api.call(read))).toMatchObject({ status: 401 });
  expect(requests).toHaveLength(1);
});

test('a list asks for pages of 100 with its filters, each value of a filter on its own', async () => {
  const { api, requests } = apiOf([
    { status: 200, body: { items: [{ id: 1 }, 'odd'], next_page_token: 'p 2' } },
    { status: 200, body: { items: 'none', next_page_token: 7 } },
  ]);
  const filters = { name_contains: 'a b', type_in: ['X', 'Y'], state: undefined };
  expect(await listAll(api, item, filters, read)).toEqual([{ id: 1 }, {}]);
  const query = 'filter.name_contains=a+b&filter.type_in=X&filter.type_in=Y&page_size=100';
  expect(requests.map(({ url }) => url)).toEqual([
    `http://api/v1/x?${query}`,
    `http://api/v1/x?${query}&page_token=p+2`,
  ]);
});

test('a list of 1001 pages is read; one more page is an error', async () => {
  for (const last of [1_001, 1_002]) {
    const { api, requests } = apiOf(({ url }) => {
      const at = Number(new URL(url).searchParams.get('page_token') ?? 1);
      return { status: 200, body: { items: [{ at }], next_page_token: at < last ? String(at + 1) : '' } };
    });
    const work = listAll(api, item, {}, read);
    if (last === 1_001) expect(await work).toHaveLength(1_001);
    else {
      expect(await failure(work)).toMatchObject({
        code: 'ENDLESS_PAGES',
        message: 'unable to read it: the list did not end after 1001 pages',
      });
    }
    expect(requests).toHaveLength(1_001);
  }
});

test('pages that repeat are an error at the first repetition', async () => {
  const { api, requests } = apiOf([{ status: 200, body: { next_page_token: 'again' } }]);
  expect(await failure(listAll(api, item, {}, read))).toMatchObject({
    message: 'unable to read it: the list did not end after 2 pages',
  });
  expect(requests).toHaveLength(2);
});

const sent = new HttpError('cut', { sent: true });
const unsent = new HttpError('refused', { sent: false });
const hint = 'check whether the request to create it was accepted before you repeat it';

test.each<[string, Scripted, number]>([
  ['a connection that was cut', sent, 1],
  ['a connection that was not made', unsent, 0],
  ['a 500', { status: 500 }, 1],
  ['a 504', { status: 504 }, 1],
  ['a 429', { status: 429 }, 0],
  ['a response that is not JSON', { status: 200, text: '<html>' }, 1],
  ['a response that is a list', { status: 200, text: '[]' }, 1],
])('after %s, a change is checked before it is repeated only if it may have arrived', async (_, first, expected) => {
  const { api, requests } = apiOf([first, { status: 200, body: { id: 'a' } }]);
  const { change, looks } = changeOf();
  expect(await api.call(change)).toEqual({ id: 'a' });
  expect(looks).toHaveLength(expected);
  expect(requests).toHaveLength(2);
});

test('a change that was found is not repeated, and a warning says so', async () => {
  const { api, requests, warnings } = apiOf([sent]);
  expect(await api.call(changeOf(['found']).change)).toBe('found');
  expect(requests).toHaveLength(1);
  expect(warnings).toEqual(['the response to POST /v1/x was lost, but the server had accepted the request']);
});

test('a refusal is explained by a request that arrived after the check', async () => {
  const { api, requests, warnings } = apiOf([sent, { status: 409 }]);
  const { change, looks } = changeOf([undefined, 'late']);
  expect(await api.call(change)).toBe('late');
  expect([looks.length, requests.length, warnings.length]).toEqual([2, 2, 1]);
});

test('a refusal at once is not checked, and one that is not explained is reported without doubt', async () => {
  const at = changeOf(['wrong']);
  const refused = await failure(apiOf([{ status: 409 }]).api.call(at.change));
  expect([refused.hints, at.looks]).toEqual([[], []]);
  const later = changeOf();
  expect(await failure(apiOf([sent, { status: 409 }]).api.call(later.change))).toMatchObject({ hints: [] });
  expect(later.looks).toHaveLength(2);
});

test.each<[string, readonly Scripted[], boolean]>([
  ['twice cut', [sent, sent], true],
  ['cut, then unreachable', [sent, unsent], true],
  ['never reached', [unsent, unsent], false],
  ['twice 500', [{ status: 500 }], true],
  ['501, which nothing implements', [{ status: 501 }], false],
  ['twice 429', [{ status: 429 }], false],
  ['cut, then 429', [sent, { status: 429 }], true],
])('a change that ends in an error is in doubt if it may have arrived: %s', async (_, script, inDoubt) => {
  const error = await failure(apiOf(script).api.call(changeOf().change));
  expect(error.hints.includes(hint)).toBe(inDoubt);
});

test('an error in doubt keeps its own hints first, and has no pause before a repetition', async () => {
  const cut = new HttpError('cut', { sent: true, hints: ['look'], retryAfterMs: 9_000 });
  const error = await failure(apiOf([cut]).api.call(changeOf().change));
  expect([error.hints, error.retryAfterMs]).toEqual([['look', hint], undefined]);
});

test('an error of the check that says what happened is reported as it is', async () => {
  const known = new CliError(1, 'made, but lost', { code: 'ANSWER_LOST', hints: ['delete it'] });
  const { change } = changeOf([], { look: () => Promise.reject(known) });
  expect(await failure(apiOf([sent]).api.call(change))).toBe(known);
});

test.each([403, 404, 400])('a change is in doubt if the check for a lost answer is refused with %i', async (status) => {
  const { api } = apiOf([sent, { status }]);
  const look = () => api.call(calls.get('list them', pathOf`/v1/x`, () => undefined));
  const error = await failure(api.call(changeOf([], { look }).change));
  expect(error.message).toContain('unable to list them');
  expect(error.hints).toContain(hint);
});

test('a change that the command ends is in doubt once it was sent', async () => {
  const stop = new CliError(130, 'stopped');
  const made = apiOf(() => {
    made.deadline.abort(stop);
    return stop;
  });
  expect(await failure(made.api.call(changeOf().change))).toMatchObject({ exitCode: 130, hints: [hint] });

  const early = apiOf([unsent]);
  early.deadline.abort(stop);
  const api = createApi({ ...early.parts, http: { request: () => Promise.reject(stop) } });
  expect(await failure(api.call(changeOf().change))).toBe(stop);
});

test('an error that is not for a person is not rephrased', async () => {
  const bug = new Error('a bug');
  expect(await failure(apiOf([sent, bug]).api.call(changeOf().change))).toBe(bug);
});
