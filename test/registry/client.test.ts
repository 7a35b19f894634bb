import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import type { Registry } from '../../src/registry/open.ts';
import { failed } from '../net/http-peers.ts';
import { deadAddress } from '../services/dead-address.ts';
import { type Call, refusal, registryOf, startScriptedRegistry } from './scripted-registry.ts';

const stringSchema = { schema: '"string"' };

describe('a request', () => {
  test('warns of a password that would go unencrypted to another machine, and not without one', () => {
    const warnings: string[] = [];
    const options = { warn: (line: string) => warnings.push(line) };
    using _ = registryOf(['registry.example.com'], options);
    expect(warnings).toEqual([]);
    using __ = registryOf(['registry.example.com'], { ...options, credentials: { user: 'ana', pass: 'pw' } });
    expect(warnings).toEqual([expect.stringMatching(/is sent unencrypted to registry\.example\.com:8081 /)]);
  });

  test('names the media type exactly, and has no credentials unless there are some', async () => {
    await using server = await startScriptedRegistry(() => [200, stringSchema]);
    using plain = registryOf([server.url]);
    using known = registryOf([server.url], { credentials: { user: 'ana', pass: 'pä:ss' } });
    await plain.registry.schemaById(1);
    await known.registry.schemaById(1);
    expect(server.calls.map(({ headers }) => [headers.accept, headers['content-type'], headers.authorization])).toEqual(
      [
        ['application/vnd.schemaregistry.v1+json', undefined, undefined],
        ['application/vnd.schemaregistry.v1+json', undefined, `Basic ${Buffer.from('ana:pä:ss').toString('base64')}`],
      ],
    );
  });

  test('shows no token that the registry repeats', async () => {
    await using server = await startScriptedRegistry(({ headers }) => refusal(401, `${headers.authorization} is bad`));
    using known = registryOf([server.url], { credentials: { token: 'tok-canary', option: 'registry.token' } });
    await expect(known.registry.schemaById(1)).rejects.toThrow(': Bearer *** is bad (');
  });

  test.each([
    ['a/b', 'a%2Fb'],
    ['100%', '100%25'],
    ['two words', 'two%20words'],
    [':.ctx:orders', '%3A.ctx%3Aorders'],
    ['a?b#c', 'a%3Fb%23c'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['..a', '..a'],
  ])('encodes the subject %j', async (subject, encoded) => {
    await using server = await startScriptedRegistry(() => [200, { subject, version: 1, id: 7, ...stringSchema }]);
    using client = registryOf([`${server.url}/apis/ccompat/v7/`]);
    const found = await client.registry.schemaOfVersion(subject, 'latest');
    expect(found).toMatchObject({ subject, version: 1, id: 7, type: 'AVRO', text: '"string"', references: [] });
    expect(server.calls[0]?.path).toBe(`/apis/ccompat/v7/subjects/${encoded}/versions/latest`);
  });

  test.each(['', '.', '..'])('about the subject %j is not sent, because a URL cannot have it', async (subject) => {
    await using server = await startScriptedRegistry(() => [200, {}]);
    using client = registryOf([server.url]);
    const { error } = await failed((async () => client.registry.schemaOfVersion(subject, 1))());
    expect(error).toMatchObject({ exitCode: 2, message: `invalid name "${subject}": it cannot be part of a URL` });
    expect(server.calls).toEqual([]);
  });
});

describe('an error answer', () => {
  test.each([
    [40401, 'SUBJECT_NOT_FOUND', 3],
    [40402, 'VERSION_NOT_FOUND', 3],
    [40403, 'SCHEMA_NOT_FOUND', 3],
    [40101, 'UNAUTHENTICATED', 4],
    [401, 'UNAUTHENTICATED', 4],
    [40301, 'PERMISSION_DENIED', 4],
    [403, 'PERMISSION_DENIED', 4],
    [409, 'INCOMPATIBLE_SCHEMA', 6],
    [42205, 'OPERATION_NOT_PERMITTED', 6],
    [42206, 'REFERENCE_EXISTS', 6],
    [42207, 'SCHEMA_ID_IN_USE', 6],
    [42201, 'INVALID_SCHEMA', 1],
    [500, 'HTTP_500', 1],
    [50001, 'STORAGE_ERROR', 1],
  ])('%i is %s with exit code %i, at once', async (number, code, exitCode) => {
    await using server = await startScriptedRegistry(() => refusal(number, "the server's\n  words"));
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    const status = number < 600 ? `${number}` : `${Math.trunc(number / 100)}, error code ${number}`;
    expect(error.message).toBe(
      number === 40403
        ? 'schema id 5 does not exist'
        : `unable to read the schema with the id 5: the server's words (GET ${server.url}/schemas/ids/5: ${status})`,
    );
    expect(error).toMatchObject({ code, exitCode, number });
    expect(server.calls).toHaveLength(1);
  });

  test.each([50301, 50302, 50002, 50003, 50004, 429])('%i passes: the request is repeated', async (number) => {
    await using server = await startScriptedRegistry(({ before }) =>
      before < 2 ? refusal(number, 'busy') : [200, stringSchema],
    );
    using client = registryOf([server.url]);
    expect(await client.registry.schemaById(5)).toMatchObject({ id: 5 });
    expect(client.sleeps).toEqual([250, 500]);
  });

  test('without an end is reported after the retry timeout, with exit code 5', async () => {
    await using server = await startScriptedRegistry(() => refusal(50301, 'busy'));
    using client = registryOf([server.url], {}, { retry: 1_000 });
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(error.message).toContain(`busy (GET ${server.url}/schemas/ids/5: 503, error code 50301)`);
  });

  test.each([
    [[404, '<html>', { 'content-type': 'text/html; charset=utf-8' }], '404 with an HTML page'],
    [[200, '<html>', { 'content-type': 'text/html' }], '200 with an HTML page'],
    [[200, ''], '200 with an empty answer'],
    [[404, ''], '404 with an empty answer'],
    [[200, 'hello'], '200 with an answer that is not JSON'],
    [[404, { detail: 'no such path' }], '404 with JSON without an error code'],
    [[302, '', { location: 'https://ana:secret@login.example/?token=secret' }], '302 with an empty answer'],
  ] as const)('%j is no answer of a registry', async (answer, words) => {
    await using server = await startScriptedRegistry(() => answer);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    const place = answer[0] === 302 ? ' (it redirects to https://login.example/)' : '';
    expect(error.message).toBe(
      `unable to read the schema with the id 5: GET ${server.url}/schemas/ids/5 returned ${words}, not an answer of a schema registry${place}`,
    );
    expect(error).toMatchObject(
      answer[0] === 404 ? { exitCode: 1, code: 'NOT_SERVED' } : { exitCode: 5, code: 'BAD_ANSWER' },
    );
    expect(error.hints[0]).toContain('registry.hosts');
    expect(server.calls).toHaveLength(1);
  });

  test('with a status above 299 is an error, even if its body is a schema', async () => {
    await using server = await startScriptedRegistry(() => [300, stringSchema]);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
  });

  test('with an error code that is not a whole number counts as one without', async () => {
    await using server = await startScriptedRegistry(() => [404, { error_code: 40_403.5, message: 'gone' }]);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ exitCode: 3, code: 'HTTP_404', number: null });
    expect(error.message).toContain('gone (GET ');
  });

  test('of a gateway shows its status, and its text if it is plain', async () => {
    await using server = await startScriptedRegistry(() => [403, 'RBAC: access denied']);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    expect(error.message).toContain(`RBAC: access denied (GET ${server.url}/schemas/ids/5: 403)`);
    expect(error.exitCode).toBe(4);
  });

  test.each([
    [{ schema: 5 }, '"schema"'],
    [{}, '"schema"'],
    [[], '"schema"'],
    [{ schema: '', references: {} }, '"references"'],
    [{ schema: '', references: [{ name: 'a', subject: 'b' }] }, '"references"'],
    [{ schema: '', schemaType: 5 }, '"schemaType"'],
  ])('%j has another shape than documented: said so', async (body, missing) => {
    await using server = await startScriptedRegistry(() => [200, body]);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER', retryable: false });
    expect(error.message).toBe(`the answer to GET ${server.url}/schemas/ids/5 has no valid ${missing}`);
  });

  const place = { subject: 's', version: 1, id: 7, schema: '"string"' };
  const schema = { type: 'AVRO', text: '"string"', references: [] } as const;
  const ofVersion = (registry: Registry) => registry.schemaOfVersion('s', 'latest');
  const readVersion = (registry: Registry) => registry.readVersion('s', 1, false);
  const nested = Array.from({ length: 200 }).reduce((inner: unknown) => ({ a: inner }), 1);
  const usesOfId = (registry: Registry) => registry.usesOfId(7, false);
  const compatibility = (registry: Registry) => registry.checkCompatibility('s', 1, schema);
  test.each([
    ['a version', ofVersion, { ...place, subject: 5 }, '"subject"'],
    ['a version', ofVersion, { ...place, version: 0 }, '"version"'],
    ['a version', ofVersion, { ...place, version: 2 ** 31 }, '"version"'],
    ['a version', ofVersion, { ...place, id: -1 }, '"id"'],
    ['metadata', readVersion, { ...place, metadata: nested }, '"metadata"'],
    ['the uses of an id', usesOfId, {}, 'list of versions'],
    ['the uses of an id', usesOfId, [{ subject: 's' }], 'list of versions'],
    ['the uses of an id', usesOfId, [{ version: 1 }], 'list of versions'],
    ['compatibility', compatibility, { is_compatible: 'true' }, '"is_compatible"'],
    ['the subjects', (registry: Registry) => registry.subjects(false), ['s', 5], 'list of names'],
    ['references', (registry: Registry) => registry.referencesTo('s', 1, false), ['7'], 'list of numbers'],
  ])('about %s has another shape than documented: said so (%#)', async (_, ask, body, missing) => {
    await using server = await startScriptedRegistry(() => [200, body]);
    using client = registryOf([server.url]);
    const { error } = await failed(ask(client.registry));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER', retryable: false });
    expect(error.message).toContain(` has no valid ${missing}`);
  });

  test('for no subjects can be null', async () => {
    await using server = await startScriptedRegistry(() => [200, null]);
    using client = registryOf([server.url]);
    expect(await client.registry.subjects(false)).toEqual([]);
  });

  test('with an unknown type of schema names it', async () => {
    await using server = await startScriptedRegistry(() => [200, { schema: '<x/>', schemaType: 'XML' }]);
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ code: 'UNKNOWN_SCHEMA_TYPE', exitCode: 1 });
    expect(error.message).toContain('"XML"');
  });
});

