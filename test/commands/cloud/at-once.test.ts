import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import { clusterBody, readyNetwork } from '../../sandbox/cloud/plane.ts';
import type { Outcome, World } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

const dedicated = { cluster_type: 'TYPE_DEDICATED' };

/** A file with the body of a cluster's creation. */
async function clusterFile(network: object = {}, part: object = {}): Promise<string> {
  const { groupId, networkId } = await readyNetwork(world.plane, network);
  const file = join(world.home, 'cluster.json');
  writeFileSync(file, JSON.stringify(clusterBody(groupId, networkId, part)));
  return file;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const arrived = async (route: string) => (await world.plane.journal(`?route=${route}`)).length > 0;

/** Runs a line until `route` was called, then the same line again; a signal finally ends the first. */
async function twice(line: string, route: string): Promise<readonly [first: Outcome, second: Outcome]> {
  let kill: (signal: Signal) => void = () => {};
  const onStart: World['onStart'] = (send) => {
    kill = send;
  };
  const first = world.cloud(line, { onStart });
  await until(() => arrived(route));
  const second = await world.cloud(line);
  kill('SIGTERM');
  return [await first, second];
}

const holder = (verb: string) =>
  new RegExp(
    `is in use by process ${process.pid} \\(weir cloud cluster ${verb}, since \\d{4}-\\d\\d-\\d\\dT[\\d:]+Z\\)`,
  );

test('of two deletions of one cluster at the same time, the second is refused and names the first', async () => {
  const file = await clusterFile(dedicated, { type: 'TYPE_DEDICATED' });
  const { resource_id: id } = await world.json(`cluster create --file ${file} --no-wait`);
  await world.plane.advance(15_000);
  const [first, second] = await twice(`cluster delete ${id} --yes`, 'clusters.delete');
  expect(second).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringMatching(holder('delete')) });
  expect(await world.plane.journal('?route=clusters.delete')).toHaveLength(1);
  expect(first.exitCode).toBe(143);
});

test('of two creations of one name at the same time, the second is refused and names the first', async () => {
  const file = await clusterFile(dedicated, { type: 'TYPE_DEDICATED' });
  const [first, second] = await twice(`cluster create --file ${file}`, 'operations.get');
  expect(second).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringMatching(holder('create')) });
  expect(await world.plane.journal('?route=clusters.create')).toHaveLength(1);
  expect(first.exitCode).toBe(143);
});

test('the second of two creations with the plugin is refused; afterwards the unfinished one is named', async () => {
  await world.plane.settings({ durations: { clusterPrepareMs: 60_000 } });
  const file = await clusterFile();
  const line = `cluster create --file ${file} --apply --project-id p1`;
  const [first, second] = await twice(line, 'clusters.get');
  expect(second).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(holder('create')) });
  expect(first.exitCode).toBe(143);
  for (const words of [line, `cluster create --file ${file}`, `cluster create --file ${file} --no-wait`]) {
    const third = await world.cloud(words);
    expect(third).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('an earlier creation of cluster "first" is unfinished'),
    });
    expect(third.stderr).toMatch(/^hint: finish it with: weir cloud resume \S+$/m);
  }
  expect(await world.plane.journal('?route=clusters.create')).toHaveLength(1);
});

test('without --apply, a BYOC cluster is waited for until its agent can be installed', async () => {
  await world.plane.settings({ durations: { clusterPrepareMs: 60_000 } });
  const creating = world.cloud(`cluster create --file ${await clusterFile()} --format json`);
  await until(() => arrived('clusters.get'));
  await world.plane.advance(60_000);
  const { stdout, stderr, exitCode } = await creating;
  const { id, state } = JSON.parse(stdout);
  expect([exitCode, state]).toEqual([0, 'STATE_CREATING_AGENT']);
  expect(stderr).toContain(`weir cloud byoc gcp apply --cluster-id ${id} --project-id=PROJECT`);
});

test('Ctrl-C while a BYOC cluster is prepared says how to continue', async () => {
  await world.plane.settings({ durations: { clusterPrepareMs: 60_000 } });
  let kill: (signal: Signal) => void = () => {};
  const onStart: World['onStart'] = (send) => {
    kill = send;
  };
  const creating = world.cloud(`cluster create --file ${await clusterFile()}`, { onStart });
  await until(() => arrived('clusters.get'));
  kill('SIGINT');
  const { stderr, exitCode } = await creating;
  expect([exitCode, stderr]).toEqual([
    130,
    expect.stringMatching(
      /see its state with: weir cloud cluster get \S+\nhint: when the state is creating-agent, run: weir cloud byoc gcp apply /,
    ),
  ]);
});
