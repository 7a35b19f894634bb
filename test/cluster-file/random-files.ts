import fc from 'fast-check';

/**
 * The sections of random files about names with a prefix, each of which can be applied in any state of the cluster:
 * partitions never become fewer. Passwords come from the variable PASSWORD. With `owns`, a file owns all that any of them has.
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

  const files = fc.record(
    {
      topics: fc.dictionary(name, fc.record({ partitions: one(2), configs }, { requiredKeys: ['partitions'] })),
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
      users: fc.dictionary(
        name,
        fc.record(
          {
            mechanisms: fc.uniqueArray(fc.constantFrom('SCRAM-SHA-256', 'SCRAM-SHA-512'), { minLength: 1 }),
            iterations: fc.constantFrom(4096, 5000),
            password: one({ env: 'PASSWORD' }),
          },
          { requiredKeys: ['password'] },
        ),
      ),
      grants: fc.array(
        fc.record(
          { principal, produce: pattern, consume: pattern, group: pattern, transactional_id: pattern },
          { requiredKeys: ['principal', 'produce'] },
        ),
        { maxLength: 2 },
      ),
      acls: fc.array(
        fc
          .oneof(
            fc.record({ principal, allow: operations, resource }),
            fc.record({ principal, deny: operations, resource }),
          )
          .map(({ resource: of, ...entry }) => ({ ...entry, ...of })),
        { maxLength: 2 },
      ),
      schemas: fc.dictionary(
        name,
        fc.record(
          { level: fc.constantFrom('FULL', 'BACKWARD'), type: one('AVRO'), schema },
          { requiredKeys: ['type', 'schema'] },
        ),
      ),
    },
    { requiredKeys: [] },
  );

  const owns = Object.fromEntries(
    ['topics', 'groups', 'users', 'transactional_ids', 'client_metrics', 'subjects'].map((field) => [
      field,
      [`${prefix}-*`],
    ]),
  );
  return { files, owns };
}
