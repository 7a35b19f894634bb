import { expect, test } from 'vitest';
import { adminRoutes } from '../../../src/sandbox/admin/routes.ts';
import { answerSchemas } from './answer-schemas.ts';
import { startSimulator } from './simulator.ts';

/** The documented endpoints that weir calls, with their level and what a node does that is not the leader. */
const documented = `
GET /v1/brokers | user | local
GET /v1/brokers/{id} | user | local
GET /v1/broker_uuids | user | local
PUT /v1/brokers/{id}/decommission | superuser | forward
GET /v1/brokers/{id}/decommission | user | local
PUT /v1/brokers/{id}/recommission | superuser | forward
PUT /v1/brokers/{id}/maintenance | superuser | forward
DELETE /v1/brokers/{id}/maintenance | superuser | forward
POST /v1/brokers/{id}/cancel_partition_moves | superuser | forward
GET /v1/broker/pre_restart_probe | open | local
GET /v1/broker/post_restart_probe | open | local
GET /v1/cluster/health_overview | open | local
GET /v1/cluster/partition_balancer/status | open | forward
POST /v1/cluster/cancel_reconfigurations | superuser | forward
GET /v1/cluster/uuid | open | local
GET /v1/cluster/partitions | user | local
GET /v1/cluster/partitions/{ns}/{topic} | user | local
POST /v1/cluster/partitions/{ns}/{topic} | superuser | to-controller
POST /v1/cluster/partitions/{ns}/{topic}/{partition} | superuser | to-controller
GET /v1/status/ready | open | local
GET /v1/cluster_config | superuser | local
GET /v1/cluster_config/schema | open | local
PUT /v1/cluster_config | superuser | forward
GET /v1/cluster_config/status | superuser | local
GET /v1/node_config | superuser | local
GET /v1/config | superuser | local
GET /v1/loggers | superuser | local
GET /v1/config/log_level/{name} | superuser | local
PUT /v1/config/log_level/{name} | superuser | local
GET /v1/security/users | superuser | local
POST /v1/security/users | superuser | to-controller
PUT /v1/security/users/{user} | superuser | to-controller
DELETE /v1/security/users/{user} | superuser | to-controller
GET /v1/security/roles | superuser | local
POST /v1/security/roles | superuser | to-controller
DELETE /v1/security/roles/{role} | superuser | to-controller
GET /v1/security/roles/{role}/members | superuser | local
POST /v1/security/roles/{role}/members | superuser | to-controller
POST /redpanda.core.admin.v2.SecurityService/ListScramCredentials | superuser | local
POST /redpanda.core.admin.v2.SecurityService/ListCurrentUserRoles | user | local
POST /redpanda.core.admin.v2.SecurityService/ResolveOidcIdentity | user | local
POST /redpanda.core.admin.v2.SecurityService/GetRole | superuser | local
POST /redpanda.core.admin.v2.SecurityService/ListRoles | superuser | local
POST /redpanda.core.admin.v2.SecurityService/AddRoleMembers | superuser | forward
POST /redpanda.core.admin.v2.SecurityService/RemoveRoleMembers | superuser | forward
POST /redpanda.core.admin.v2.ClusterService/ListKafkaConnections | superuser | local
POST /redpanda.core.admin.v2.FeaturesService/GetUpgradeStatus | superuser | forward
POST /redpanda.core.admin.v2.FeaturesService/FinalizeUpgrade | superuser | forward
POST /redpanda.core.admin.v2.IcebergService/GetIcebergStatus | superuser | local
POST /redpanda.core.admin.v2.ShadowLinkService/ListShadowLinks | superuser | forward
POST /redpanda.core.admin.v2.ShadowLinkService/GetShadowLink | superuser | forward
POST /redpanda.core.admin.v2.ShadowLinkService/CreateShadowLink | superuser | forward
POST /redpanda.core.admin.v2.ShadowLinkService/UpdateShadowLink | superuser | forward
POST /redpanda.core.admin.v2.ShadowLinkService/DeleteShadowLink | superuser | forward
POST /redpanda.core.admin.v2.ShadowLinkService/FailOver | superuser | forward
GET /v1/features | user | local
PUT /v1/features/{name} | superuser | to-controller
GET /v1/features/license | user | local
PUT /v1/features/license | superuser | to-controller
GET /v1/features/enterprise | user | local
GET /v1/partitions/{ns}/{topic} | user | local
GET /v1/partitions/{ns}/{topic}/{partition} | user | local
POST /v1/partitions/{ns}/{topic}/{partition}/replicas | superuser | to-controller
POST /v1/partitions/{ns}/{topic}/{partition}/replicas/{node} | superuser | forward
POST /v1/partitions/{ns}/{topic}/{partition}/transfer_leadership | superuser | to-partition
GET /v1/partitions/reconfigurations | user | local
POST /v1/partitions/rebalance | superuser | to-controller
GET /v1/partitions/majority_lost | user | to-controller
POST /v1/partitions/force_recover_from_nodes | user | to-controller
POST /v1/debug/self_test/start | superuser | to-controller
POST /v1/debug/self_test/stop | superuser | to-controller
GET /v1/debug/self_test/status | user | forward
POST /v1/cloud_storage/automated_recovery | superuser | to-controller
GET /v1/cloud_storage/automated_recovery | superuser | to-controller
GET /v1/cloud_storage/status/{topic}/{partition} | user | to-partition
GET /v1/topics/mountable | superuser | local
POST /v1/topics/mount | superuser | forward
POST /v1/topics/unmount | superuser | forward
GET /v1/migrations | superuser | local
PUT /v1/migrations | superuser | forward
DELETE /v1/migrations/{id} | superuser | forward
GET /v1/migrations/{id} | superuser | local
POST /v1/migrations/{id} | superuser | forward
POST /v1/debug/bundle | superuser | local
GET /v1/debug/bundle | superuser | local
DELETE /v1/debug/bundle/{job_id} | superuser | local
GET /v1/debug/bundle/file/{filename} | superuser | local
GET /v1/debug/broker_uuid | user | local
PUT /v1/debug/broker_uuid | superuser | local
GET /v1/transform | user | local
POST /v1/transform/deploy | superuser | forward
DELETE /v1/transform/{name} | superuser | forward
PUT /v1/transform/{name}/meta | superuser | forward`
  .trim()
  .split('\n')
  .sort();