describe('a broken connection', () => {
  test.each([
    ['cut before the answer', ({ socket }: Call) => void socket.destroy()],
    [
      'cut in the answer',
      ({ socket }: Call) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"schema"'),
    ],
  ])('%s: a read is repeated', async (_, cut) => {
    await using server = await startScriptedRegistry((call) =>
      call.before === 0 ? void cut(call) : [200, stringSchema],
    );
    using client = registryOf([server.url]);
    expect(await client.registry.schemaById(5)).toMatchObject({ text: '"string"' });
    expect(server.calls).toHaveLength(2);
  });

  test('without an answer ends after the request timeout, with the URL and the option', async () => {
    await using server = await startScriptedRegistry(() => undefined);
    using client = registryOf([server.url], {}, { overhead: 50, retry: 0 });
    const { error } = await failed(client.registry.schemaById(5));
    expect(error).toMatchObject({ exitCode: 5, code: 'REQUEST_TIMEOUT' });
    expect(error.message).toBe(
      `GET ${server.url}/schemas/ids/5 timed out after 50ms (globals.request_timeout_overhead=50ms)`,
    );
  });
});

describe('several addresses', () => {
  test('are tried in order when a connection fails, and the one that works is remembered', async () => {
    await using dead = await deadAddress();
    await using server = await startScriptedRegistry(() => [200, stringSchema]);
    using client = registryOf([`127.0.0.1:${dead.address.port}`, server.url]);
    await client.registry.schemaById(1);
    await client.registry.schemaById(2);
    expect(client.requests.map(({ url, status }) => [new URL(url).port, status])).toEqual([
      [String(dead.address.port), undefined],
      [String(server.port), 200],
      [String(server.port), 200],
    ]);
    expect(client.sleeps).toEqual([]);
  });

  test('are not tried after an answer, whatever it is', async () => {
    await using first = await startScriptedRegistry(() => refusal(40403, 'no such schema'));
    await using second = await startScriptedRegistry(() => [200, stringSchema]);
    using client = registryOf([first.url, second.url]);
    const { error } = await failed(client.registry.schemaById(1));
    expect(error).toMatchObject({ number: 40403 });
    expect(second.calls).toEqual([]);
  });

  test('a read that got no answer is repeated at the next one', async () => {
    await using silent = await startScriptedRegistry(() => undefined);
    await using server = await startScriptedRegistry(() => [200, stringSchema]);
    using client = registryOf([silent.url, server.url], {}, { overhead: 1_000 });
    expect(await client.registry.schemaById(1)).toMatchObject({ id: 1 });
    expect([silent.calls.length, server.calls.length]).toEqual([1, 1]);
  });

  test('that all refuse the connection are all named, at once', async () => {
    await using one = await deadAddress();
    await using two = await deadAddress();
    const [a, b] = [one, two].map(({ address }) => `127.0.0.1:${address.port}`);
    using client = registryOf([String(a), String(b)]);
    const { error } = await failed(client.registry.schemaById(1));
    expect(error.message).toBe(
      `unable to connect to the schema registry at ${a}: TCP: connection refused; unable to connect to the schema registry at ${b}: TCP: connection refused`,
    );
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_REFUSED' });
    expect(error.hints[0]).toContain('-X registry.hosts=HOST:PORT');
    expect(client.sleeps).toEqual([]);
  });

  test('that all refuse the connection are tried again if the retry timeout was set', async () => {
    await using dead = await deadAddress();
    using client = registryOf([`127.0.0.1:${dead.address.port}`], { firstContact: 'retry' }, { retry: 500 });
    const { error } = await failed(client.registry.schemaById(1));
    expect(error).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(client.sleeps.length).toBeGreaterThan(0);
  });
});

