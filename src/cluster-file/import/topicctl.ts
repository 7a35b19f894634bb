import { fieldsOf } from '../../shape/object.ts';
import { anything, at, filled, maybe, measure, object, row } from '../../shape/shape.ts';
import { aclPieces, configsOf, connection, piece, ruleRow } from './pieces.ts';
import { type Format, reader, rows } from './resource.ts';

const rule = ruleRow({
  type: 'resource.type',
  name: 'resource.name',
  pattern: 'resource.patternType',
  host: 'resource.host',
  permission: 'resource.permission',
  operations: 'operations',
});

const rules = rows(row({ ...rule.fields, principal: at('resource.principal', filled) }));

/** The configs of topicctl: topics and ACLs. Its files name no kind. */
export const topicctl: Format = {
  name: 'topicctl',
  resourcesIn({ value, way }) {
    const { apiVersion, meta, spec } = fieldsOf(value);
    const { name } = fieldsOf(meta);
    const kind = kindOf(fieldsOf(spec));
    if (apiVersion !== undefined || typeof name !== 'string' || kind === undefined) return undefined;
    return [{ kind, name, value, way }];
  },
  readers: {
    topic: reader(
      row({
        name: at('meta.name', filled),
        partitions: at('spec.partitions', anything),
        replicas: at('spec.replicationFactor', anything),
        minutes: at('spec.retentionMinutes', maybe(measure)),
        settings: at('spec.settings', maybe(object)),
      }),
      ({ name, partitions, replicas, minutes, settings }) => [
        piece('topics', name, {
          partitions,
          replicas,
          configs: configsOf({
            ...settings,
            ...(minutes !== null && minutes > 0 && { 'retention.ms': minutes * 60_000 }),
          }),
        }),
      ],
    ),
    ACLs: reader(row({ acls: at('spec.acls', rules) }), ({ acls }) =>
      acls.flatMap(({ principal, ...one }, index) => aclPieces(principal, one, ['spec', 'acls', index])),
    ),
  },
  ignored: ['meta.name'],
  reasons: {
    cluster: connection,
    'spec.placement': 'weir does not place replicas',
    'spec.migration': 'weir does not place replicas',
  },
};

function kindOf(spec: Readonly<Record<string, unknown>>): string | undefined {
  if ('acls' in spec) return 'ACLs';
  if ('bootstrapAddrs' in spec || 'zkAddrs' in spec) return 'cluster';
  return 'partitions' in spec || 'replicationFactor' in spec ? 'topic' : undefined;
}
