import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Chain, startChain } from '../../src/doctor/chain.ts';
import { checkDial } from '../../src/doctor/inspect.ts';
import type { Address } from '../../src/net/address.ts';
import { deadlineOf } from '../services/scripted-client.ts';

const deadline = deadlineOf();
afterEach(() => deadline.dispose());

async function dialed(address: Address, clock = deadline.clock): Promise<Chain['checks']> {
  const chain = startChain({ api: 'kafka', target: address.host, peer: 'b' }, deadline);
  const peer = { name: 'b', host: address.host, server: 'broker', keyPrefix: 'tls', addressHint: '' };
  await checkDial(chain, { address, peer, tls: undefined, withoutTls: 'off', deadline: { ...deadline, clock } });
  return chain.checks;
}

it('says what a host name stands for, and which address accepted the connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const checks = await dialed({ host: 'localhost', port });
  server.close();
  expect(checks).toMatchObject([
    { step: 'dns', status: 'ok', detail: expect.stringMatching(/(^|, )127\.0\.0\.1(,|$)/) },
    { step: 'tcp', status: 'ok', detail: 'connected to 127.0.0.1' },
    { step: 'tls', status: 'skipped', detail: 'off' },
  ]);
});

it('spends no time on a port that does not exist', async () => {
  expect(await dialed({ host: '127.0.0.1', port: 70_000 })).toMatchObject([
    { step: 'dns', status: 'skipped' },
    { step: 'tcp', status: 'failed', duration_ms: 0 },
    { step: 'tls', status: 'skipped', detail: 'tcp failed' },
  ]);
});

it('reports the duration of each step', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // The time between two looks at the clock doubles, so that no two steps take the same.
  let time = 1;
  const now = (): number => {
    time *= 2;
    return time;
  };
  const [dns, tcp] = await dialed({ host: 'localhost', port }, { ...deadline.clock, now });
  server.close();
  expect(dns?.duration_ms).toBeGreaterThan(0);
  expect(tcp?.duration_ms).toBeGreaterThan(dns?.duration_ms ?? 0);
});
