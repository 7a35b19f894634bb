import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { networkBody, readyCluster, report } from '../../sandbox/cloud/plane.ts';
import type { World } from '../../world.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

let me: CloudPerson;
let place: Awaited<ReturnType<typeof readyCluster>>;
beforeAll(async () => {
  me = await newCloudPerson();
});
afterAll(() => me.plane.stop());
beforeEach(async () => {
  await me.plane.reset();
  place = await readyCluster(me.plane);
  await me.plane.settings({ durations: { clusterDeleteMs: 0, agentRemoveMs: 0, networkDeleteMs: 0 } } as never);
});
afterEach(async () => {
  for (const { id } of me.flows()) await me.run(`cloud resume ${id} --forget`);
});

const left = (id: string, flags: string) =>
  `the agent is still in your own cloud account; run this command, then: weir cloud resume
or let weir do both: weir cloud resume ${id} --destroy${flags}
`;

test('a deletion that waits for its agent says so each time it is resumed', async () => {
  const { clusterId: id } = place;
  const destroy = `weir cloud byoc gcp destroy --cluster-id ${id} --project-id=`;
  const waiting = { stdout: `${destroy}PROJECT\n`, stderr: left(id, ' --project-id PROJECT'), exitCode: 6 };
  expect(await me.run(`cloud cluster delete ${id} --yes`)).toEqual(waiting);
  expect(await me.run('cloud resume')).toEqual(waiting);
  expect(await me.run(`cloud resume ${id}`)).toEqual(waiting);
  const known = { stdout: `${destroy}p\n`, stderr: left(id, ''), exitCode: 6 };
  expect(await me.run('cloud resume --project-id p')).toEqual(known);
});

test('a flow that lacks a flag names it, after the error', async () => {
  const { clusterId: id } = place;
  await me.run(`cloud cluster delete ${id} --yes`);
  expect(await me.run('cloud resume --destroy')).toEqual({
    stdout: `delete cluster "first" (${id}): failed: missing flag --project-id
  hint: resume with: weir cloud resume ${id} --destroy --project-id PROJECT
  hint: or forget it without undoing anything: weir cloud resume ${id} --forget
`,
    stderr: expect.stringContaining('missing flag --project-id'),
    exitCode: 2,
  });
});

test('a resource group that is not empty: what is left in it, and how to resume or forget the flow', async () => {
  const { clusterId: id, groupId } = place;
  const second = networkBody(groupId, { name: 'second', cidr_block: '10.1.0.0/20' });
  expect((await me.plane.api('POST', '/v1/networks', second)).status).toBe(202);
  await me.plane.advance(5_000);
  const spawn: World['spawn'] = async () => {
    await report(me.plane, id, 'removed');
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const line = `cloud cluster delete ${id} --yes --destroy --project-id p --with-network --with-resource-group`;
  const deleted = await me.run(line, { spawn });
  const hints = [
    `see what is left in it with: weir cloud cluster list --resource-group-id ${groupId}`,
    `and: weir cloud network list --resource-group-id ${groupId}`,
    `delete that, then resume with: weir cloud resume ${id}`,
    `or forget it without undoing anything: weir cloud resume ${id} --forget`,
  ];
  expect(deleted.exitCode).toBe(6);
  expect(deleted.stderr).toMatch(/^weir: unable to delete the resource group .* is not empty /m);
  expect(deleted.stderr.match(/(?<=^hint: ).*/gm)).toEqual(hints);
  const resumed = await me.run('cloud resume --format json');
  expect(resumed).toMatchObject({ stderr: expect.stringContaining('is not empty'), exitCode: 6 });
  expect(JSON.parse(resumed.stdout)).toMatchObject([{ state: 'failed', step: 'resource-group', hints }]);
});
