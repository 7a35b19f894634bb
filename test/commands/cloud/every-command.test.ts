import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { readyCluster } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

/** A line for each command with its exit code; FORMAT is the output format's name, the rest ids of existing resources. */
const lines: Readonly<Record<string, readonly [line: string, exitCode: number]>> = {
  login: ['login', 0],
  logout: ['logout --all', 0],
  'auth list': ['auth list', 0],
  'auth use': ['auth use ci-admin', 0],
  'auth delete': ['auth delete nobody', 3],
  'auth token': ['auth token', 0],
  'resource-group create': ['resource-group create group-FORMAT', 0],
  'resource-group list': ['resource-group list', 0],
  'resource-group get': ['resource-group get GROUP', 0],
  'resource-group delete': ['resource-group delete GROUP --yes', 6],
  'network create': ['network create --name net', 2],
  'network list': ['network list --name-contains net', 0],
  'network get': ['network get NETWORK', 0],
  'network delete': ['network delete NETWORK --yes', 6],
  'region list': ['region list --cluster-type byoc', 0],
  'cluster create': ['cluster create --file nothing.yaml', 2],
  'cluster list': ['cluster list', 0],
  'cluster get': ['cluster get CLUSTER', 0],
  'cluster update': ['cluster update CLUSTER --set a=b --no-wait', 0],
  'cluster delete': ['cluster delete CLUSTER --dry-run', 0],
  'cluster select': ['cluster select CLUSTER --name FORMAT', 0],
  'operation get': ['operation get OPERATION', 0],
  'operation list': ['operation list --type create_cluster', 0],
  'operation wait': ['operation wait OPERATION', 0],
  'role-binding create': ['role-binding create --role-name Reader --account-id nobody --resource-id CLUSTER', 3],
  'role-binding list': ['role-binding list', 0],
  'role-binding get': ['role-binding get nope', 3],
  'role-binding delete': ['role-binding delete nope --yes', 3],
  'user list': ['user list', 0],
  'user get': ['user get nope', 3],
  'service-account create': ['service-account create --name account-FORMAT', 0],
  'service-account list': ['service-account list', 0],
  'service-account get': ['service-account get nope', 3],
  'service-account delete': ['service-account delete nope --yes', 3],
  'byoc install': ['byoc install --cluster-id nope', 3],
  'byoc uninstall': ['byoc uninstall', 0],
  'byoc aws apply': ['byoc aws apply --cluster-id nope', 3],
  'byoc aws destroy': ['byoc aws destroy --cluster-id nope --yes', 3],
  'byoc aws validate': ['byoc aws validate --cluster-id nope', 3],
  'byoc azure apply': ['byoc azure apply --cluster-id nope --subscription-id s', 3],
  'byoc azure destroy': ['byoc azure destroy --cluster-id nope --subscription-id s --yes', 3],
  'byoc azure validate': ['byoc azure validate --cluster-id nope --subscription-id s', 3],
  'byoc gcp apply': ['byoc gcp apply --cluster-id nope --project-id p', 3],
  'byoc gcp destroy': ['byoc gcp destroy --cluster-id nope --project-id p --yes', 3],
  'byoc gcp validate': ['byoc gcp validate --cluster-id nope --project-id p', 3],
  resume: ['resume', 0],
};

describe('every command of the cloud', () => {
  test('has its line here', async () => {
    const leaves = leavesOf(await walkTree(commands)).filter(({ path }) => path[0] === 'cloud');
    const names = leaves.filter(({ command }) => !command.hidden).map(({ path }) => path.slice(1).join(' '));
    expect(Object.keys(lines).sort()).toEqual(names.sort());
  });

  test.each(Object.values(lines))('%s: exit %d in every format', async (line, exitCode) => {
    const { groupId, networkId, clusterId, createOperation } = await readyCluster(world.plane);
    await world.cloud('login');
    for (const format of ['text', 'json', 'yaml']) {
      const words = line
        .replace('FORMAT', format)
        .replace('GROUP', groupId)
        .replace('NETWORK', networkId)
        .replace('CLUSTER', clusterId)
        .replace('OPERATION', createOperation);
      const outcome = await world.cloud(`${words} --format ${format}`);
      expect({ format, exitCode: outcome.exitCode, stderr: outcome.stderr }).toMatchObject({ format, exitCode });
      if (format === 'text') continue;
      const text = exitCode === 0 ? outcome.stdout : outcome.stderr;
      const [document] = parseAllDocuments(text);
      expect(document?.errors).toEqual([]);
      if (exitCode !== 0)
        expect(document?.toJS()).toMatchObject({ error: { code: expect.any(String), retryable: false } });
    }
  });
});
