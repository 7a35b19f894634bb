import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import { endlessGrace } from '../../grace.ts';
import { holdLimit } from '../../held-limit.ts';
import { networkBody, readyCluster } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

async function networkFile(): Promise<string> {
  const { id } = await world.json('resource-group create dev');
  const path = join(world.home, 'network.json');
  writeFileSync(path, JSON.stringify(networkBody(id)));
  return path;
}

const reads = async () => (await world.plane.journal()).filter(({ route }) => route === 'operations.get').length;

describe('waiting for an operation', () => {
  test('--no-wait prints the operation and reads it not once', async () => {
    const operation = await world.json(`network create --file ${await networkFile()} --no-wait`);
    expect(operation).toMatchObject({ type: 'TYPE_CREATE_NETWORK', state: 'STATE_IN_PROGRESS' });
    expect(await reads()).toBe(0);
  });

  test('operation wait ends when it has completed', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    await world.plane.advance(5_000);
    expect(await world.json(`operation wait ${id}`)).toMatchObject({ id, state: 'STATE_COMPLETED' });
    expect(await reads()).toBe(1);
  });

  test('a failed operation gives the error of the server, exit 1', async () => {
    world.plane.fail({
      code: 'RESOURCE_EXHAUSTED',
      reason: 'REASON_CLOUD_PROVIDER_STOCKOUT',
      message: 'no machines are left',
    });
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    await world.plane.advance(5_000);
    const outcome = await world.cloud(`operation wait ${id}`);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain('failed: no machines are left');
    expect(outcome.stderr).toContain('REASON_CLOUD_PROVIDER_STOCKOUT');
    const shown = await world.json(`operation get ${id}`);
    expect(shown).toMatchObject({ state: 'STATE_FAILED', error: { message: 'no machines are left' } });
  });

  test('a wait that times out exits with 5 and says how to continue', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    const outcome = await world.cloud(`operation wait ${id} --wait-timeout 200ms`);
    expect(outcome).toEqual({
      stdout: '',
      stderr: `weir: operation ${id} was not done within 200ms (--wait-timeout); it is still running
hint: raise the limit with --wait-timeout DURATION
hint: resume waiting with: weir cloud operation wait ${id}
`,
      exitCode: 5,
    });
  });

  test('a command timeout that was set ends the wait, and the error says how to resume', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    const limit = holdLimit();
    const waiting = world.cloud(`operation wait ${id} ${limit.option}`);
    while ((await reads()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    limit.expire();
    const { exitCode, stderr } = await waiting;
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`timed out (${limit.option.slice(3)} from -X globals.command_timeout)`);
    expect(stderr).toContain(`hint: resume waiting with: weir cloud operation wait ${id}\n`);
    await world.plane.advance(5_000);
  });

  test('Ctrl-C prints the id and the command that continues, exit 130; the operation continues', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    let kill: ((signal: Signal) => void) | undefined;
    const running = world.cloud(`operation wait ${id}`, {
      onStart: (given) => {
        kill = given;
      },
    });
    while ((await reads()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    kill?.('SIGINT');
    const outcome = await running;
    expect(outcome.exitCode).toBe(130);
    expect(outcome.stderr).toContain(`stopped waiting for operation ${id}; it is still running`);
    expect(outcome.stderr).toContain(`hint: resume waiting with: weir cloud operation wait ${id}`);
    await world.plane.advance(5_000);
    expect((await world.json(`operation wait ${id}`)).state).toBe('STATE_COMPLETED');
  });

  test('the same in a real process, at once', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    const child = execa(execPath, [resolve('bin/weir.js'), 'cloud', 'operation', 'wait', id], {
      env: { ...world.env(), ...endlessGrace, HOME: world.home },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    while ((await reads()) === 0) await new Promise((done) => setTimeout(done, 20));
    child.kill('SIGINT');
    const { signal, stderr } = await child;
    expect(signal).toBe('SIGINT'); // which a shell reports as 130
    expect(stderr).toContain(`resume waiting with: weir cloud operation wait ${id}`);
  });

  test('an operation that is gone in the middle of the wait: exit 3', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    await world.plane.fault('operations.get', { kind: 'status', status: 404 }, { skip: 1 });
    const outcome = await world.cloud(`operation wait ${id}`);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toContain(`unable to read the operation ${id}`);
  });

  test('a server that is away for a moment does not end the wait', async () => {
    const { id } = await world.json(`network create --file ${await networkFile()} --no-wait`);
    await world.plane.advance(5_000);
    await world.plane.fault('operations.get', { kind: 'drop', when: 'before' }, { times: 2 });
    expect((await world.json(`operation wait ${id}`)).state).toBe('STATE_COMPLETED');
  });

  test('progress is on stderr and the result alone on stdout', async () => {
    const { clusterId } = await readyCluster(world.plane);
    let isShown = false;
    const outcome = await world.cloud(`cluster update ${clusterId} --set a=b --format json`, {
      terminal: { stderr: 100 },
      onStderr(text) {
        if (!isShown && text.includes('in-progress')) void world.plane.advance(5_000);
        isShown ||= text.includes('in-progress');
      },
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ id: clusterId });
    expect(outcome.stderr).toContain(`updating the cluster ${clusterId}  in-progress`);
  });
});
