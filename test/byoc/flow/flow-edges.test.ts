import { expect, test } from 'vitest';
import { beginFlow, type FlowOutcome, notePluginRun, resumeFlow } from '../../../src/byoc/flow/flow.ts';
import { type FlowRecord, newCreation, newDeletion } from '../../../src/byoc/flow/record.ts';
import type { Cluster } from '../../../src/cloud/cloud-rows.ts';
import { type FlowModel, Killed, startModel } from './flow-model.ts';

const options = { apiUrl: 'http://127.0.0.1:1', now: 0, projectId: 'p1', subscriptionId: undefined };
const request = { name: 'first', network_id: 'n1', resource_group_id: 'g1', cloud_provider: 'CLOUD_PROVIDER_GCP' };
const creation = () => newCreation(request, 'gcp', options);

const place = { resource_group_id: 'g1', network_id: 'n1', cloud_provider: 'CLOUD_PROVIDER_GCP' };
const shown = (type: string) =>
  ({ id: 'c1', name: 'first', type, state: 'STATE_READY', ...place }) as unknown as Cluster;
const everything = { destroy: true, withNetwork: true, withResourceGroup: true };
const deletion = (type = 'TYPE_BYOC', scope = everything) => newDeletion(shown(type), 'gcp', scope, options);

const begin = (model: FlowModel, record: FlowRecord) => beginFlow(record, model.runner);

/** Repeats `cloud resume`, as a person would. */
async function finish(model: FlowModel): Promise<FlowOutcome | undefined> {
  let outcome: FlowOutcome | undefined;
  for (const record of model.records) outcome = await resumeFlow(record, model.runner);
  return outcome;
}

test('of several operations on a cluster, weir waits for the newest', async () => {
  const model = startModel({ cluster: true, byoc: false });
  // An earlier deletion failed; the one that runs was begun by the request whose answer was lost.
  model.operations.set('old', { type: 'TYPE_DELETE_CLUSTER', resource: 'c1', state: 'STATE_FAILED' });
  model.killAt = { at: 2, after: true };
  await expect(begin(model, deletion('TYPE_DEDICATED'))).rejects.toBeInstanceOf(Killed);
  expect(model.changes).toEqual(['DELETE cluster']);
  model.killAt = undefined;
  await finish(model);
  expect(model).toMatchObject({ records: [], cluster: undefined, changes: expect.arrayContaining(['DELETE network']) });
});

test('a deletion that does not begin is checked every five seconds until the wait times out', async () => {
  const model = startModel({ cluster: true });
  const pauses: number[] = [];
  const { cloud } = model.runner;
  const standing = {
    ...model.runner,
    waitTimeoutMs: 20_000,
    sleep: async (ms: number) => void pauses.push(ms),
    cloud: {
      ...cloud,
      // It stays as it was, while its operation runs.
      waitForCluster: async () => ({ ...shown('TYPE_BYOC') }),
    },
  };
  await expect(beginFlow(deletion(), standing)).rejects.toMatchObject({ exitCode: 5, code: 'WAIT_TIMEOUT' });
  expect(pauses).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
});

test('a flow that an earlier run began is not begun again: its record is kept, and the error says how to resume it', async () => {
  const model = startModel();
  model.killAt = { at: 2, after: true };
  await expect(begin(model, creation())).rejects.toBeInstanceOf(Killed);
  model.killAt = undefined;
  const [kept] = model.records;
  await expect(begin(model, creation())).rejects.toMatchObject({
    exitCode: 6,
    code: 'FLOW_UNFINISHED',
    hints: [expect.stringContaining('weir cloud resume '), expect.stringContaining('--forget')],
  });
  expect(model).toMatchObject({ records: [kept], changes: ['POST cluster'] });
});

test('a run of the plugin is not noted in a flow that went on while its lock was awaited', async () => {
  const model = startModel();
  const waiting: FlowRecord = { ...creation(), step: 'agent', cluster_id: 'c1' };
  const gone: FlowRecord = { ...waiting, step: 'read', begun: true };
  model.records = [gone];
  const journal = { ...model.runner.journal, list: async () => [waiting] };
  const call = { provider: 'gcp', verb: 'apply', clusterId: 'c1', rest: [] } as const;
  await notePluginRun(journal, options.apiUrl, call);
  expect(model.records).toEqual([gone]);
  model.records = [waiting];
  await notePluginRun(journal, options.apiUrl, call);
  expect(model.records).toEqual([{ ...waiting, step: 'operation' }]);
});
