import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterBody, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();
/** Takes every id as it is. */
const documented = cloudWorld({ documentedOnly: true });

function fileWith(body: object): string {
  const file = join(world.home, 'cluster.json');
  writeFileSync(file, JSON.stringify(body));
  return file;
}

/** Lets the next creation give the operation of a cluster that is ready, without the field `resource_id`. */
async function instantCluster() {
  const { plane } = world;
  const { groupId, networkId } = await readyNetwork(plane, { cluster_type: 'TYPE_DEDICATED' });
  const body = clusterBody(groupId, networkId, { type: 'TYPE_DEDICATED' });
  const created = (await plane.api('POST', '/v1/clusters', body)).body.operation;
  await plane.advance(15_000);
  const { operation } = (await plane.api('GET', `/v1/operations/${created.id}`)).body;
  const answer = { operation: { ...operation, resource_id: undefined } };
  await plane.fault('clusters.create', { kind: 'status', status: 202, body: answer });
  return { file: fileWith(body), id: operation.metadata.cluster_id as string };
}

test('the id of a new cluster is that in the metadata of its operation', async () => {
  const { file, id } = await instantCluster();
  expect(await world.json(`cluster create --file ${file}`)).toMatchObject({ id, state: 'STATE_READY' });
});

test.each([
  ['azure', '--subscription-id'],
  ['gcp', '--project-id'],
])('with --apply on %s, %s is required before anything is sent', async (provider, flag) => {
  const part = { cloud_provider: `CLOUD_PROVIDER_${provider.toUpperCase()}` };
  const line = `cluster create --file ${fileWith(clusterBody('g1', 'n1', part))} --apply`;
  const requests = () => documented.plane.journal('?route=clusters.create');
  const without = await documented.cloud(line);
  expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`missing flag ${flag}`) });
  expect(await documented.plane.journal()).toEqual([]);
  await documented.cloud(`${line} ${flag} mine`);
  expect(await requests()).toHaveLength(1);
});