test('it serves exactly the documented endpoints that weir calls, with their levels and duties', () => {
  const served = adminRoutes.map(({ method, path, level, duty }) => `${method} ${path} | ${level} | ${duty}`);
  expect(served.sort(), 'what is served, and what `documented` of this file has').toEqual(documented);
});

test('every endpoint has a documented form of answer, and nothing else has', () => {
  const names = adminRoutes.map(({ name }) => name).sort();
  expect(names, 'the routes, and those with a form in cluster-schemas.ts or work-schemas.ts').toEqual(
    Object.keys(answerSchemas).sort(),
  );
});

test('every endpoint that only reads answers in its documented form', async () => {
  const { ok } = await startSimulator({
    settings: { release: '26.1' },
    seeds: {
      config: {
        data_transforms_enabled: true,
        cloud_storage_enabled: true,
      },
    },
  });
  await ok('POST /v1/security/roles', { body: { role: 'auditor' } });
  await ok('PUT /v1/brokers/2/decommission');
  await ok('POST /v1/debug/bundle', { body: { job_id: '00000000-0000-4000-8000-000000000001' } });
  const examples: Readonly<Record<string, string>> = {
    ns: 'kafka',
    topic: 'orders',
    partition: '0',
    id: '2',
    role: 'auditor',
    name: 'kafka',
  };
  const queries: Readonly<Record<string, string>> = {
    '/v1/partitions/majority_lost': '?dead_nodes=1,2',
  };
  // These need an object that is made first; other tests read them.
  const later = ['bundle.file', 'migrations.get'];
  for (const { name, path } of adminRoutes.filter(({ method }) => method === 'GET')) {
    if (later.includes(name)) continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => examples[key] ?? '');
    await ok(`GET ${filled}${queries[path] ?? ''}`);
  }
});
