import { describe, expect, test } from 'vitest';
import {
  beginFlow,
  type FlowOutcome,
  notePluginRun,
  resumeFlow,
  stoppedCreation,
} from '../../../src/byoc/flow/flow.ts';
import { type FlowRecord, newCreation, newDeletion } from '../../../src/byoc/flow/record.ts';
import type { PluginCall } from '../../../src/byoc/plugin/argv.ts';
import type { Cluster } from '../../../src/cloud/cloud-rows.ts';
import { unreachableError } from '../../../src/errors.ts';
import { type FlowModel, Killed, missing, startModel } from './flow-model.ts';

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

test('a BYOC cluster is requested, applied, waited for and read', async () => {
  const model = startModel();
  const { cluster, command } = await begin(model, creation());
  expect(cluster).toMatchObject({ id: 'c1', state: 'STATE_READY' });
  expect(command).toBeUndefined();
  expect(model).toMatchObject({ changes: ['POST cluster'], plugin: ['gcp apply c1'], records: [] });
});

test('a BYOC cluster is deleted, destroyed and waited for; then its network and its resource group', async () => {
  const model = startModel({ cluster: true });
  await begin(model, deletion());
  expect(model.changes).toEqual(['DELETE cluster', 'DELETE network', 'DELETE resource group']);
  expect(model).toMatchObject({ plugin: ['gcp destroy c1'], records: [], cluster: undefined, network: undefined });
});

test('a Dedicated cluster needs no plugin', async () => {
  const model = startModel({ cluster: true, byoc: false });
  await begin(model, deletion('TYPE_DEDICATED'));
  expect(model).toMatchObject({ plugin: [], records: [], cluster: undefined, network: undefined, groupIsThere: false });
});

test('network and resource group stay unless they are named', async () => {
  const model = startModel({ cluster: true });
  await begin(model, deletion('TYPE_BYOC', { destroy: true, withNetwork: false, withResourceGroup: false }));
  expect(model).toMatchObject({ changes: ['DELETE cluster'], network: { state: 'STATE_READY' }, groupIsThere: true });
});

describe.each([
  ['creation', false, creation],
  ['deletion', true, () => deletion()],
  ['deletion of a Dedicated cluster', true, () => deletion('TYPE_DEDICATED')],
] as const)('killed at any point, a %s', (name, cluster, record) => {
  const start = () => startModel({ cluster, byoc: !name.includes('Dedicated') });

  test.each([false, true])(
    'is finished by resuming, and nothing is requested twice (killed after: %s)',
    async (after) => {
      const whole = start();
      await begin(whole, record());
      expect(whole.happened).toBeGreaterThan(8);
      for (let at = 0; at < whole.happened; at++) {
        const model = start();
        model.killAt = { at, after };
        await expect(begin(model, record()), `event ${at}`).rejects.toBeInstanceOf(Killed);
        model.killAt = undefined;
        const begun = model.records.length > 0;
        await finish(model);
        // Killed before the first journal entry, nothing has begun; killed after the last, nothing is left.
        if (!begun && at === 0) await begin(model, record());
        expect(model.records, `event ${at}`).toEqual([]);
        expect(model.changes, `event ${at}`).toEqual(whole.changes);
        expect([model.cluster, model.network, model.groupIsThere]).toEqual([
          whole.cluster,
          whole.network,
          whole.groupIsThere,
        ]);
        // Repeating apply or destroy is harmless, but only the interrupted call is repeated.
        expect(new Set(model.plugin)).toEqual(new Set(whole.plugin));
        expect(model.plugin.length).toBeLessThanOrEqual(whole.plugin.length + 1);
      }
    },
  );

  test('survives being killed repeatedly', async () => {
    const model = start();
    model.killAt = { at: 1, after: true };
    await expect(begin(model, record())).rejects.toBeInstanceOf(Killed);
    for (let kills = 0; model.records.length > 0; kills++) {
      expect(kills).toBeLessThan(60);
      // A little later every second time, so that the flow makes progress.
      model.killAt = { at: model.happened + 2 + Math.floor(kills / 2), after: kills % 2 === 0 };
      await finish(model).catch((error) => expect(error).toBeInstanceOf(Killed));
    }
  });
});

