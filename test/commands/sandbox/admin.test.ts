import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { newPerson } from './sandbox-world.ts';

interface Row {
  readonly members: readonly { part: string; id: number; address: string; state: string; pid: number }[];
}

test('an Admin API is added to an existing sandbox, shows its Kafka, is stopped, started again and purged', async () => {
  const me = newPerson();
  const status = async () => (await me.json('sandbox status')) as unknown as Row;
  const nodes = async () => (await status()).members.filter(({ part }) => part === 'admin');
  expect((await me.run('sandbox start --engine simulated --brokers 3')).exitCode).toBe(0);
  expect(await me.run('topic create orders -p 2')).toMatchObject({ exitCode: 0 });
  const started = await me.run('sandbox start --admin');
  expect(started).toMatchObject({ exitCode: 0 });
  expect(started.stdout).toMatch(
    /, Admin API at 127\.0\.0\.1:(\d+),127\.0\.0\.2:\1,127\.0\.0\.3:\1\n(.*\n)*The Admin API is simulated: its changes are lost/,
  );
  const before = await nodes();
  expect(before.map(({ id, state }) => [id, state])).toEqual([1, 2, 3].map((id) => [id, 'running']));
  expect(new Set(before.map(({ pid }) => pid)).size).toBe(1);

  const get = async (index: number, path: string) =>
    (await fetch(`http://${before[index]?.address}${path}`)).json() as Promise<never>;
  expect(await get(1, '/v1/cluster/partitions/kafka/orders')).toHaveLength(2);
  expect(await get(2, '/v1/node_config')).toMatchObject({ node_id: 3 });
  expect(await get(0, '/v1/cluster/health_overview')).toMatchObject({ is_healthy: true, all_nodes: [1, 2, 3] });
  expect(await get(0, '/v1/features/enterprise')).toMatchObject({ license_status: 'valid' });
  expect(await get(0, '/v1/topics/mountable')).toEqual({ topics: [] });
  expect((await fetch(`http://${before[0]?.address}/sim/journal`)).status).toBe(404); // it is not for tests
  const hosts = before.map(({ address }) => address).join(', ');
  expect((await me.run('profile print')).stdout).toContain(hosts);

  expect((await me.run('sandbox stop')).exitCode).toBe(0);
  for (const { pid } of before) expect(await startOf(pid)).toBeUndefined();
  expect((await me.run('sandbox start')).exitCode).toBe(0); // without --admin it stays
  const after = await nodes();
  expect(after.map(({ address }) => address)).toEqual(before.map(({ address }) => address));
  expect((await me.run('sandbox purge --yes')).exitCode).toBe(0);
  for (const { pid } of after) expect(await startOf(pid)).toBeUndefined();
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('a dry run names it, and starts nothing', async () => {
  const me = newPerson();
  const outcome = await me.run('sandbox start --engine simulated --admin --dry-run');
  expect(outcome.stdout).toMatch(/^Would start: simulated Redpanda 24\.3 .*, Admin API at 127\.0\.0\.1:\d+$/m);
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});
