import { anything, at, filled, maybe, object, row, string, truth, unless } from '../../shape/shape.ts';
import {
  aclPiecesOf,
  configsOf,
  connection,
  piece,
  referenceRow,
  ruleRow,
  schemaPiece,
  setPassword,
  userPiece,
} from './pieces.ts';
import { type Format, kubernetesFields, kubernetesResource, type Piece, reader, rows } from './resource.ts';

const rules = rows(
  ruleRow({
    type: 'resource.type',
    name: 'resource.name',
    pattern: 'resource.patternType',
    host: 'host',
    permission: 'type',
    operations: 'operations',
  }),
);

const access = { name: at('metadata.name', filled), acls: at('spec.authorization.acls', rules) };
const aclsWay = ['spec', 'authorization', 'acls'];

const role = reader(
  row({
    ...access,
    members: at('spec.principals', anything),
    isInternal: at('spec.internal', unless(false, truth)),
  }),
  ({ name, isInternal, members, acls }) => {
    const full = isInternal ? `__${name}` : name;
    return [piece('roles', full, { members }), ...aclPiecesOf(`RedpandaRole:${full}`, acls, aclsWay)];
  },
);

/** The resources of Redpanda's operator for Kubernetes. */
export const redpandaOperator: Format = {
  name: 'the Redpanda operator',
  resourcesIn: kubernetesResource(/^cluster\.redpanda\.com\//),
  readers: {
    Topic: reader(
      row({
        name: at('metadata.name', filled),
        topicName: at('spec.overwriteTopicName', maybe(filled)),
        partitions: at('spec.partitions', anything),
        replicas: at('spec.replicationFactor', anything),
        configs: at('spec.additionalConfig', maybe(object)),
      }),
      ({ name, topicName, partitions, replicas, configs }) => [
        piece('topics', topicName ?? name, { partitions, replicas, configs: configsOf(configs) }),
        ...unmanaged(configs),
      ],
    ),
    User: reader(
      row({
        ...access,
        authentication: at('spec.authentication', maybe(object)),
        mechanism: at('spec.authentication.type', unless('scram-sha-512', string)),
      }),
      ({ name, authentication, mechanism, acls }) => [
        ...(authentication === null ? [] : [userPiece(name, mechanism)]),
        ...aclPiecesOf(`User:${name}`, acls, aclsWay),
      ],
    ),
    RedpandaRole: role,
    Role: role,
    Group: reader(row(access), ({ name, acls }) => aclPiecesOf(`Group:${name}`, acls, aclsWay)),
    Schema: reader(
      row({
        name: at('metadata.name', filled),
        schema: at('spec.text', filled),
        type: at('spec.schemaType', unless('avro', string)),
        level: at('spec.compatibilityLevel', unless('Backward', string)),
        references: at('spec.references', rows(referenceRow())),
      }),
      ({ name, ...schema }) => [schemaPiece(name, schema)],
    ),
  },
  ignored: [...kubernetesFields, 'spec.authorization.type'],
  reasons: {
    'spec.authentication.password': setPassword,
    'spec.cluster': connection,
    'spec.kafkaApiSpec': connection,
  },
};

/** Null leaves a config to whoever sets it, while in a cluster file it unsets it. */
function unmanaged(configs: Readonly<Record<string, unknown>> | null): readonly Piece[] {
  return Object.entries(configs ?? {}).flatMap(([key, value]) => {
    const why = 'the operator does not touch such a config, and neither does a cluster file without it';
    return value === null
      ? [{ lost: 'spec.additionalConfig with null', why, way: ['spec', 'additionalConfig', key], isField: true }]
      : [];
  });
}