test('the end of the command leaves open whether a change was made, not whether something was found', async () => {
  const end = new CliError(5, 'the command timed out', { code: 'COMMAND_TIMEOUT', hints: ['first'] });
  const doubt = 'the registry may have made the change: check before you repeat the command';
  const schema = { type: 'AVRO', text: '"string"', references: [] } as const;
  const hintsOf = async (call: (registry: Registry) => Promise<unknown>): Promise<readonly string[]> => {
    await using server = await startScriptedRegistry(() => void client.abort(end));
    using client = registryOf([server.url]);
    const { error } = await failed(call(client.registry));
    expect(error).toMatchObject({ exitCode: 5, code: 'COMMAND_TIMEOUT' });
    return error.hints;
  };
  const options = { normalize: false, id: undefined, version: undefined, metadata: undefined, dryRun: false };
  expect(await hintsOf((registry) => registry.register('s', schema, options))).toEqual(['first', doubt]);
  const found = { normalize: false, deleted: false };
  expect(await hintsOf((registry) => registry.findSchema('s', schema, found))).toEqual(['first']);
  expect(await hintsOf((registry) => registry.schemaById(1))).toEqual(['first']);
});

test('a registration whose answers are all lost may have been made', async () => {
  await using server = await startScriptedRegistry(({ socket }) => void socket.destroy());
  using client = registryOf([server.url], {}, { retry: 1_000 });
  const schema = { type: 'AVRO', text: '"string"', references: [] } as const;
  const options = { normalize: false, id: undefined, version: undefined, metadata: undefined, dryRun: false };
  const { error } = await failed(client.registry.register('s', schema, options));
  expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
  expect(error.hints.at(-1)).toBe('the registry may have made the change: check before you repeat the command');
  expect(server.calls.length).toBeGreaterThan(1);
});

test('a deletion that a gateway answers in place of the registry is not repeated: it may have been made', async () => {
  await using server = await startScriptedRegistry(() => [504, 'upstream request timeout']);
  using client = registryOf([server.url], {}, { retry: 1_000 });
  const { error } = await failed(client.registry.deleteVersion('s', 1, false));
  expect(error).toMatchObject({ exitCode: 5, retryable: false });
  expect(error.hints).toContain('the registry may have made the change: check before you repeat the command');
  expect(server.calls).toHaveLength(1);
});
