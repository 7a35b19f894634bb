import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { firstFree } from '../../../src/sandbox/ports.ts';
import { newPerson, pidsOf } from './sandbox-world.ts';

// Below the ports that `freePorts` hands out to tests that run at the same time.
let next = 10_000;

/** Three free consecutive ports, different ones each time. */
async function portArgument(): Promise<string> {
  const port = (await firstFree(next, 3)) ?? 0;
  next = port + 3;
  return `--port ${port}`;
}

test('three brokers form one cluster and one sandbox', async () => {
  const me = newPerson();
  const started = await me.json(`sandbox start --brokers 3 ${await portArgument()}`);
  expect(started.members).toHaveLength(3);
  const { brokers } = await me.json('cluster info');
  expect(brokers).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(await me.run('topic create orders -p 3 -r 3')).toMatchObject({ exitCode: 0 });

  const pids = pidsOf(started);
  process.kill(pids[1] ?? 0, 'SIGKILL');
  await expect.poll(() => startOf(pids[1] ?? 0)).toBeUndefined();
  expect(await me.json('sandbox status')).toMatchObject({ state: 'partly running' });
  const mended = pidsOf(await me.json('sandbox start'));
  expect([mended[0], mended[2]]).toEqual([pids[0], pids[2]]);
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 0 });

  const other = await me.run('sandbox start --brokers 1');
  expect(other.exitCode).toBe(6);
  expect(other.stderr).toContain('it has 3 brokers');
});

test('--mtls --sasl --admin asks for a certificate and a password, which the profile has, on every API', async () => {
  const me = newPerson();
  await me.run(`sandbox start --mtls --sasl SCRAM-SHA-512 --admin ${await portArgument()}`);
  expect(await me.run('cluster info')).toMatchObject({ exitCode: 0 });
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
  // What shows that the brokers are down can be asked while they are.
  const [broker = 0] = pidsOf(await me.json('sandbox status'));
  process.kill(broker, 'SIGKILL');
  await expect.poll(() => startOf(broker)).toBeUndefined();
  expect((await me.run('cluster license info')).exitCode).toBe(0);
});
