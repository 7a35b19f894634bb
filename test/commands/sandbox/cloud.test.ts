import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newCreation } from '../../../src/byoc/flow/record.ts';
import { startOf } from '../../../src/files/process-id.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { newPerson } from './sandbox-world.ts';

interface Row {
  readonly state: string;
  readonly members: readonly { part: string; address: string; state: string; pid: number }[];
}

test('a control plane is added to an existing sandbox, used, kept across a stop, and purged with it', async () => {
  const me = newPerson();
  const status = async () => (await me.json('sandbox status')) as unknown as Row;
  const [port] = await freePorts(1);
  expect((await me.run(`sandbox start --engine simulated --port ${port}`)).stdout).not.toContain('control plane');
  const started = await me.run('sandbox start --cloud');
  expect(started).toMatchObject({ exitCode: 0 });
  expect(started.stdout).toMatch(
    new RegExp(
      `^Started: simulated Kafka 4\\.1\\.1 \\(in memory\\) at 127\\.0\\.0\\.1:${port}, control plane at 127\\.0\\.0\\.1:\\d+$`,
      'm',
    ),
  );
  const before = await status();
  expect(before.members.map(({ part, state }) => [part, state])).toEqual([
    ['kafka', 'running'],
    ['control-plane', 'running'],
  ]);

  expect(readdirSync(join(me.state, 'sandbox')).sort()).toEqual(['control-plane', 'kafka', 'profile.json']);

  expect(await me.run('cloud resource-group create dev')).toMatchObject({ exitCode: 0 });
  expect((await me.run('topic list')).exitCode).toBe(0); // the same profile
  expect((await me.run('sandbox list')).stdout).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}$`, 'm'));

  expect((await me.run('sandbox stop')).exitCode).toBe(0);
  for (const { pid } of before.members) expect(await startOf(pid)).toBeUndefined();
  expect((await me.run('sandbox start')).exitCode).toBe(0); // without --cloud it stays
  const after = await status();
  expect(after.members.map(({ address }) => address)).toEqual(before.members.map(({ address }) => address));
  expect((await me.run('cloud resource-group list')).stdout).toContain('dev');

  const url = `http://${after.members.at(-1)?.address}`;
  const flow = newCreation({ name: 'left' }, null, {
    apiUrl: url,
    now: 0,
    projectId: undefined,
    subscriptionId: undefined,
  });
  mkdirSync(join(me.state, '../cloud'), { recursive: true });
  writeFileSync(join(me.state, '../cloud', `${flow.id}.json`), JSON.stringify(flow));
  const left = await me.run('cloud resume --dry-run');
  expect(left.stdout, left.stderr).toContain('"left"');
  expect(await me.run('cloud login')).toMatchObject({ exitCode: 0 });
  expect((await me.run('cloud auth list')).stdout).toContain('sandbox');

  expect((await me.run('sandbox purge --yes')).exitCode).toBe(0);
  expect((await me.run('cloud auth list')).stdout).not.toContain('sandbox');
  expect((await me.run('cloud resume --dry-run')).stderr).toBe('nothing is unfinished\ndry run: nothing was changed\n');
  for (const { pid } of after.members) expect(await startOf(pid)).toBeUndefined();
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('a dry run names both, and starts neither', async () => {
  const me = newPerson();
  const outcome = await me.run('sandbox start --cloud --dry-run');
  expect(outcome.stdout).toMatch(/^Would start: .*Kafka .*, control plane at 127\.0\.0\.1:\d+$/m);
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});
