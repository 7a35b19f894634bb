import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterBody, readyNetwork } from '../../sandbox/cloud/plane.ts';
import type { World } from '../../world.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

let me: CloudPerson;
let clusterId: string;
beforeAll(async () => {
  me = await newCloudPerson();
  const { groupId, networkId } = await readyNetwork(me.plane);
  const created = await me.plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  clusterId = created.body.operation.metadata.cluster_id;
});
afterAll(() => me.plane.stop());

const apply = () => `cloud byoc gcp apply --cluster-id ${clusterId} --project-id p1`;

test("the plugin has the caller's environment without weir's secrets", async () => {
  await me.run(apply(), { env: { WEIR_PASS: 'secret', WEIR_CLOUD_REGION: 'x' } });
  const [start] = me.pluginStarts();
  expect(start?.environment).toMatchObject({ MY_OWN: 'kept', CLOUD_URL: `${me.plane.url}/api/v1` });
  for (const name of ['WEIR_CLOUD_CLIENT_SECRET', 'WEIR_PASS', 'WEIR_CLOUD_TOKEN'])
    expect(start?.environment).not.toHaveProperty(name);
});

test("the plugin is told the control plane's addresses, unless the caller has set them", async () => {
  const told = async (env: World['env'] = {}) => {
    let given: Readonly<Record<string, string | undefined>> = {};
    const spawn: World['spawn'] = async (_, __, options) => {
      given = options.env ?? {};
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    await me.run(apply(), { spawn, env });
    return [given.CLOUD_URL, given.RPK_PUBLIC_API_URL];
  };
  expect(await told()).toEqual([`${me.plane.url}/api/v1`, me.plane.url]);
  const own = { CLOUD_URL: 'http://own.example', RPK_PUBLIC_API_URL: 'http://own.example' };
  expect(await told(own)).toEqual([undefined, undefined]);
});

test('while the plugin runs for a cluster, a second run for it is refused and names the first', async () => {
  let finish: () => void = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let starts = 0;
  let isStarted: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    isStarted = resolve;
  });
  const spawn: World['spawn'] = async () => {
    starts += 1;
    isStarted();
    await running;
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const first = me.run(apply(), { spawn });
  await started;
  const second = await me.run(apply().replace('apply', 'destroy --yes --force'), { spawn });
  const holder = `process ${process.pid} \\(weir cloud byoc gcp apply, since \\S+\\)`;
  expect(second).toMatchObject({
    exitCode: 6,
    stderr: expect.stringMatching(new RegExp(`^weir: the plugin for cluster ${clusterId} is in use by ${holder}\n`)),
  });
  finish();
  expect([(await first).exitCode, starts]).toEqual([0, 1]);
});
