import { fieldsOf, valueAt } from '../../shape/object.ts';
import { anything, at, filled, maybe, object, type RowOf, row, string } from '../../shape/shape.ts';
import { aclPiecesOf, configsOf, piece, quotaPieces, type Rule, ruleRow, setPassword, userPiece } from './pieces.ts';
import { type Format, kubernetesFields, kubernetesResource, type Piece, reader, rows } from './resource.ts';

const rule = ruleRow({
  type: 'resource.type',
  name: 'resource.name',
  pattern: 'resource.patternType',
  host: 'host',
  permission: 'type',
  operations: 'operations',
});

/** Before Strimzi's API v1, a rule could have one operation. */
const rules = rows(row({ ...rule.fields, operation: at('operation', maybe(string)) }));

/** The operator leaves such a topic as it is. */
const managedBy = 'strimzi.io/managed';

/** The resources of Strimzi, an operator of Kafka in Kubernetes. */
export const strimzi: Format = {
  name: 'Strimzi',
  resourcesIn: kubernetesResource(/^kafka\.strimzi\.io\//),
  withheld({ value }) {
    const managed = fieldsOf(valueAt(value, ['metadata', 'annotations']))[managedBy];
    return String(managed) === 'false' ? `${managedBy}: "false"` : undefined;
  },
  readers: {
    KafkaTopic: reader(
      row({
        name: at('metadata.name', filled),
        topicName: at('spec.topicName', maybe(filled)),
        partitions: at('spec.partitions', anything),
        replicas: at('spec.replicas', anything),
        config: at('spec.config', maybe(object)),
      }),
      ({ name, topicName, partitions, replicas, config }) => [
        piece('topics', topicName ?? name, { partitions, replicas, configs: configsOf(config) }),
      ],
    ),
    KafkaUser: reader(
      row({
        name: at('metadata.name', filled),
        authentication: at('spec.authentication.type', maybe(string)),
        acls: at('spec.authorization.acls', rules),
        producer_byte_rate: at('spec.quotas.producerByteRate', anything),
        consumer_byte_rate: at('spec.quotas.consumerByteRate', anything),
        request_percentage: at('spec.quotas.requestPercentage', anything),
        controller_mutation_rate: at('spec.quotas.controllerMutationRate', anything),
      }),
      ({ name, authentication, acls, ...quotas }) => {
        // Kafka knows the holder of a certificate by its distinguished name.
        const user = authentication?.startsWith('tls') ? `CN=${name}` : name;
        return [
          ...credentialPieces(name, authentication),
          ...aclPiecesOf(`User:${user}`, acls.map(withOperation), ['spec', 'authorization', 'acls']),
          ...quotaPieces({ user }, quotas),
        ];
      },
    ),
  },
  ignored: [...kubernetesFields, 'spec.authorization.type'],
  reasons: {
    'metadata.labels': 'a cluster file has no labels; what strimzi.io/cluster names is a profile',
    'spec.authentication.password': setPassword,
  },
};

function withOperation({ operation, ...given }: RowOf<typeof rules>[number]): Rule {
  return operation === null ? given : { ...given, operations: [...given.operations, operation] };
}

function credentialPieces(name: string, authentication: string | null): readonly Piece[] {
  if (authentication === null) return [];
  if (authentication.startsWith('scram-')) return [userPiece(name, authentication)];
  const why = 'a certificate is no part of a cluster file; ACLs and quotas are those of CN=NAME';
  const way = ['spec', 'authentication', 'type'];
  return [{ lost: `spec.authentication.type ${authentication}`, why, way, isField: true }];
}
