import { describe, expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

const list = 'GET /v1/migrations';
const mount = 'POST /v1/topics/mount';
const source = { ns: 'kafka', topic: 'a' };
const wanted = { type: 'inbound', source, alias: null } as const;

/** A mount of a topic as the server shows it. */
function mounting(id: number, more: object = {}, reference: object = source) {
  const topics = [{ source_topic_reference: reference, ...more }];
  return { id, state: 'planned', migration: { migration_type: 'inbound', topics } };
}

describe('startMigration', () => {
  test.each([
    ['is found', [mounting(4), mounting(5)], 5],
    ['with another name is not this one', [mounting(4), mounting(5, { alias: { ns: 'kafka', topic: 'b' } })], null],
    ['of the same name twice is found', [mounting(4), mounting(5, { alias: source })], 5],
    ['of another topic is not this one', [mounting(4), mounting(5, {}, { topic: 'b' })], null],
    ['of another namespace is not this one', [mounting(4), mounting(5, {}, { topic: 'a', ns: 'x' })], null],
    ['that was there before is not this one', [mounting(4)], null],
  ])('a mount whose answer is lost, and that is then refused: one that %s', async (_, migrations, id) => {
    const node = await startNode(({ line, before, socket }) => {
      if (line === list) return [200, migrations];
      return before === 0 ? void socket.destroy() : refusal(400, 'in another migration');
    });
    const { admin } = adminOf([node.url]);
    const before = (await admin.migrations()).filter((one) => one.id === 4);
    const started = admin.startMigration(wanted, before);
    if (id === null) expect((await failed(started)).error.message).toContain('in another migration');
    else expect(await started).toBe(id);
    expect(node.lines()).toEqual([list, mount, mount, list]);
  });

  test('a refusal of the first request is an error, whatever is in the list', async () => {
    const node = await startNode(({ line }) => (line === list ? [200, [mounting(5)]] : refusal(400, 'no')));
    const { error } = await failed(adminOf([node.url]).admin.startMigration(wanted, []));
    expect(error).toMatchObject({ status: 400, hints: [] });
    expect(node.lines()).toEqual([mount]);
  });

  test('an answer without an id is not repeated', async () => {
    const node = await startNode(() => [200, {}]);
    const { error } = await failed(adminOf([node.url]).admin.startMigration(wanted, []));
    expect(error).toMatchObject({ code: 'BAD_ANSWER', exitCode: 5 });
    expect(node.lines()).toEqual([mount]);
  });
});

test.each([
  ['migrations', {}, 'list of migrations'],
  ['migrations', [{}], 'id'],
  ['migrations', [{ id: 1 }], 'state'],
  ['migrations', [{ id: 1, state: 's' }], 'migration_type'],
  ['migrations', [{ id: 1, state: 's', migration: { migration_type: 't', topics: {} } }], 'topics'],
  ['migrations', [{ id: 1, state: 's', migration: { migration_type: 't', topics: [{}] } }], 'topic'],
  ['migration', { id: '1' }, 'id'],
  ['mountableTopics', [], 'topics'],
  ['mountableTopics', { topics: [{}] }, 'topic'],
  ['mountableTopics', { topics: [{ topic: 'a' }] }, 'topic_location'],
  ['restoreState', {}, 'state'],
  ['restoreState', { state: 's', topic_download_counts: {} }, 'topic_download_counts'],
  ['restoreState', { state: 's', topic_download_counts: [{}] }, 'topic_namespace'],
] as const)('%s %j of another form than documented is said so', async (name, body, missing) => {
  const node = await startNode(() => [200, body]);
  const { error } = await failed(adminOf([node.url]).admin[name](1));
  expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
  expect(error.message.endsWith(` has no valid ${missing}`)).toBe(true);
});

test('migrations are sorted by id; what is optional may be missing', async () => {
  const outbound = { id: 2, state: 'new', migration: { migration_type: 'outbound', topics: [{ topic: 'b' }] } };
  const whole = {
    ...mounting(1, { alias: { ns: 'x', topic: 'c' } }),
    ...{ created_timestamp: 5, completed_timestamp: 6 },
  };
  const node = await startNode(() => [200, [outbound, whole]]);
  expect(await adminOf([node.url]).admin.migrations()).toEqual([
    {
      ...{ id: 1, state: 'planned', type: 'inbound', topics: [{ source, alias: { ns: 'x', topic: 'c' } }] },
      ...{ advances: null, created: 5, completed: 6 },
    },
    {
      ...{ id: 2, state: 'new', type: 'outbound', topics: [{ source: { ns: 'kafka', topic: 'b' }, alias: null }] },
      ...{ advances: null, created: null, completed: null },
    },
  ]);
});

test('mountable topics are sorted; their namespace may be missing', async () => {
  const topics = [
    { topic: 'a', ns: 'z', topic_location: '1' },
    { topic: 'a', topic_location: '2' },
    { topic: 'a', ns: 'kafka', topic_location: '1' },
  ];
  const node = await startNode(() => [200, { topics }]);
  const found = await adminOf([node.url]).admin.mountableTopics();
  expect(found.map((one) => `${one.namespace} ${one.topic_location}`)).toEqual(['kafka 1', 'kafka 2', 'z 1']);
});

test('the number of partitions of a topic; none if there is no such topic', async () => {
  const node = await startNode(({ line }) => (line.endsWith('/a') ? [200, [{}, {}]] : refusal(404, 'no')));
  const { admin } = adminOf([node.url]);
  expect(await admin.partitionCount(source)).toBe(2);
  expect(await admin.partitionCount({ ns: 'x y', topic: 'b' })).toBeUndefined();
  expect(node.lines()).toEqual(['GET /v1/partitions/kafka/a', 'GET /v1/partitions/x%20y/b']);
});

const wait = { waitTimeoutMs: 3_600_000, resumeWith: 'again', onProgress: () => undefined };

describe('the wait for a migration', () => {
  test.each([
    ['waitForMigration', ['planned', 'new', 'cut_over', 'finished'], undefined],
    ['waitForMigration', ['planned', 'canceling'], 'MIGRATION_CANCELED'],
    ['waitForMigration', ['canceled'], 'MIGRATION_CANCELED'],
    ['waitForMigration', ['planned', 'deleted'], 'NOT_FOUND'],
    ['waitForCancel', ['executing', 'canceling', 'cancelled'], undefined],
    ['waitForCancel', ['canceling', 'canceled'], undefined],
    ['waitForCancel', ['canceling', 'deleted'], 'NOT_FOUND'],
    ['waitForCancel', ['canceling', 'finished'], 'MIGRATION_FINISHED'],
  ] as const)('%s: the states %j end it', async (name, states, code) => {
    const node = await startNode(({ before }) => [200, { ...mounting(7), state: states[before] }]);
    const ended = adminOf([node.url]).admin[name](7, wait);
    if (code === undefined) expect((await ended).state).toBe(states.at(-1));
    else expect((await failed(ended)).error).toMatchObject({ code, target: '7' });
    expect(node.calls).toHaveLength(states.length);
  });
});

describe('startRestore', () => {
  test.each([
    ['is running', { state: 'recovering' }, true],
    ['is not running', { state: 'inactive' }, false],
    ['has failed', { state: 'failed' }, false],
  ])('is sent once; if the answer is lost and a restore %s', async (_, state, isStarted) => {
    const node = await startNode(({ line, socket }) => (line.startsWith('GET') ? [200, state] : void socket.destroy()));
    const started = adminOf([node.url]).admin.startRestore();
    if (isStarted) expect(await started).toBeUndefined();
    else expect((await failed(started)).error).toMatchObject({ exitCode: 5 });
    expect(node.lines()).toEqual(['POST', 'GET'].map((method) => `${method} /v1/cloud_storage/automated_recovery`));
  });

  test.each([
    [undefined, ''],
    ['a-1', '{"cluster_uuid_override":"a-1"}'],
  ])('names the cluster %s in %j', async (uuid, body) => {
    const node = await startNode(() => [202, {}]);
    await adminOf([node.url]).admin.startRestore(uuid);
    expect(node.calls[0]?.body ?? '').toBe(body);
  });

  test('another restore that is running is a conflict', async () => {
    const node = await startNode(() => refusal(409, 'a recovery is active'));
    const { error } = await failed(adminOf([node.url]).admin.startRestore());
    expect(error).toMatchObject({ exitCode: 6 });
    expect(node.calls).toHaveLength(1);
  });
});
