import { describe, expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

const status = 'GET /v1/debug/self_test/status';
const wait = { waitTimeoutMs: 3_600_000, resumeWith: 'again', onProgress: () => undefined };

/** One broker with a result of this self-test, or without one. */
function idle(id?: string) {
  const results = id === undefined ? [] : [{ test_id: id, name: 'n', test_type: 'disk' }];
  return [{ node_id: 1, status: 'idle', results }];
}
const running = [{ node_id: 1, status: 'running', stage: 'disk', results: [] }];
const away = [{ node_id: 1, status: 'unreachable', stage: 'idle', results: [] }];

/** Waits at a node that shows these states one after the other, the last one from then on. */
async function waitAt(states: readonly unknown[], id?: string) {
  const node = await startNode(({ before }) => [200, states[Math.min(before, states.length - 1)]]);
  const { admin } = adminOf([node.url]);
  return { node, ended: admin.waitForSelfTest(id, wait) };
}

describe('waitForSelfTest', () => {
  test.each([
    ['ends with its results', [running, running, idle('a')], 'a', 3],
    ['does not take the results of an earlier one for its own', [idle('old'), running, idle('a')], 'a', 3],
    ['goes on while a broker is away for a moment', [running, away, running, idle('a')], 'a', 4],
    ['ends although a broker stays away', [running, away], 'a', 7],
    ['ends if nothing was measured', [running, idle()], 'a', 7],
    ['waits for any self-test', [running, idle('b')], undefined, 2],
    ['ends at once if none is running', [idle()], undefined, 1],
  ] as const)('%s', async (_, states, id, polls) => {
    const { node, ended } = await waitAt(states, id);
    await ended;
    expect(node.lines()).toEqual(Array.from({ length: polls }, () => status));
  });

  test('fails if another one has taken its place', async () => {
    const { ended } = await waitAt([running, idle('b')], 'a');
    expect((await failed(ended)).error).toMatchObject({ exitCode: 6, code: 'SELF_TEST_REPLACED' });
  });
});

describe('startSelfTest', () => {
  test.each([
    ['runs on a broker that takes part', [{ ...running[0], node_id: 2 }], null],
    ['runs on other brokers', [{ ...running[0], node_id: 3 }], undefined],
    ['does not run', idle(), undefined],
  ])('is sent once; if the answer is lost and it %s', async (_, nodes, expected) => {
    const node = await startNode(({ line, socket }) => (line === status ? [200, nodes] : void socket.destroy()));
    const started = adminOf([node.url]).admin.startSelfTest([], [1, 2]);
    if (expected === null) expect(await started).toBeNull();
    else expect((await failed(started)).error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
    expect(node.lines()).toEqual(['POST /v1/debug/self_test/start', status]);
  });

  test('refused with 503, it is not taken for the one that is running', async () => {
    const node = await startNode(({ line }) => (line === status ? [200, running] : refusal(503, 'one is running')));
    const { error } = await failed(adminOf([node.url]).admin.startSelfTest([], [1]));
    expect(error).toMatchObject({ exitCode: 5, code: 'UNAVAILABLE' });
    expect(node.calls).toHaveLength(1);
  });

  test.each([[5], [''], [undefined]])('an answer %j has no valid id, and is not repeated', async (body) => {
    const node = await startNode(({ line }) => [200, line === status ? idle() : body === '' ? '""' : body]);
    const { error } = await failed(adminOf([node.url]).admin.startSelfTest([], [1]));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
    expect(node.lines().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});

test.each([
  [{}, 'list of brokers'],
  [[{ status: 'idle' }], 'node_id'],
  [[{ node_id: 1 }], 'status'],
  [[{ node_id: 1, status: 'idle', results: {} }], 'results'],
  [[{ node_id: 1, status: 'idle', results: [{ name: 'n', test_type: 't' }] }], 'test_id'],
  [[{ node_id: 1, status: 'idle', results: [{ test_id: 'i', test_type: 't' }] }], 'name'],
  [[{ node_id: 1, status: 'idle', results: [{ test_id: 'i', name: 'n' }] }], 'test_type'],
])('a status %j of another form than documented is said so', async (body, missing) => {
  const node = await startNode(() => [200, body]);
  const { error } = await failed(adminOf([node.url]).admin.selfTest());
  expect(error.message).toBe(`the answer to GET ${node.url}/v1/debug/self_test/status has no valid ${missing}`);
});

test('the brokers are sorted; what is optional may be missing or odd', async () => {
  const odd = { test_id: 'i', name: 'n', test_type: 't', p50: '5', p90: 1.5, rps: {}, warning: '', error: 7 };
  const node = await startNode(() => [200, [{ node_id: 2, status: 'new', results: [odd] }, ...idle()]]);
  expect(await adminOf([node.url]).admin.selfTest()).toMatchObject([
    { node_id: 1, stage: null },
    { node_id: 2, status: 'new', results: [{ p50: null, p90: 1.5, rps: null, warning: null, error: null }] },
  ]);
});