test('without permission the agent stays and the exact command is printed; afterwards the flow continues', async () => {
  const model = startModel({ cluster: true });
  const record = deletion('TYPE_BYOC', { ...everything, destroy: false });
  const { command } = await begin(model, record);
  expect(command).toBe('weir cloud byoc gcp destroy --cluster-id c1 --project-id=p1');
  expect(model.plugin).toEqual([]);
  expect(model.records).toHaveLength(1);

  expect((await finish(model))?.command).toBe(command); // the answer is the same again
  const call: PluginCall = { provider: 'gcp', verb: 'destroy', clusterId: 'c1', rest: [] };
  await model.runner.runPlugin(call);
  await notePluginRun(model.runner.journal, 'http://127.0.0.1:2', call); // of another control plane
  expect(model.records).toMatchObject([{ step: 'agent' }]);
  await notePluginRun(model.runner.journal, options.apiUrl, call);
  expect((await finish(model))?.command).toBeUndefined();
  expect(model).toMatchObject({ records: [], cluster: undefined, network: undefined, groupIsThere: false });
});

test('permission that is given later counts', async () => {
  const model = startModel({ cluster: true });
  await begin(model, deletion('TYPE_BYOC', { ...everything, destroy: false }));
  const [record] = model.records;
  await resumeFlow(record as FlowRecord, model.runner, { destroy: true });
  expect(model).toMatchObject({ plugin: ['gcp destroy c1'], records: [], cluster: undefined });
});

test("the plugin's exit code is the flow's, and the flow can be resumed", async () => {
  const model = startModel();
  model.pluginExit = 17;
  await expect(begin(model, creation())).rejects.toMatchObject({
    exitCode: 17,
    code: 'PLUGIN_FAILED',
    hints: expect.arrayContaining(['resume with: weir cloud resume c1']),
  });
  model.pluginExit = 0;
  expect((await finish(model))?.cluster).toMatchObject({ state: 'STATE_READY' });
  expect(model.changes).toEqual(['POST cluster']);
});

test('a refused request leaves nothing to resume', async () => {
  const model = startModel({ cluster: true }); // the name is taken
  await expect(begin(model, creation())).rejects.toMatchObject({ exitCode: 6, message: 'taken' });
  expect(model.records).toEqual([]);
});

test('an operation that failed is the end of the flow', async () => {
  const model = startModel();
  const { runPlugin } = model.runner;
  const failing = {
    ...model.runner,
    runPlugin: async (...call: Parameters<typeof runPlugin>) => {
      for (const one of model.operations.values()) one.state = 'STATE_FAILED';
      return await runPlugin(...call);
    },
  };
  await expect(beginFlow(creation(), failing)).rejects.toMatchObject({ exitCode: 1, message: 'it failed' });
  expect(model.records).toEqual([]);
});

test('a cluster that was applied from elsewhere is not applied again', async () => {
  const model = startModel();
  model.killAt = { at: 1, after: true }; // the request was made, its answer lost
  await expect(begin(model, creation())).rejects.toBeInstanceOf(Killed);
  model.killAt = undefined;
  model.cluster = { state: 'STATE_CREATING' };
  expect((await finish(model))?.cluster).toMatchObject({ state: 'STATE_READY' });
  expect(model.plugin).toEqual([]);
});

test('a cluster that disappears during its creation is not found, and nothing is left to resume', async () => {
  const model = startModel();
  const { waitForCluster } = model.runner.cloud;
  const vanishing = {
    ...model.runner,
    cloud: {
      ...model.runner.cloud,
      waitForCluster: (...args: Parameters<typeof waitForCluster>) => {
        model.cluster = undefined;
        return waitForCluster(...args);
      },
    },
  };
  await expect(beginFlow(creation(), vanishing)).rejects.toMatchObject({
    exitCode: 3,
    message: 'the cluster c1 no longer exists: it was deleted during its creation',
  });
  expect(model.records).toEqual([]);
});

test.each([
  ['creation', false, creation],
  ['deletion', true, () => deletion()],
] as const)(
  'an operation that is not found in the middle of a %s: the resource itself is watched',
  async (_, cluster, record) => {
    const model = startModel({ cluster });
    const { waitForOperation } = model.runner.cloud;
    const forgetful = {
      ...model.runner,
      cloud: {
        ...model.runner.cloud,
        waitForOperation: async (...args: Parameters<typeof waitForOperation>) => {
          await waitForOperation(...args);
          throw missing('operation');
        },
      },
    };
    await beginFlow(record(), forgetful);
    expect(model.records).toEqual([]);
    expect(model.cluster?.state).toBe(cluster ? undefined : 'STATE_READY');
  },
);

