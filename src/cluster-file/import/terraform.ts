import { fieldsOf, isObject } from '../../shape/object.ts';
import { anything, at, filled, maybe, object, row, string, unless } from '../../shape/shape.ts';
import {
  aclPieces,
  configsOf,
  connection,
  piece,
  quotaPieces,
  referenceRow,
  ruleRow,
  schemaPiece,
  setPassword,
  unlessDefault,
  userPiece,
} from './pieces.ts';
import { type Format, type Reader, type Resource, reader, rows, type Way } from './resource.ts';

type RuleNames = Parameters<typeof ruleRow>[0];

/** One ACL with one operation, as all providers have it. */
function acl(fields: RuleNames, principal: string): Reader {
  return reader(row({ ...ruleRow(fields).fields, principal: at(principal, filled) }), (given) => {
    const { principal: whose, ...rule } = given;
    return aclPieces(whose, rule);
  });
}

const confluentAcl: RuleNames = {
  type: 'resource_type',
  name: 'resource_name',
  pattern: 'pattern_type',
  host: 'host',
  permission: 'permission',
  operations: 'operation',
};

/** The field of a quota, by the type of its entity. */
const entityFields: Readonly<Record<string, string>> = { user: 'user', 'client-id': 'client_id', ip: 'ip' };

/** The kind of what other providers have made. */
const ofOthers = 'resource of another provider';

/** The output of `terraform show -json`, of a state or a plan, with the providers of Mongey, Confluent and Redpanda. */
export const terraform: Format = {
  name: 'Terraform',
  hasAddresses: true,
  resourcesIn({ value, way }) {
    const { format_version: version, planned_values: planned, values } = fieldsOf(value);
    if (typeof version !== 'string') return undefined;
    const [field, state] = isObject(planned) ? ['planned_values', planned] : ['values', values];
    return resourcesOf(fieldsOf(state).root_module, [...way, field, 'root_module']);
  },
  readers: {
    kafka_topic: reader(
      row({
        name: filled,
        partitions: anything,
        replicas: at('replication_factor', anything),
        config: maybe(object),
      }),
      ({ name, partitions, replicas, config }) => [
        piece('topics', name, { partitions, replicas: unlessDefault(replicas), configs: configsOf(config) }),
      ],
    ),
    kafka_acl: acl(
      {
        type: 'resource_type',
        name: 'resource_name',
        pattern: 'resource_pattern_type_filter',
        host: 'acl_host',
        permission: 'acl_permission_type',
        operations: 'acl_operation',
      },
      'acl_principal',
    ),
    kafka_quota: reader(
      row({ entity_type: string, entity_name: maybe(filled), config: maybe(object) }),
      ({ entity_type: type, entity_name: name, config }) =>
        quotaPieces({ [entityFields[type] ?? type]: name ?? '*' }, config ?? {}),
    ),
    kafka_user_scram_credential: reader(
      row({ username: filled, scram_mechanism: string, scram_iterations: anything }),
      ({ username, scram_mechanism: mechanism, scram_iterations: iterations }) => [
        userPiece(username, mechanism, iterations),
      ],
    ),
    confluent_kafka_topic: reader(
      row({ name: at('topic_name', filled), partitions: at('partitions_count', anything), config: maybe(object) }),
      ({ name, partitions, config }) => [piece('topics', name, { partitions, configs: configsOf(config) })],
    ),
    confluent_kafka_acl: acl(confluentAcl, 'principal'),
    confluent_schema: reader(
      row({
        subject: at('subject_name', filled),
        type: at('format', maybe(string)),
        schema: filled,
        references: at('schema_reference', rows(referenceRow('subject_name'))),
      }),
      ({ subject, ...schema }) => [schemaPiece(subject, schema)],
    ),
    confluent_subject_config: reader(
      row({ subject: at('subject_name', filled), level: at('compatibility_level', maybe(string)) }),
      ({ subject, level }) => [schemaPiece(subject, { level })],
    ),
    redpanda_topic: reader(
      row({
        name: filled,
        partitions: at('partition_count', anything),
        replicas: at('replication_factor', anything),
        configuration: maybe(object),
      }),
      ({ name, partitions, replicas, configuration }) => [
        piece('topics', name, {
          partitions: unlessDefault(partitions),
          replicas: unlessDefault(replicas),
          configs: configsOf(configuration),
        }),
      ],
    ),
    redpanda_acl: acl(
      { ...confluentAcl, pattern: 'resource_pattern_type', permission: 'permission_type' },
      'principal',
    ),
    redpanda_schema_registry_acl: acl(confluentAcl, 'principal'),
    redpanda_user: reader(row({ name: filled, mechanism: unless('scram-sha-256', string) }), ({ name, mechanism }) => [
      userPiece(name, mechanism),
    ]),
    redpanda_role: reader(row({ name: filled }), ({ name }) => [piece('roles', name, {})]),
    redpanda_role_assignment: reader(
      row({ role: at('role_name', filled), principal: filled }),
      ({ role, principal }) => [piece('roles', role, { members: [principal] })],
    ),
    redpanda_schema: reader(
      row({
        subject: filled,
        schema: filled,
        type: at('schema_type', unless('AVRO', string)),
        level: at('compatibility', maybe(string)),
        references: rows(referenceRow()),
      }),
      ({ subject, ...schema }) => [schemaPiece(subject, schema)],
    ),
  },
  ignored: ['id', 'version', 'schema_identifier'],
  reasons: {
    ...Object.fromEntries(
      ['kafka_cluster', 'schema_registry_cluster', 'rest_endpoint', 'credentials', 'cluster_id', 'cluster_api_url'].map(
        (field) => [field, connection],
      ),
    ),
    [ofOthers]: 'left out',
    password: setPassword,
    password_wo: setPassword,
  },
};

/** The resources of a module and of those in it; data sources are none. */
function resourcesOf(root: unknown, way: Way): readonly Resource[] {
  const { resources, child_modules: children } = fieldsOf(root);
  const own = listIn(resources).flatMap((one, at): Resource[] => {
    const { mode, type, address, values } = fieldsOf(one);
    if (mode === 'data' || typeof type !== 'string') return [];
    const kind = /^(?:kafka|confluent|redpanda)_/.test(type) ? type : ofOthers;
    return [{ kind, name: String(address), value: values, way: [...way, 'resources', at, 'values'] }];
  });
  return [...own, ...listIn(children).flatMap((one, at) => resourcesOf(one, [...way, 'child_modules', at]))];
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
