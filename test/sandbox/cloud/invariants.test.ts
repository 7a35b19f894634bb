import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterBody, type Json, networkBody, type Plane, report, startPlane } from './plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
afterAll(() => plane.stop());

/** A call of a client that ignores all rules; `pick` chooses among the existing resources. */
const move = fc.record({
  kind: fc.constantFrom(
    'group',
    'network',
    'network',
    'cluster',
    'cluster',
    'installed',
    'removed',
    'patch',
    'delete cluster',
    'delete network',
    'delete group',
    'fail',
    'advance',
    'advance',
  ),
  pick: fc.nat(),
  dedicated: fc.boolean(),
});

async function make({ kind, pick, dedicated }: { kind: string; pick: number; dedicated: boolean }): Promise<void> {
  const state = plane.state();
  const some = (list: Json[]): Json => list[pick % Math.max(1, list.length)] ?? { id: 'none', resourceGroupId: 'none' };
  const cluster = some(state.clusters);
  const network = some(state.networks);
  const type = dedicated ? 'TYPE_DEDICATED' : 'TYPE_BYOC';
  const moves: Readonly<Record<string, () => Promise<unknown>>> = {
    group: () => plane.api('POST', '/v1/resource-groups', { resource_group: { name: `group-${pick % 5}` } }),
    network: () => {
      const part = { name: `net-${pick % 5}`, cidr_block: `10.${pick % 7}.0.0/16`, cluster_type: type };
      return plane.api('POST', '/v1/networks', networkBody(some(state.resourceGroups).id, part));
    },
    cluster: () => {
      const part = { name: `cluster-${pick % 5}`, type: network.clusterType ?? type };
      return plane.api('POST', '/v1/clusters', clusterBody(network.resourceGroupId, network.id, part));
    },
    installed: () => report(plane, cluster.id, 'installed'),
    removed: () => report(plane, cluster.id, 'removed'),
    patch: () => {
      const body = { cluster_configuration: { custom_properties: { audit_enabled: dedicated } } };
      return plane.api('PATCH', `/v1/clusters/${cluster.id}`, body);
    },
    'delete cluster': () => plane.api('DELETE', `/v1/clusters/${cluster.id}`),
    'delete network': () => plane.api('DELETE', `/v1/networks/${network.id}`),
    'delete group': () => plane.api('DELETE', `/v1/resource-groups/${some(state.resourceGroups).id}`),
    fail: async () => plane.fail(),
    advance: () => plane.advance((pick % 20) * 1_000),
  };
  const answer = (await moves[kind]?.()) as Json;
  expect(answer?.status ?? 200, JSON.stringify(answer?.body)).toBeLessThan(500);
}

/** Initial calls that create clusters, because a random client alone seldom gets that far. */
const beginning = [
  { kind: 'group', pick: 0, dedicated: false },
  { kind: 'network', pick: 0, dedicated: false },
  { kind: 'network', pick: 1, dedicated: true },
  { kind: 'network', pick: 2, dedicated: false },
  { kind: 'advance', pick: 6, dedicated: false },
  { kind: 'cluster', pick: 0, dedicated: false },
  { kind: 'cluster', pick: 1, dedicated: true },
];

/** Checks the invariants that hold after any sequence of calls. */
function check(state: Json): void {
  const ids = (list: Json[]) => new Set(list.map(({ id }) => id));
  const groups = ids(state.resourceGroups);
  const networks = ids(state.networks);
  for (const network of state.networks) expect(groups).toContain(network.resourceGroupId);
  for (const cluster of state.clusters) expect(networks).toContain(cluster.networkId);
  const used = state.clusters.map((cluster: Json) => cluster.networkId);
  expect(new Set(used).size).toBe(used.length);
  const planned = new Set(state.steps.map((step: Json) => step.operationId));
  const gates = new Set(
    state.clusters
      .filter((cluster: Json) => ['STATE_CREATING_AGENT', 'STATE_DELETING_AGENT'].includes(cluster.state))
      .map((cluster: Json) => cluster.id),
  );
  for (const operation of state.operations) {
    // An operation in progress either has a scheduled end or waits for an agent.
    if (operation.state === 'IN_PROGRESS')
      expect(planned.has(operation.id) || gates.has(operation.resourceId)).toBe(true);
    else expect(planned).not.toContain(operation.id);
    expect(operation.finishedAt === null).toBe(operation.state === 'IN_PROGRESS');
    expect(operation.error !== null).toBe(operation.state === 'FAILED');
  }
}

test('after any calls all references are valid and every operation can end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 60 }), async (moves) => {
      await plane.reset();
      for (const one of [...beginning, ...moves]) {
        await make(one);
        check(plane.state());
      }
      // Advance the clock, report for the agents, then advance the clock again.
      for (const event of ['installed', 'removed'] as const) {
        await plane.advance(60_000);
        for (const { id, state } of plane.state().clusters)
          if (state.endsWith('_AGENT')) await report(plane, id, event);
        await plane.advance(60_000);
      }
      const { operations, steps, clusters } = plane.state();
      expect(steps).toEqual([]);
      expect(operations.filter((operation: Json) => operation.state === 'IN_PROGRESS')).toEqual([]);
      for (const { state } of clusters) expect(['STATE_READY', 'STATE_FAILED']).toContain(state);
    }),
    { numRuns: 12 },
  );
}, 300_000);
