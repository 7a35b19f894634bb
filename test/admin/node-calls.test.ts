import { describe, expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { adminOf, type NodeAnswer, type NodeCall, refusal, startNode } from './admin-of.ts';

const credentials = { user: 'ana', pass: 'opensesame' };
const deployment = { name: 'redact', input_topic: 'a', output_topics: ['b'], environment: [] };
const module = Buffer.from('\0asm\x01\0\0\0\xff\xfe', 'latin1');

/** A node that knows its id, and answers everything else by a script. */
function nodeWithId(id: number, script: (call: NodeCall) => NodeAnswer) {
  return startNode((call) => (call.line === 'GET /v1/node_config' ? [200, { node_id: id }] : script(call)));
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  return length;
}

describe('a call to one node', () => {
  test('that the user has named goes there alone, with the credentials', async () => {
    const other = await startNode(() => [200, { node_id: 0 }]);
    const node = await startNode(() => [200, { node_id: 1 }]);
    const { admin } = adminOf([other.url, node.url], { credentials });
    expect(await admin.nodeConfig('1')).toEqual({ node_id: 1 });
    expect(await admin.nodeConfig(`127.0.0.1:${node.port}`)).toEqual({ node_id: 1 });
    expect(node.lines()).toEqual(['GET /v1/config', 'GET /v1/config']);
    expect(node.calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ana:opensesame').toString('base64')}`);
    expect(other.calls).toEqual([]);
  });

  test('that is down is not sent to another one', async () => {
    const other = await startNode(() => [200, { node_id: 0 }]);
    const { admin } = adminOf([other.url, '127.0.0.1:1'], { credentials });
    expect((await failed(admin.nodeConfig('1'))).error.exitCode).toBe(5);
    expect(other.calls).toEqual([]);
  });

  test('encodes the name of a logger', async () => {
    const node = await startNode(() => [200, { name: 'a/b c', new_level: 'debug', expiration: 60 }]);
    const { admin } = adminOf([node.url]);
    const changed = await admin.setLoggerLevel({ host: '0' }, { name: 'a/b c', level: 'debug', seconds: 60 });
    expect(changed).toEqual({ name: 'a/b c', level: 'debug', expires_s: 60 });
    expect(node.lines()).toEqual(['PUT /v1/config/log_level/a%2Fb%20c?level=debug&expires=60']);
  });

  test.each([
    ['nodeConfig', [], 'configuration'],
    ['loggers', {}, 'list'],
    ['loggers', [{}], 'name'],
  ] as const)('%s: the answer %j is an error that names the missing field', async (call, answer, missing) => {
    const node = await startNode(() => [200, answer]);
    const { admin } = adminOf([node.url]);
    const { error } = await failed(call === 'loggers' ? admin.loggers({ host: '0' }) : admin.nodeConfig('0'));
    expect(error).toMatchObject({ code: 'BAD_ANSWER' });
    expect(error.message).toContain(`has no valid ${missing}`);
  });
});

describe('the upload of a module', () => {
  test('is a JSON object followed by the bytes, also at the node that a redirect names', async () => {
    const bodies: Buffer[] = [];
    const leader = await startNode(({ body }) => {
      bodies.push(Buffer.from(body));
      return [200];
    });
    const node = await startNode(() => [307, undefined, { location: `${leader.url}/v1/transform/deploy` }]);
    const { admin } = adminOf([node.url, leader.url], { credentials });
    await admin.deployTransform(deployment, Buffer.from('\0asm\x01\0\0\0', 'latin1'));
    expect(bodies.map(String)).toEqual([`${JSON.stringify(deployment)}\0asm\x01\0\0\0`]);
    expect(leader.calls[0]?.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(Buffer.byteLength(JSON.stringify(deployment)) + 8),
    });
  });

  test('keeps every byte', async () => {
    const node = await startNode(() => [200]);
    await adminOf([node.url]).admin.deployTransform(deployment, module);
    const length = Buffer.byteLength(JSON.stringify(deployment)) + module.length;
    expect(node.calls[0]?.headers['content-length']).toBe(String(length));
  });

  test('is sent again when its answer is lost, and not when it is refused', async () => {
    const cut = await startNode(({ before, socket }) => (before > 0 ? [200] : void socket.destroy()));
    await adminOf([cut.url]).admin.deployTransform(deployment, module);
    expect(cut.calls).toHaveLength(2);
    const refusing = await startNode(() => refusal(400, 'no topic'));
    const { error } = await failed(adminOf([refusing.url]).admin.deployTransform(deployment, module));
    expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining('no topic') });
    expect(refusing.calls).toHaveLength(1);
  });
});

test('a repeated deletion that is refused is done if the transform is gone, and only then', async () => {
  const transforms = [{ name: 'kept', input_topic: 'a', output_topics: [], status: [] }];
  const node = await startNode(({ line, before, socket }) => {
    if (line === 'GET /v1/transform') return [200, transforms];
    return before > 0 ? refusal(400, 'does not exist') : void socket.destroy();
  });
  const { admin } = adminOf([node.url]);
  await admin.deleteTransform('redact');
  const { error } = await failed(admin.deleteTransform('kept'));
  expect(error.message).toContain('does not exist');
});

