import { describe, expect, test } from 'vitest';
import type { ConfigChange, ConfigValue } from '../../src/admin/config-rows.ts';
import { failed } from '../net/http-peers.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, refusal, type ScriptedNode, startNode } from './admin-of.ts';

/** A change of the given values. */
function changing(upsert: Readonly<Record<string, ConfigValue>>, more: Partial<ConfigChange> = {}): ConfigChange {
  return { upsert: new Map(Object.entries(upsert)), remove: [], ...more };
}

const put = 'PUT /v1/cluster_config';
const puts = ({ calls }: ScriptedNode) => calls.filter(({ line }) => line.startsWith('PUT'));
const noLeader = refusal(404, 'unknown route');

describe('the values of properties', () => {
  test('numbers keep all their digits, and other values their types', async () => {
    const body =
      '{"big":9223372036854775807,"low":-9007199254740993,"small":7,"float":1e-7,"large":1e300,"text":"1","list":[18446744073709551615],"none":null,"__proto__":1}';
    const node = await startNode(({ line }) =>
      line.startsWith('GET /v1/cluster_config?') ? [200, body, { 'content-type': 'application/json' }] : noLeader,
    );
    const { values, set } = await adminOf([node.url]).admin.configuration();
    expect([...values]).toEqual([
      ['big', 9223372036854775807n],
      ['low', -9007199254740993n],
      ['small', 7],
      ['float', 1e-7],
      ['large', 1e300],
      ['text', '1'],
      ['list', [18446744073709551615n]],
      ['none', null],
      ['__proto__', 1],
    ]);
    expect([...set]).toEqual([...values.keys()]);
    expect(node.lines().filter((line) => line.includes('cluster_config'))).toEqual([
      'GET /v1/cluster_config?include_defaults=true',
      'GET /v1/cluster_config?include_defaults=false',
    ]);
  });

  test('are sent with all their digits and as their types, by a request with both keys', async () => {
    const node = await startNode(({ line }) => (line === put ? [200, { config_version: 9 }] : noLeader));
    const change = changing({ big: 9223372036854775807n, list: ['a', 2n ** 64n], none: null, on: true, text: '"#' });
    const outcome = await adminOf([node.url]).admin.changeConfiguration({ ...change, remove: ['other'] });
    expect(outcome).toEqual({ version: 9 });
    expect(puts(node).map(({ body }) => body)).toEqual([
      '{"upsert":{"big":9223372036854775807,"list":["a",18446744073709551616],"none":null,"on":true,"text":"\\"#"},"remove":["other"]}',
    ]);
  });

  test.each([[[]], [7], [null]])('an answer that is %j is none', async (body) => {
    const node = await startNode(({ line }) => (line.includes('cluster_config') ? [200, body] : noLeader));
    const { admin } = adminOf([node.url]);
    expect((await failed(admin.configuration())).error).toMatchObject({ code: 'BAD_ANSWER' });
    expect((await failed(admin.configSchema())).error).toMatchObject({ code: 'BAD_ANSWER' });
    expect((await failed(admin.changeConfiguration(changing({ a: 1 })))).error).toMatchObject({ code: 'BAD_ANSWER' });
  });
});

describe('the schema', () => {
  test('what older servers leave out has a default', async () => {
    const properties = { b: { type: 'string' }, a: { type: 'array', items: { type: 'integer' }, aliases: ['old'] } };
    const node = await startNode(({ line }) => (line.endsWith('/schema') ? [200, { properties }] : noLeader));
    const schema = await adminOf([node.url]).admin.configSchema();
    const blank = {
      ...{ description: '', nullable: false, needs_restart: false, is_secret: false, visibility: 'user' },
      ...{ units: null, example: null, enum_values: [] },
    };
    expect([...schema.values()]).toEqual([
      { ...blank, name: 'a', type: 'array', items: 'integer', aliases: ['old'] },
      { ...blank, name: 'b', type: 'string', items: null, aliases: [] },
    ]);
  });
});

