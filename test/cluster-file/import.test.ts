import { describe, expect, it } from 'vitest';
import { readClusterFile } from '../../src/cluster-file/file/document.ts';
import { importedDocument } from '../../src/cluster-file/import/import.ts';

/** What a text becomes; the result is a cluster file without a fault. */
async function imported(...texts: readonly string[]) {
  const sources = texts.map((text, at) => ({
    name: `file${at + 1}.yaml`,
    text,
    read: async (path: string) => `read ${path}`,
  }));
  const { document, losses } = await importedDocument(sources, []);
  expect(JSON.stringify([document, losses])).not.toContain('hidden');
  const read = async () => '{}';
  await readClusterFile([{ name: 'cluster.yaml', text: JSON.stringify(document), read }], undefined);
  return { document, losses };
}

const none = 'no counterpart in a cluster file';
const toProfile = 'how to connect belongs in a profile';
const toVariable = 'set it in the variable that the file names';

describe('weir import', () => {
  it('reads topics and ACLs of topicctl', async () => {
    const topic = `meta: {name: orders, cluster: shop, description: All orders}
spec:
  partitions: 6
  replicationFactor: 3
  retentionMinutes: 100
  placement: {strategy: in-rack, picker: randomized}
  settings: {cleanup.policy: [compact, delete], max.message.bytes: 5542880, preallocate: true}
`;
    const acls = `# one that is empty
---
meta: {name: shop, cluster: shop}
spec:
  acls:
    - resource: {type: topic, name: orders, patternType: literal, principal: 'User:shop', permission: allow}
      operations: [Read, Describe]
    - resource: {type: transactionalID, name: shop-, patternType: prefixed, principal: 'User:shop', host: 10.0.0.1, permission: deny}
      operations: [write, describeConfigs]
---
meta: {name: shop}
spec: {bootstrapAddrs: ['broker:9092'], sasl: {password: hidden}}
`;
    expect(await imported(topic, acls)).toEqual({
      document: {
        weir: 1,
        topics: {
          orders: {
            partitions: 6,
            replicas: 3,
            configs: {
              'cleanup.policy': 'compact,delete',
              'max.message.bytes': '5542880',
              preallocate: 'true',
              'retention.ms': '6000000',
            },
          },
        },
        grants: [{ principal: 'User:shop', consume: 'orders' }],
        acls: [
          {
            principal: 'User:shop',
            host: '10.0.0.1',
            deny: ['write', 'describe_configs'],
            transactional_id: { prefixed: 'shop-' },
          },
        ],
      },
      losses: [
        `file1.yaml:1: topic meta.cluster: ${none}`,
        `file1.yaml:1: topic meta.description: ${none}`,
        'file1.yaml:6: topic spec.placement: weir does not place replicas',
        `file2.yaml:3: ACLs meta.cluster: ${none}`,
        `file2.yaml:11: cluster (topicctl): ${toProfile}`,
      ],
    });
  });

  it('reads topics and users of Strimzi, those of kubectl as well', async () => {
    const list = `apiVersion: v1
kind: List
items:
- apiVersion: kafka.strimzi.io/v1
  kind: KafkaTopic
  metadata: {name: orders, uid: 1-2, labels: {strimzi.io/cluster: shop}}
  spec: {topicName: Orders.All, partitions: 3, replicas: 2, config: {retention.ms: 604800000}}
  status: {topicName: Orders.All}
- apiVersion: kafka.strimzi.io/v1beta2
  kind: KafkaTopic
  metadata: {name: returns, labels: {strimzi.io/cluster: shop}}
- {apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {name: x, annotations: {strimzi.io/managed: 'false'}}}
- apiVersion: kafka.strimzi.io/v1
  kind: KafkaUser
  metadata: {name: shop}
  spec:
    authentication:
      type: scram-sha-512
      password: {valueFrom: {secretKeyRef: {name: shop, key: password}}}
    authorization:
      type: simple
      acls:
      - {resource: {type: topic, name: orders, patternType: prefix}, operations: [Write, Describe], host: '*'}
      - {resource: {type: cluster}, operation: IdempotentWrite, type: deny}
      - {resource: {type: topic, name: orders-*}, operations: [All]}
    quotas: {producerByteRate: 1048576, requestPercentage: 55, controllerMutationRate: 0.5}
- apiVersion: kafka.strimzi.io/v1
  kind: KafkaUser
  metadata: {name: billing}
  spec:
    authentication: {type: tls, validityDays: 30}
    authorization: {type: simple, acls: [{resource: {type: group, name: billing}, operations: [Read]}]}
    quotas: {consumerByteRate: 1}
- {apiVersion: kafka.strimzi.io/v1, kind: KafkaConnect, metadata: {name: shop}}
`;
    expect(await imported(list)).toEqual({
      document: {
        weir: 1,
        topics: {
          'Orders.All': { partitions: 3, replicas: 2, configs: { 'retention.ms': '604800000' } },
          returns: {},
        },
        users: { shop: { mechanisms: ['SCRAM-SHA-512'], password: { env: 'SHOP_PASSWORD' } } },
        grants: [
          { principal: 'User:CN=billing', group: 'billing' },
          { principal: 'User:shop', produce: 'orders*' },
        ],
        acls: [
          { principal: 'User:shop', allow: 'all', topic: { literal: 'orders-*' } },
          { principal: 'User:shop', deny: 'idempotent_write', cluster: true },
        ],
        quotas: [
          { user: 'CN=billing', consumer_byte_rate: 1 },
          { user: 'shop', producer_byte_rate: 1048576, request_percentage: 55, controller_mutation_rate: 0.5 },
        ],
      },
      losses: [
        'file1.yaml:12: KafkaTopic x: left out, because it has the annotation strimzi.io/managed: "false"',
        'file1.yaml:31: KafkaUser spec.authentication.type tls: a certificate is no part of a cluster file; ACLs and quotas are those of CN=NAME',
        'file1.yaml:6: KafkaTopic metadata.labels: a cluster file has no labels; what strimzi.io/cluster names is a profile (2 times)',
        `file1.yaml:19: KafkaUser spec.authentication.password: ${toVariable}`,
        `file1.yaml:31: KafkaUser spec.authentication.validityDays: ${none}`,
        `file1.yaml:34: KafkaConnect (Strimzi): ${none}`,
      ],
    });
  });

  it('reads the resources of Jikkou, with config maps and roles of any file', async () => {
    const topics = `apiVersion: kafka.jikkou.io/v1beta2
kind: KafkaTopicList
items:
  - metadata: {name: events}
    spec: {partitions: -1, replicas: 2, configMapRefs: [Common, Nowhere], configs: {retention.ms: 1, cleanup.policy: compact}}
  - {metadata: {name: gone, annotations: {jikkou.io/delete: true}}, spec: {partitions: 1}}
  - {metadata: {name: left, annotations: {jikkou.io/ignore: true}}, spec: {partitions: 1}}
---
apiVersion: kafka.jikkou.io/v1
kind: KafkaPrincipalAuthorization
metadata: {name: 'User:ana'}
spec:
  roles: [Reader]
  acls: [{resource: {type: transactional_id, pattern: t, patternType: LITERAL}, type: DENY, operations: [DESCRIBE]}]
`;
    const others = `apiVersion: core.jikkou.io/v1
kind: ConfigMap
metadata: {name: Common}
data: {retention.ms: 2, min.insync.replicas: 1}
---
apiVersion: kafka.jikkou.io/v1
kind: KafkaPrincipalRole
metadata: {name: Reader}
spec:
  acls:
    - {type: ALLOW, operations: [READ, DESCRIBE], resource: {type: topic, pattern: 'events', patternType: PREFIXED}, host: '*'}
    - {type: ALLOW, operations: [READ], resource: {type: topic, pattern: '^x.*', patternType: MATCH}, host: '*'}
---
apiVersion: kafka.jikkou.io/v1
kind: KafkaUser
metadata: {name: ana}
spec: {authentications: [{type: scram-sha-256, password: hidden}, {type: scram-sha-512, password: null}]}
---
apiVersion: kafka.jikkou.io/v1
kind: KafkaClientQuotaList
items:
  - {spec: {type: USER_ALL_CLIENTS, entity: {user: ana}, configs: {consumerByteRate: 1024}}}
  - {spec: {type: USER_CLIENT, entity: {user: ben, clientId: app}, configs: {producerByteRate: 1}}}
  - {spec: {type: CLIENTS_DEFAULT, entity: {}, configs: {requestPercentage: 10}}}
---
apiVersion: kafka.jikkou.io/v1
kind: KafkaShareGroup
metadata: {name: queue}
spec: {configs: {share.auto.offset.reset: earliest}}
---
apiVersion: schemaregistry.jikkou.io/v1beta2
kind: SchemaRegistrySubject
metadata: {name: events-value}
spec:
  compatibilityLevel: FULL
  schemaType: PROTOBUF
  schema: {$ref: ./protos/event.proto}
  references: [{name: money.proto, subject: money, version: '2'}, {name: a.proto, subject: a, version: -1}]
`;
    expect(await imported(topics, others)).toEqual({
      document: {
        weir: 1,
        topics: {
          events: {
            replicas: 2,
            configs: { 'retention.ms': '2', 'cleanup.policy': 'compact', 'min.insync.replicas': '1' },
          },
        },
        groups: { queue: { configs: { 'share.auto.offset.reset': 'earliest' } } },
        users: {
          ana: { mechanisms: ['SCRAM-SHA-256', 'SCRAM-SHA-512'], iterations: 8192, password: { env: 'ANA_PASSWORD' } },
        },
        grants: [{ principal: 'User:ana', consume: 'events*' }],
        acls: [{ principal: 'User:ana', deny: 'describe', transactional_id: 't' }],
        quotas: [
          { client_id: '*', request_percentage: 10 },
          { user: 'ana', client_id: '*', consumer_byte_rate: 1024 },
          { user: 'ben', client_id: 'app', producer_byte_rate: 1 },
        ],
        schemas: {
          'events-value': {
            level: 'FULL',
            type: 'PROTOBUF',
            schema: 'read ./protos/event.proto',
            references: [
              { 'money.proto': 'money', version: 2 },
              { 'a.proto': 'a', version: 'latest' },
            ],
          },
        },
      },
      losses: [
        'file1.yaml:5: KafkaTopic spec.configMapRefs: none of the files has the ConfigMap Nowhere',
        'file1.yaml:6: KafkaTopic gone: left out, because it has the annotation jikkou.io/delete',
        'file1.yaml:7: KafkaTopic left: left out, because it has the annotation jikkou.io/ignore',
        'file1.yaml:13: KafkaPrincipalAuthorization User:ana: ACL with the pattern type MATCH: Kafka has literal and prefixed names only',
        `file2.yaml:17: KafkaUser spec.authentications.password: ${toVariable}`,
      ],
    });
  });

  it('reads the resources of the Redpanda operator', async () => {
    const text = `apiVersion: cluster.redpanda.com/v1alpha2
kind: Topic
metadata: {name: clicks}
spec:
  cluster: {clusterRef: {name: rp}}
  overwriteTopicName: Clicks
  partitions: 3
  replicationFactor: 3
  additionalConfig: {cleanup.policy: compact, retention.ms: null}
---
apiVersion: cluster.redpanda.com/v1alpha2
kind: User
metadata: {name: ana}
spec:
  cluster: {clusterRef: {name: rp}}
  authentication: {password: {value: hidden}, syncCredentials: true}
  authorization:
    acls:
      - {type: allow, resource: {type: topic, name: clicks}, operations: [Read]}
      - {type: allow, resource: {type: subject, name: clicks-value}, operations: [Read]}
---
apiVersion: cluster.redpanda.com/v1alpha2
kind: RedpandaRole
metadata: {name: readers}
spec:
  principals: ['User:ana', 'Group:dev']
  internal: true
  authorization: {acls: [{type: allow, resource: {type: group, name: g, patternType: prefixed}, operations: [Read]}]}
---
apiVersion: cluster.redpanda.com/v1alpha2
kind: Group
metadata: {name: dev}
spec: {authorization: {acls: [{type: deny, resource: {type: cluster}, operations: [ClusterAction]}]}}
---
apiVersion: cluster.redpanda.com/v1alpha2
kind: Schema
metadata: {name: clicks-value}
spec: {text: '"string"', compatibilityLevel: ForwardTransitive}
`;
    expect(await imported(text)).toEqual({
      document: {
        weir: 1,
        topics: { Clicks: { partitions: 3, replicas: 3, configs: { 'cleanup.policy': 'compact' } } },
        users: { ana: { mechanisms: ['SCRAM-SHA-512'], password: { env: 'ANA_PASSWORD' } } },
        roles: { __readers: { members: ['User:ana', 'Group:dev'] } },
        grants: [{ principal: 'RedpandaRole:__readers', group: 'g*' }],
        acls: [
          { principal: 'Group:dev', deny: 'cluster_action', cluster: true },
          { principal: 'User:ana', allow: 'read', topic: 'clicks' },
          { principal: 'User:ana', allow: 'read', subject: 'clicks-value' },
        ],
        schemas: { 'clicks-value': { level: 'FORWARD_TRANSITIVE', type: 'AVRO', schema: '"string"' } },
      },
      losses: [
        'file1.yaml:9: Topic spec.additionalConfig with null: the operator does not touch such a config, and neither does a cluster file without it',
        `file1.yaml:5: Topic spec.cluster: ${toProfile}`,
        `file1.yaml:15: User spec.cluster: ${toProfile}`,
        `file1.yaml:16: User spec.authentication.password: ${toVariable}`,
        `file1.yaml:16: User spec.authentication.syncCredentials: ${none}`,
      ],
    });
  });

  it('reads what terraform show -json prints of a state or a plan', async () => {
    const resource = (type: string, name: string, values: object) => ({
      address: `${type}.${name}`,
      mode: 'managed',
      type,
      name,
      values,
    });
    const acl = {
      acl_host: '*',
      acl_permission_type: 'Deny',
      acl_principal: 'User:ana',
      resource_type: 'TransactionalID',
    };
    const module = {
      resources: [
        resource('kafka_topic', 'a', {
          id: 'a',
          name: 'a',
          partitions: 2,
          replication_factor: -1,
          config: { 'segment.ms': '20000' },
        }),
        resource('kafka_acl', 'a', {
          ...acl,
          acl_operation: 'Write',
          resource_name: 't',
          resource_pattern_type_filter: 'Prefixed',
        }),
        resource('kafka_quota', 'a', {
          entity_type: 'client-id',
          entity_name: null,
          config: { consumer_byte_rate: 4000000 },
        }),
        resource('kafka_quota', 'b', {
          entity_type: 'ip',
          entity_name: '10.0.0.1',
          config: { connection_creation_rate: 10 },
        }),
        ...['SHA-256', 'SHA-512'].map((hash) =>
          resource('kafka_user_scram_credential', hash, {
            username: 'ana',
            scram_mechanism: `SCRAM-${hash}`,
            scram_iterations: 8192,
            password: 'hidden',
          }),
        ),
        resource('aws_instance', 'x', {}),
        resource('random_password', 'x', {}),
        { ...resource('kafka_topic', 'x', { name: 'x' }), mode: 'data' },
      ],
      child_modules: [
        {
          resources: [
            resource('confluent_kafka_topic', 'b', {
              topic_name: 'b',
              partitions_count: 4,
              kafka_cluster: [{ id: 'lkc-1' }],
            }),
            resource('confluent_kafka_acl', 'b', {
              resource_type: 'GROUP',
              resource_name: 'g',
              pattern_type: 'LITERAL',
              host: '*',
              operation: 'READ',
              permission: 'ALLOW',
            }),
            resource('redpanda_topic', 'c', {
              name: 'c',
              partition_count: 3,
              replication_factor: 3,
              allow_deletion: false,
            }),
            resource('redpanda_user', 'c', { name: 'c', mechanism: 'scram-sha-512' }),
            resource('redpanda_acl', 'c', {
              resource_type: 'TOPIC',
              resource_name: 'c',
              resource_pattern_type: 'LITERAL',
              principal: 'User:c',
              host: '*',
              operation: 'ALTER_CONFIGS',
              permission_type: 'ALLOW',
            }),
            resource('redpanda_schema_registry_acl', 'c', {
              resource_type: 'REGISTRY',
              resource_name: '*',
              pattern_type: 'LITERAL',
              principal: 'User:c',
              host: '*',
              operation: 'READ',
              permission: 'ALLOW',
            }),
            resource('confluent_subject_config', 'b', { subject_name: 'b', compatibility_level: 'NONE' }),
            resource('confluent_schema', 'b', {
              subject_name: 'b',
              format: 'JSON',
              schema: '{}',
              schema_reference: [{ name: 'n', subject_name: 's', version: 3 }],
            }),
            resource('redpanda_role', 'r', { name: 'r' }),
            ...['a', 'b'].map((user) =>
              resource('redpanda_role_assignment', user, { role_name: 'r', principal: `User:${user}` }),
            ),
          ],
        },
      ],
    };
    const state = await imported(JSON.stringify({ format_version: '1.0', values: { root_module: module } }));
    expect(state).toEqual({
      document: {
        weir: 1,
        topics: {
          a: { partitions: 2, configs: { 'segment.ms': '20000' } },
          b: { partitions: 4 },
          c: { partitions: 3, replicas: 3 },
        },
        users: {
          ana: { mechanisms: ['SCRAM-SHA-256', 'SCRAM-SHA-512'], iterations: 8192, password: { env: 'ANA_PASSWORD' } },
          c: { mechanisms: ['SCRAM-SHA-512'], password: { env: 'C_PASSWORD' } },
        },
        roles: { r: { members: ['User:a', 'User:b'] } },
        acls: [
          { principal: 'User:ana', deny: 'write', transactional_id: { prefixed: 't' } },
          { principal: 'User:c', allow: 'alter_configs', topic: 'c' },
          { principal: 'User:c', allow: 'read', registry: '*' },
        ],
        quotas: [
          { client_id: '*', consumer_byte_rate: 4000000 },
          { ip: '10.0.0.1', connection_creation_rate: 10 },
        ],
        schemas: { b: { level: 'NONE', type: 'JSON', schema: '{}', references: [{ n: 's', version: 3 }] } },
      },
      losses: [
        'confluent_kafka_acl.b: principal is missing or has another form',
        `kafka_user_scram_credential.SHA-256: password: ${toVariable} (2 times)`,
        'aws_instance.x: resource of another provider (Terraform): left out (2 times)',
        `confluent_kafka_topic.b: kafka_cluster: ${toProfile}`,
      ],
    });
    const plan = { format_version: '1.2', planned_values: { root_module: module }, prior_state: { values: {} } };
    expect(await imported(JSON.stringify(plan))).toEqual(state);
  });

  it('keeps the first of two that differ, and what weir would refuse is lost', async () => {
    const topic = (name: string, partitions: number) =>
      `{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {name: ${name}}, spec: {partitions: ${partitions}}}`;
    expect(await imported(topic('a', 1), topic('a', 1), topic('a', 2), topic('b', 0), topic('a/b', 1))).toEqual({
      document: { weir: 1, topics: { a: { partitions: 1 } } },
      losses: [
        'file3.yaml:1: KafkaTopic a: it differs in partitions from file1.yaml:1, which is kept',
        'file4.yaml:1: KafkaTopic b: partitions: expected a whole number from 1 to 100000, not 0',
        'file5.yaml:1: KafkaTopic a/b: this is no name of a topic: it contains "/"',
      ],
    });
  });

  it('advises to render templates', async () => {
    const template = `{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, spec: {partitions: {{ .Values.partitions }}}}`;
    await expect(imported(`${template}\n---\n${template}`)).rejects.toMatchObject({
      exitCode: 2,
      message: 'file1.yaml is a template, and weir reads what is made of it',
      hints: [expect.stringContaining('helm template')],
    });
  });

  it.each(['main.tf', 'terraform.tfstate'])('advises to print the resources of %s', async (name) => {
    await expect(importedDocument([{ name, text: '{"version": 4, "resources": []}' }], [])).rejects.toMatchObject({
      exitCode: 2,
      message: `${name} is a file of Terraform`,
      hints: [expect.stringContaining('terraform show -json > state.json')],
    });
  });

  it.each([
    ['weir: 1', 'file1.yaml:1:1: this is a cluster file already'],
    ['version: 4\nlineage: x\nterraform_version: 1.9.0', 'file1.yaml:1:1: this is the state file of Terraform'],
    ['a: 1\n---\nb: [', 'file1.yaml:1:1: it is in none of the formats that are read: topicctl'],
    ['---\n\nb: [', 'file1.yaml:3:'],
    ['{apiVersion: v1, kind: Secret, metadata: {name: a}}', 'there is nothing to import'],
    ['', 'there is nothing to import'],
  ])('refuses %j', async (text, message) => {
    await expect(imported(text)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });
});
