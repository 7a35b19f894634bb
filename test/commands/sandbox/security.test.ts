import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { firstFree } from '../../../src/sandbox/ports.ts';
import { newPerson } from './sandbox-world.ts';

test('three brokers form one cluster that asks for a certificate and a password, which the profile has, on every API', async () => {
  const me = newPerson();
  // Below the ports that `freePorts` hands out to tests that run at the same time.
  const port = await firstFree(10_000, 3);
  const started = await me.json(`sandbox start --brokers 3 --mtls --sasl SCRAM-SHA-512 --admin --port ${port}`);
  const pids = kafkaPids(started);
  expect(pids).toHaveLength(3);
  const { brokers } = await me.json('cluster info');
  expect(brokers).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(await me.run('topic create orders -p 3 -r 3')).toMatchObject({ exitCode: 0 });
  expect(await me.run('cluster info -X pass=wrong')).toMatchObject({ exitCode: 4 });
  const { stderr, exitCode } = await me.run('cluster info -X tls.cert= -X tls.key= -X globals.retry_timeout=1s');
  expect(exitCode, stderr).not.toBe(0);

  expect(await me.run('cluster license info')).toMatchObject({ exitCode: 0 });
  expect(await me.run('security role create readers')).toMatchObject({ exitCode: 0 });
  for (const wrong of ['-X pass=wrong', '-X user= -X pass='])
    expect(await me.run(`security role create others ${wrong}`)).toMatchObject({ stdout: '', exitCode: 4 });
  const { stdout } = await me.run('config show admin.hosts --format json');
  const [host = ''] = JSON.stringify(JSON.parse(stdout)).match(/127\.0\.0\.1:\d+/) ?? [];
  const anonymous = { method: 'POST', body: '{"role":"evil"}' };
  expect((await fetch(`http://${host}/v1/security/roles`, anonymous)).status).toBe(403);
  expect((await me.run('doctor')).stdout).toMatch(/admin/i);

  const [, second = 0] = pids;
  process.kill(second, 'SIGKILL');
  await expect.poll(() => startOf(second)).toBeUndefined();
  expect(await me.json('sandbox status')).toMatchObject({ state: 'partly running' });
  // What shows that a broker is down can be asked while it is.
  expect(await me.run('cluster license info')).toMatchObject({ exitCode: 0 });
  const mended = kafkaPids(await me.json('sandbox start'));
  expect([mended[0], mended[2]]).toEqual([pids[0], pids[2]]);
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 0 });
  const other = await me.run('sandbox start --brokers 1');
  expect(other.exitCode).toBe(6);
  expect(other.stderr).toContain('it has 3 brokers');
});

/** The processes of the brokers, in their order. */
function kafkaPids(row: Record<string, unknown>): readonly number[] {
  const members = row.members as readonly { readonly part: string; readonly pid: number }[];
  return members.filter(({ part }) => part === 'kafka').map(({ pid }) => pid);
}
