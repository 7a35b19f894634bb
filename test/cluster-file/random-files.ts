import fc from 'fast-check';

/**
 * The sections of random files about names with a prefix, each of which can be applied in any state of the cluster:
 * partitions never become fewer. Passwords come from the variable PASSWORD. With `owns`, a file owns all that any of them has,
 * but for quotas of client ids and configs of the cluster, which nobody can own.
 * @returns files for Apache Kafka, and for Redpanda
 */
export function randomFiles(prefix: string) {
  const name = fc.constantFrom('a', 'b', 'c').map((letter) => `${prefix}-${letter}`);
  const configs = fc.record(
    {
      'retention.ms': fc.constantFrom('7d', '1h', 60_000, null),
      'cleanup.policy': fc.constantFrom('compact', ['delete', 'compact'], null),
      'min.insync.replicas': fc.constantFrom(1, '1', null),
      'segment.bytes': fc.constantFrom('1MiB', 2_000_000, null),
    },
    { requiredKeys: [] },
  );
  const pattern = fc.constantFrom(`${prefix}-a`, `${prefix}-*`);
  const one = <T>(value: T) => fc.constant(value);
  const operations = fc.uniqueArray(fc.constantFrom('read', 'write', 'describe', 'all'), { minLength: 1 });
  const resource = fc.constantFrom(
    { topic: `${prefix}-a` },
    { topic: { prefixed: `${prefix}-` } },
    { group: `${prefix}-g` },
  );
  /** Each is a new one: a registry registers no schema twice. */
  const schema = fc.uuid().map((doc) => JSON.stringify({ type: 'record', name: 'Order', doc, fields: [] }));
  const principal = name.map((user) => `User:${user}`);

  const users = (mechanisms: readonly string[], most: number) =>
    fc.dictionary(
      name,
      fc.record(
        {
          mechanisms: fc.uniqueArray(fc.constantFrom(...mechanisms), { minLength: 1, maxLength: most }),
          iterations: fc.constantFrom(4096, 5000),
          password: one({ env: 'PASSWORD' }),
        },
        { requiredKeys: ['password'] },
      ),
    );
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
  const topicsWith = <T>(given: fc.Arbitrary<T>) =>
    fc.dictionary(name, fc.record({ partitions: one(2), configs: given }, { requiredKeys: ['partitions'] }));
  const aclsOn = <T extends object>(on: fc.Arbitrary<T>) =>
    fc
      .oneof(
        fc.record({ principal, allow: operations, resource: on }),
        fc.record({ principal, deny: operations, resource: on }),
      )
      .map(({ resource: of, ...entry }) => ({ ...entry, ...of }));
  const rates = fc.record(
    { producer_byte_rate: fc.constantFrom('1MiB', 5000, null), consumer_byte_rate: one(7000) },
    { requiredKeys: ['producer_byte_rate'] },
  );
  const everywhere = {
    grants: fc.array(
      fc.record(
        { principal, produce: pattern, consume: pattern, group: pattern, transactional_id: pattern },
        { requiredKeys: ['principal', 'produce'] },
      ),
      { maxLength: 2 },
    ),
    quotas: fc
      .dictionary(fc.constantFrom('user', 'client_id'), fc.tuple(name, rates))
      .map((byField) => Object.entries(byField).map(([field, [whose, limits]]) => ({ [field]: whose, ...limits }))),
    schemas: fc.dictionary(
      name,
      fc.record(
        { level: fc.constantFrom('FULL', 'BACKWARD'), type: one('AVRO'), schema },
        { requiredKeys: ['type', 'schema'] },
      ),
    ),
  };

  const files = fc.record(
    {
      ...everywhere,
      topics: topicsWith(configs),
      groups: fc.dictionary(
        name,
        fc.record({ configs: fc.record({ 'share.auto.offset.reset': fc.constantFrom('earliest', 'latest') }) }),
      ),
      client_metrics: fc.dictionary(
        name,
        fc.record({
          configs: fc.record({
            'interval.ms': fc.constantFrom('30s', 60_000),
            match: fc.constantFrom('client_id=a', ['client_id=a', 'client_software_name=b'], null),
          }),
        }),
      ),
      users: users(scram, 2),
      acls: fc.array(aclsOn(resource), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  const iceberg = fc.record(
    {
      'redpanda.iceberg.mode': fc.constantFrom('key_value', 'disabled', null),
      // Not null: what it unsets is not listed before Iceberg is on.
      'redpanda.iceberg.delete': fc.boolean(),
      'redpanda.iceberg.target.lag.ms': fc.constantFrom('30s', 60_000),
      'redpanda.remote.read': fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const subject = fc.constantFrom({ subject: `${prefix}-a` }, { subject: { prefixed: `${prefix}-` } });
  const redpandaFiles = fc.record(
    {
      ...everywhere,
      topics: topicsWith(fc.tuple(configs, iceberg).map(([common, own]) => ({ ...common, ...own }))),
      users: users(scram, 1),
      roles: fc.dictionary(name, fc.record({ members: fc.uniqueArray(name) })),
      acls: fc.array(
        fc.oneof(
          aclsOn(resource),
          fc
            .record({ principal, allow: fc.constantFrom('read', ['write', 'describe'], 'all'), on: subject })
            .map(({ on, ...entry }) => ({ ...entry, ...on })),
        ),
        { maxLength: 3 },
      ),
      cluster_configs: fc.record(
        { log_retention_ms: fc.constantFrom('7d', 60_000, null), superusers: fc.constantFrom(['CN=a,O=b', 'ana'], []) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );

  const owns = Object.fromEntries(
    ['topics', 'groups', 'users', 'transactional_ids', 'client_metrics', 'subjects', 'roles'].map((field) => [
      field,
      [`${prefix}-*`],
    ]),
  );
  return { files, redpandaFiles, owns };
}
