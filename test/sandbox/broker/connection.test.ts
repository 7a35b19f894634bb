import { expect, test } from 'vitest';
import type { Layout } from '../../../src/kafka/protocol/wire/api.ts';
import { apiVersions } from '../../../src/kafka/protocol/wire/apis/api-versions.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
import { encodeRequest, rawClient } from './client.ts';
import { createModelCluster } from './control.ts';

const named = { clientSoftwareName: 'raw', clientSoftwareVersion: '1' };
const broker = (seed = 1) => {
  const clock = createVirtualClock(seed);
  const cluster = createModelCluster({ clock, brokers: [{ id: 1, host: 'one', port: 9092 }] });
  return { clock, cluster, client: rawClient(cluster, 1) };
};

test('every version of ApiVersions is answered', async () => {
  const { client } = broker();
  for (let [version, last] = apiVersions.versions; version <= last; version += 1) {
    const answer = await client.ask(apiVersions, named, version);
    expect(answer.errorCode).toBe(0);
    expect(answer.apiKeys).toContainEqual({ apiKey: 18, minVersion: 0, maxVersion: 4 });
  }
});

test('an unsupported version of ApiVersions is answered in version 0 with UNSUPPORTED_VERSION', async () => {
  const { client } = broker();
  client.send(encodeRequest(apiVersions as unknown as Layout, { version: 9, id: 77 }, named));
  expect(client.unexpected[0]?.toString('hex')).toBe('0000004d' + '0023' + '00000001' + '0012' + '0000' + '0004');
  expect(client.isClosed).toBe(false);
});

test('an unknown API or a malformed request closes the connection', () => {
  for (const frame of ['03e7000000000001ffff', '00', '00120000' + '00000001' + 'ffff' + 'ab']) {
    const { client } = broker();
    client.send(Buffer.from(frame, 'hex'));
    expect(client.isClosed, frame).toBe(true);
  }
});

test('a delayed response blocks the requests after it', async () => {
  const { clock, cluster, client } = broker();
  cluster.control.fault({ api: 'ApiVersions', action: { kind: 'late', milliseconds: 100 } });
  const order: string[] = [];
  const first = client.ask(apiVersions, named).then(() => order.push(`first at ${clock.now()}`));
  const second = client.ask(apiVersions, named).then(() => order.push(`second at ${clock.now()}`));
  await clock.runUntil(Promise.all([first, second]));
  expect(order).toEqual(['first at 100', 'second at 100']);
  expect(clock.pending).toBe(0);
});

test('faults refuse, cut, swallow and change the selected requests', async () => {
  const { clock, cluster, client } = broker();
  cluster.control.fault({ api: 'ApiVersions', times: 2, action: { kind: 'refuse', code: 7 } });
  cluster.control.fault({
    api: 'ApiVersions',
    action: { kind: 'change', change: () => ({ errorCode: 9, apiKeys: [] }) },
  });
  cluster.control.fault({ api: 'ApiVersions', broker: 2, action: { kind: 'refuse', code: 1 } });
  const codes: number[] = [];
  for (let n = 0; n < 4; n += 1) codes.push((await client.ask(apiVersions, named)).errorCode);
  expect(codes).toEqual([7, 7, 9, 0]);
  cluster.control.fault({ api: 'ApiVersions', action: { kind: 'do-and-cut' } });
  await expect(client.ask(apiVersions, named)).rejects.toThrow('closed');
  const other = rawClient(cluster, 1);
  cluster.control.fault({ api: 'ApiVersions', action: { kind: 'swallow' } });
  await expect(clock.runUntil(other.ask(apiVersions, named))).rejects.toThrow('no timer is left');
});