test('a deletion that failed and left the cluster unchanged reports its error and leaves nothing to resume', async () => {
  const model = startModel({ cluster: true });
  const { deleteCluster } = model.runner.cloud;
  const failing = {
    ...model.runner,
    cloud: {
      ...model.runner.cloud,
      deleteCluster: async (id: string) => {
        const operation = await deleteCluster(id);
        for (const one of model.operations.values()) one.state = 'STATE_FAILED';
        model.cluster = { state: 'STATE_READY' };
        return operation;
      },
    },
  };
  await expect(beginFlow(deletion(), failing)).rejects.toMatchObject({ exitCode: 1, message: 'it failed' });
  expect(model).toMatchObject({ records: [], plugin: [] });
});

test('a creation with a secret that was not kept is not repeated, and the error says so', async () => {
  const model = startModel();
  const secret = { ...request, cluster_configuration: { custom_properties: { client_secret: 's3cret' } } };
  model.killAt = { at: 1, after: false };
  await expect(begin(model, newCreation(secret, 'gcp', options))).rejects.toBeInstanceOf(Killed);
  expect(JSON.stringify(model.records)).not.toContain('s3cret');
  model.killAt = undefined;
  await expect(finish(model)).rejects.toMatchObject({
    exitCode: 6,
    hints: expect.arrayContaining([expect.stringContaining('client_secret may be secret and was not stored')]),
  });
  expect(model).toMatchObject({ records: [], changes: [] });
});

test('a creation sends its secrets, although they are not kept', async () => {
  const model = startModel();
  const secret = { ...request, cluster_configuration: { custom_properties: { client_secret: 's3cret' } } };
  const sent: unknown[] = [];
  const { cloud } = model.runner;
  const createCluster: typeof cloud.createCluster = (fields) => {
    sent.push(fields);
    return cloud.createCluster(fields);
  };
  await beginFlow(newCreation(secret, 'gcp', options), { ...model.runner, cloud: { ...cloud, createCluster } });
  expect(sent).toEqual([secret]);
});

test('a creation without the plugin stops before it; nothing resumes it', async () => {
  const model = startModel();
  const runner = { ...model.runner, applies: false, resumeWith: () => undefined };
  const { command, cluster, record } = await beginFlow(creation(), runner);
  expect([record.step, cluster?.state, command]).toEqual([
    'agent',
    'STATE_CREATING_AGENT',
    'weir cloud byoc gcp apply --cluster-id c1 --project-id=p1',
  ]);
  const failing = {
    ...runner,
    cloud: { ...runner.cloud, createCluster: () => Promise.reject(unreachableError('down')) },
  };
  model.records = [];
  await expect(beginFlow(creation(), failing)).rejects.toMatchObject({ message: 'down', hints: [] });
});

const see = 'weir cloud cluster get c1';
const wait = 'weir cloud operation wait o1';
const apply = 'when the state is creating-agent, run: weir cloud byoc gcp apply --cluster-id c1 --project-id=p1';

test.each<[string, Partial<FlowRecord>, string, readonly string[]]>([
  ['create', { cluster_id: null }, 'the request may or may not have arrived', ['check with: weir cloud cluster list']],
  ['agent', {}, 'is preparing it for its agent', [`see its state with: ${see}`, apply, `then wait with: ${wait}`]],
  ['apply', { provider: null }, 'is preparing it', [`see its state with: ${see}`, `then wait with: ${wait}`]],
  ['operation', {}, 'stopped waiting for operation o1; it is still running', [`resume waiting with: ${wait}`]],
  ['read', {}, 'it has been created', [`see it with: ${see}`]],
])('a signal in the step %s of a creation that is not written down says how to go on', (step, part, message, hints) => {
  const record = { ...creation(), cluster_id: 'c1', operation_id: 'o1', step, ...part } as FlowRecord;
  expect(stoppedCreation(record)).toMatchObject({ message: expect.stringContaining(message), hints });
});

test('a network that may not be deleted leaves the rest to be resumed', async () => {
  const model = startModel({ cluster: true });
  model.networkIsReadOnly = true;
  await expect(begin(model, deletion())).rejects.toMatchObject({ exitCode: 4, message: 'forbidden' });
  model.networkIsReadOnly = false;
  await finish(model);
  expect(model).toMatchObject({ records: [], network: undefined, groupIsThere: false });
});

test('a step of another version of weir is refused and kept', async () => {
  const model = startModel({ cluster: true });
  const record = { ...deletion(), step: 'teleport' } as unknown as FlowRecord;
  await expect(begin(model, record)).rejects.toThrow(/unknown step "teleport" in the journal/);
});