test('an error has none of the secrets that the node repeats', async () => {
  const node = await nodeWithId(1, ({ headers, body }) => refusal(400, `${headers.authorization} ${body}`));
  const { admin } = adminOf([node.url], { credentials });
  const download = await failed(admin.bundleFile(1, 'a.zip'));
  expect(download.error.message).toContain('bundle of broker 1: Basic *** (');
  const authentication = { mechanism: 'SCRAM-SHA-256', username: 'eva', password: 'hush-hush' };
  const [started] = await admin.startBundles([1], 'job', { authentication });
  expect(started?.error?.message).toContain('"password":"***"');
});

describe('the download of a bundle', () => {
  const big = 20 << 20;

  test('is a stream of any length', async () => {
    const node = await nodeWithId(1, () => [200, 'P'.repeat(big)]);
    const { admin } = adminOf([node.url], { credentials });
    expect(await read(await admin.bundleFile(1, 'a-b_c.1.zip'))).toBe(big);
    expect(node.lines().at(-1)).toBe('GET /v1/debug/bundle/file/a-b_c.1.zip');
  });

  test('is asked for once, and follows no redirect', async () => {
    const foreign = await startNode(() => [200, 'PK']);
    const node = await nodeWithId(1, ({ before }) =>
      before === 0
        ? refusal(503, 'later')
        : [307, undefined, { location: `${foreign.url}/v1/debug/bundle/file/a.zip` }],
    );
    const { admin, sleeps } = adminOf([node.url], { credentials });
    const { error } = await failed(admin.bundleFile(1, 'a.zip'));
    expect(error).toMatchObject({ exitCode: 5, message: expect.stringContaining('bundle of broker 1: later (') });
    expect((await failed(admin.bundleFile(1, 'a.zip'))).error.message).toContain('307');
    expect([foreign.calls, sleeps]).toEqual([[], []]);
  });

  test('a page of megabytes instead of an error is read only in part', async () => {
    const node = await nodeWithId(1, () => [500, `<html>${'x'.repeat(big)}`, { 'content-type': 'text/html' }]);
    const { error } = await failed(adminOf([node.url]).admin.bundleFile(1, 'a.zip'));
    expect(error.message.length).toBeLessThan(2_000);
    expect(error.exitCode).toBe(1);
  });

  test.each(['', '.', '..', '../a', 'a/b', 'a\\b', '-a', 'a b', 'a\n'])('%j is no name of a file', async (name) => {
    const node = await nodeWithId(1, () => [200, 'PK']);
    const { error } = await failed(adminOf([node.url]).admin.bundleFile(1, name));
    expect(error).toMatchObject({ exitCode: 1, code: 'BAD_ANSWER' });
    expect(node.calls).toEqual([]);
  });
});

describe('the bundles of several brokers', () => {
  const state = { job_id: 'j', status: 'running', created: 5, stdout: [], stderr: [] };

  test('are read once each, and a broker that fails does not hide the others', async () => {
    const good = await nodeWithId(1, () => [200, state]);
    const bad = await nodeWithId(2, ({ socket }) => void socket.destroy());
    const none = await nodeWithId(3, () => [409, { code: 7, message: 'never' }]);
    const gone = await nodeWithId(4, () => [410, { code: 9, message: 'expired' }]);
    const { admin } = adminOf([good.url, bad.url, none.url, gone.url]);
    const answers = await admin.bundles([1, 2, 3, 4]);
    expect(answers.map(({ state: found, error }) => found?.status ?? error?.exitCode)).toEqual([
      'running',
      5,
      'none',
      'expired',
    ]);
    expect(bad.lines().filter((line) => line === 'GET /v1/debug/bundle')).toHaveLength(1);
  });

  test('are started with one request each, so that a broker that is busy does not hold up the report', async () => {
    const good = await nodeWithId(1, () => [200]);
    const busy = await nodeWithId(2, () => refusal(429, 'slow down'));
    const { admin, sleeps } = adminOf([good.url, busy.url]);
    const answers = await admin.startBundles([1, 2], 'j', {});
    expect(answers.map(({ broker, error }) => [broker, error?.exitCode])).toEqual([
      [1, undefined],
      [2, 5],
    ]);
    expect([good, busy].map((node) => node.lines().filter((line) => line.startsWith('POST ')))).toEqual([
      ['POST /v1/debug/bundle'],
      ['POST /v1/debug/bundle'],
    ]);
    expect(sleeps).toEqual([]);
  });

  test.each([
    [{ ...state, status: 'new' }, 'status'],
    [{ ...state, job_id: 5 }, 'job_id'],
    [[], 'status'],
  ])('the answer %j is an error of its broker', async (answer, missing) => {
    const node = await nodeWithId(1, () => [200, answer]);
    const [found] = await adminOf([node.url]).admin.bundles([1]);
    expect(found?.error?.message).toContain(`has no valid ${missing}`);
  });

  test('the reason of a failure is the last line that says something', async () => {
    const node = await nodeWithId(1, () => [200, { ...state, status: 'error', stderr: ['first', 'no space', ' '] }]);
    expect((await adminOf([node.url]).admin.bundles([1]))[0]?.state?.reason).toBe('no space');
  });
});
