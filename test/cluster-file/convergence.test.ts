import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { registry } from '../services/registry.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';

const prefix = `converge-${process.pid}`;
const home = temporaryDirectory();

async function weir(line: string, stdin: string) {
  const env = { WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry().url, PASSWORD: 'secret' };
  return await run(line, { home, cwd: home, stdin, env });
}

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

/** What a file may say, so that it can be applied in any state of the cluster: partitions never shrink. */
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

const changing = /"api":"(?:Create|Delete|Alter|Incremental)|"method":"(?:POST|PUT|DELETE)"/;

test('any file is applied so that nothing differs, a second time changes nothing, and its export is equal', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (sections) => {
      const file = stringify({ weir: 1, owns, ...sections });
      const first = await weir('apply - --yes --prune --max-deletes 100', file);
      expect(first, file).toMatchObject({ exitCode: 0 });
      expect(await weir('diff - --prune', file), file).toMatchObject({ stdout: '', exitCode: 0 });
      const trace = `${Math.random()}.log`;
      expect(await weir(`apply - --yes --prune --trace ${trace}`, file)).toMatchObject({ stdout: '', exitCode: 0 });
      expect(readFileSync(join(home, trace), 'utf8')).not.toMatch(changing);
      const exported = await weir(`export --owns ${prefix}-*`, '');
      expect(await weir('diff - --strict --prune', exported.stdout), exported.stdout).toMatchObject({
        stdout: '',
        exitCode: 0,
      });
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

afterAll(async () => {
  await weir('apply - --yes --prune --max-deletes 100', stringify({ weir: 1, owns }));
});
