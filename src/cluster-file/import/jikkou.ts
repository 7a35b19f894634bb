import { typeOfFile } from '../../registry/schema-words.ts';
import { fieldsOf, valueAt } from '../../shape/object.ts';
import {
  anything,
  at,
  type FieldsOf,
  filled,
  listOf,
  maybe,
  object,
  read,
  row,
  string,
  unless,
} from '../../shape/shape.ts';
import { Faults } from '../file/fields.ts';
import {
  aclPieces,
  aclPiecesOf,
  configsOf,
  piece,
  quotaPieces,
  referenceRow,
  ruleRow,
  schemaPiece,
  setPassword,
  unlessDefault,
  userPiece,
} from './pieces.ts';
import { type Find, type Format, kubernetesFields, kubernetesResource, type Piece, reader, rows } from './resource.ts';

const rules = rows(
  ruleRow({
    type: 'resource.type',
    name: 'resource.pattern',
    pattern: 'resource.patternType',
    host: 'host',
    permission: 'type',
    operations: 'operations',
  }),
);

const name = at('metadata.name', filled);

/** The fields of what has configs of its own and those of config maps. */
const configFields = {
  name,
  configs: at('spec.configs', maybe(object)),
  configMapRefs: at('spec.configMapRefs', listOf(string)),
};

type Configured = FieldsOf<typeof configFields>;

const group = reader(row(configFields), (given, { find }) => {
  const { configs, missing } = configsWithMaps(given, find);
  return [...(configs === undefined ? [] : [piece('groups', given.name, { configs })]), ...missing];
});

/** Whose quotas those of a type are, with `*` for the default. */
const quotaEntities: Readonly<Record<string, (user: string, client: string) => Readonly<Record<string, string>>>> = {
  USERS_DEFAULT: () => ({ user: '*' }),
  USER: (user) => ({ user }),
  USER_CLIENT: (user, client_id) => ({ user, client_id }),
  USER_ALL_CLIENTS: (user) => ({ user, client_id: '*' }),
  CLIENT: (_, client_id) => ({ client_id }),
  CLIENTS_DEFAULT: () => ({ client_id: '*' }),
};

/** The resources of Jikkou. */
export const jikkou: Format = {
  name: 'Jikkou',
  resourcesIn: kubernetesResource(/^(?:core|kafka|schemaregistry)\.jikkou\.io\//),
  withheld({ value }) {
    const annotations = fieldsOf(valueAt(value, ['metadata', 'annotations']));
    return withheldBy.find((name) => String(annotations[name]) === 'true');
  },
  async withFile(resource, read) {
    const spec = fieldsOf(fieldsOf(resource.value).spec);
    const { $ref: file } = fieldsOf(spec.schema);
    if (resource.kind !== 'SchemaRegistrySubject' || typeof file !== 'string') return resource;
    const text = await read(file);
    if (typeof text !== 'string')
      return new Faults([{ way: [...resource.way, 'spec', 'schema', '$ref'], why: text.fault }]);
    const made = { ...spec, schema: text, schemaType: spec.schemaType ?? typeOfFile(file) };
    return { ...resource, value: { ...fieldsOf(resource.value), spec: made } };
  },
  readers: {
    KafkaTopic: reader(
      row({ ...configFields, partitions: at('spec.partitions', anything), replicas: at('spec.replicas', anything) }),
      ({ partitions, replicas, ...given }, { find }) => {
        const { configs, missing } = configsWithMaps(given, find);
        const sizes = { partitions: unlessDefault(partitions), replicas: unlessDefault(replicas) };
        return [piece('topics', given.name, { ...sizes, configs }), ...missing];
      },
    ),
    ConfigMap: reader(row({ name, data: maybe(object) }), () => []),
    KafkaPrincipalRole: reader(row({ name, acls: at('spec.acls', rules) }), () => []),
    KafkaPrincipalAuthorization: reader(
      row({ name, acls: at('spec.acls', rules), roles: at('spec.roles', listOf(string)) }),
      ({ name: principal, acls, roles }, { find }) => [
        ...aclPiecesOf(principal, acls, ['spec', 'acls']),
        ...roles.flatMap((role) => rolePieces(principal, role, find)),
      ],
    ),
    KafkaUser: reader(
      row({
        name,
        authentications: at('spec.authentications', rows(row({ type: string, iterations: unless(8192, anything) }))),
      }),
      ({ name: user, authentications }) =>
        authentications.map(({ type, iterations }) => userPiece(user, type, iterations)),
    ),
    KafkaClientQuota: reader(
      row({
        type: at('spec.type', string),
        user: at('spec.entity.user', unless('', string)),
        client: at('spec.entity.clientId', unless('', string)),
        producer_byte_rate: at('spec.configs.producerByteRate', anything),
        consumer_byte_rate: at('spec.configs.consumerByteRate', anything),
        request_percentage: at('spec.configs.requestPercentage', anything),
      }),
      ({ type, user, client, ...quotas }) => {
        const entity = quotaEntities[type]?.(user, client);
        if (entity !== undefined) return quotaPieces(entity, quotas);
        return [{ lost: `quotas of the type ${type}`, why: 'weir does not know it', way: ['spec', 'type'] }];
      },
    ),
    KafkaConsumerGroup: group,
    KafkaShareGroup: group,
    SchemaRegistrySubject: reader(
      row({
        name,
        level: at('spec.compatibilityLevel', maybe(string)),
        type: at('spec.schemaType', maybe(string)),
        schema: at('spec.schema', maybe(string)),
        references: at('spec.references', rows(referenceRow())),
      }),
      ({ name: subject, schema, ...others }) => [
        schemaPiece(subject, { ...others, ...(schema !== null && { schema }) }),
      ],
    ),
  },
  ignored: kubernetesFields,
  reasons: {
    'spec.authentications.password': setPassword,
  },
};

/** The annotations of what is not to be made. */
const withheldBy = ['jikkou.io/delete', 'jikkou.io/ignore'];

/** The configs of config maps replace those of the resource, and later maps earlier ones. */
function configsWithMaps({ configs, configMapRefs }: Configured, find: Find) {
  const maps = configMapRefs.map((ref) => ({ ref, map: find('ConfigMap', ref) }));
  const data = maps.map(({ map }) => fieldsOf(fieldsOf(map).data));
  const missing = maps
    .filter(({ map }) => map === undefined)
    .map(({ ref }): Piece => notFound(['spec', 'configMapRefs'], `ConfigMap ${ref}`));
  return { configs: configsOf(Object.assign({}, configs, ...data)), missing };
}

function rolePieces(principal: string, role: string, find: Find): readonly Piece[] {
  const way = ['spec', 'roles'];
  const value = find('KafkaPrincipalRole', role);
  if (value === undefined) return [notFound(way, `KafkaPrincipalRole ${role}`)];
  return read(rules, valueAt(value, ['spec', 'acls']) ?? []).flatMap((rule) => aclPieces(principal, rule, way));
}

function notFound(way: readonly string[], resource: string): Piece {
  return { lost: way.join('.'), why: `none of the files has the ${resource}`, way, isField: true };
}