describe('a change of the configuration', () => {
  test.each(['before', 'after'] as const)('is repeated when the connection is cut %s it is made', async (when) => {
    const { api, switches, ok } = await startSimulator();
    switches.addFault({ route: 'config.change', effect: { kind: 'drop', when } });
    const { admin, sleeps } = adminOf(api.addresses);
    expect(await admin.changeConfiguration(changing({ enable_sasl: true }))).toEqual({ version: 2 });
    expect(sleeps).toEqual([250]);
    expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual({ enable_sasl: true });
  });

  test('a removal that is repeated makes one more version, and the same values', async () => {
    const { api, switches, ok } = await startSimulator({ seeds: { config: { enable_sasl: true } } });
    switches.addFault({ route: 'config.change', effect: { kind: 'drop', when: 'after' } });
    const { admin } = adminOf(api.addresses);
    const outcome = await admin.changeConfiguration(changing({}, { remove: ['enable_sasl'] }));
    expect(outcome).toEqual({ version: 3 });
    expect(await ok('GET /v1/cluster_config?include_defaults=false')).toEqual({});
  });

  test('that locks its sender out is not taken for refused when it is repeated', async () => {
    const node = await startNode(({ line, before, socket }) => {
      if (line !== put) return noLeader;
      return before === 0 ? void socket.destroy() : refusal(403, 'only a superuser may do this');
    });
    const { error } = await failed(adminOf([node.url]).admin.changeConfiguration(changing({ superusers: [] })));
    expect(error).toMatchObject({ exitCode: 4 });
    expect(error.hints).toContain('the cluster may have made the change: check before you repeat the command');
  });

  test.each([
    ['', { a: 'unknown property', b: 'out of range' }],
    [' in a message', { message: JSON.stringify({ a: 'unknown property', b: 'out of range' }), code: 400 }],
  ])('the reasons of a refusal%s are by property', async (_, body) => {
    const node = await startNode(({ line }) => (line === put ? [400, body] : noLeader));
    const outcome = await adminOf([node.url]).admin.changeConfiguration(changing({ a: 1, b: 2 }));
    expect(outcome).toMatchObject({ version: null, error: { exitCode: 1, code: 'INVALID_REQUEST' } });
    expect('reasons' in outcome && [...outcome.reasons]).toEqual([
      ['a', 'unknown property'],
      ['b', 'out of range'],
    ]);
  });

  test('a refusal without reasons by property is an error', async () => {
    const node = await startNode(({ line }) => (line === put ? refusal(400, 'bad body') : noLeader));
    const { error } = await failed(adminOf([node.url]).admin.changeConfiguration(changing({ a: 1 })));
    expect(error.message).toBe(`unable to change the configuration: bad body (PUT ${node.url}/v1/cluster_config: 400)`);
  });

  test('integers inside objects and lists keep all their digits', async () => {
    const node = await startNode(({ line }) => (line.startsWith(put) ? [200, { config_version: 1 }] : noLeader));
    await adminOf([node.url]).admin.changeConfiguration(changing({ a: [{ limit: 9_007_199_254_740_993n }] }));
    expect(puts(node)[0]?.body).toContain('[{"limit":9007199254740993}]');
  });

  test('a check and a forced change are marked as such', async () => {
    const node = await startNode(({ line }) => (line.startsWith(put) ? [200, { config_version: 1 }] : noLeader));
    const { admin } = adminOf([node.url]);
    await admin.checkConfiguration(changing({ a: 1 }));
    await admin.changeConfiguration(changing({ a: 1 }, { force: true }));
    await admin.changeConfiguration(changing({ a: 1 }, { force: false }));
    expect(puts(node).map(({ line }) => line)).toEqual([`${put}?dry_run=true`, `${put}?force=true`, put]);
  });

  test('goes to the leader, and so do the reads, which see it at once', async () => {
    const { api, switches } = await startSimulator();
    switches.moveController({ to: 2, electionMs: 0 });
    await switches.advance(1);
    const { admin } = adminOf(api.addresses);
    await admin.changeConfiguration(changing({ enable_sasl: true }));
    expect((await admin.configuration()).values.get('enable_sasl')).toBe(true);
    expect((await admin.configStatus()).map((one) => one.config_version)).toEqual([1, 1, 2]);
    const asked = switches.journal().filter(({ route }) => route?.startsWith('config.'));
    expect(new Set(asked.map(({ node }) => node))).toEqual(new Set([2]));
  });
});

describe('the wait for a version', () => {
  const status = (...versions: readonly number[]) =>
    versions.map((version, at) => ({
      node_id: 2 - at,
      restart: false,
      config_version: version,
      invalid: [],
      unknown: [],
    }));

  test('ends when every broker has it or a later one, and shows every state', async () => {
    const states = [status(1, 2, 3), status(2, 2, 3), status(3, 3, 3)];
    const node = await startNode(({ line, before }) => (line.endsWith('/status') ? [200, states[before]] : noLeader));
    const seen: number[][] = [];
    const rows = await adminOf([node.url]).admin.waitForConfig(2, {
      ...{ waitTimeoutMs: 60_000, resumeWith: 'weir x' },
      onProgress: (state) => seen.push(state.map((one) => one.config_version)),
    });
    expect(seen).toEqual([
      [3, 2, 1],
      [3, 2, 2],
    ]);
    expect(rows.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  test('without a version is for the latest one, and no brokers at all are not an end', async () => {
    const states = [[], status(1, 2), status(2, 2)];
    const node = await startNode(({ line, before }) => (line.endsWith('/status') ? [200, states[before]] : noLeader));
    const how = { waitTimeoutMs: 60_000, resumeWith: 'weir x', onProgress: () => undefined };
    expect((await adminOf([node.url]).admin.waitForConfig(undefined, how)).length).toBe(2);
    expect(node.lines().filter((line) => line.endsWith('/status'))).toHaveLength(3);
  });
});
