import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { stop } from '../../../src/sandbox/process.ts';
import { testMachine } from '../../services/brokers.ts';
import { startRegistry } from '../../services/start-registry.ts';
import type { Soak } from '../run.ts';
import { converge, kafkaScript, weir } from './tools.ts';

const name = 'soak-drift';
const schema = (...fields: readonly string[]) =>
  JSON.stringify({
    type: 'record',
    name: 'Order',
    fields: fields.map((field) => ({ name: field, type: 'string', default: '' })),
  });
const owns = Object.fromEntries(['topics', 'groups', 'users', 'subjects'].map((field) => [field, [`${name}*`]]));

/** What the cluster should be. */
const file = stringify({
  weir: 1,
  owns,
  topics: {
    [name]: {
      partitions: 3,
      replicas: 3,
      configs: { 'retention.ms': '7d', 'cleanup.policy': ['compact', 'delete'], 'segment.ms': null },
    },
    [`${name}-second`]: { partitions: 1, replicas: 3 },
  },
  groups: { [name]: { configs: { 'share.auto.offset.reset': 'earliest' } } },
  users: { [name]: { mechanisms: ['SCRAM-SHA-512'], iterations: 4096, password: { env: 'PASSWORD' } } },
  grants: [{ principal: name, produce: `${name}*` }],
  acls: [{ principal: name, deny: 'delete', topic: name }],
  quotas: [{ user: name, producer_byte_rate: '10MB' }],
  schemas: { [`${name}-value`]: { type: 'AVRO', level: 'FULL', schema: schema('id') } },
});

/** A change by hand, and what diff prints of it. */
interface Drift {
  readonly by: keyof typeof tools;
  readonly words: string;
  readonly found: RegExp;
  /** No apply takes it back. */
  readonly isKept?: true;
}

const topic = `--entity-type topics --entity-name ${name}`;
const user = `--entity-type users --entity-name ${name}`;

/** `DRIFT` is the name; each of them is one that apply takes back. */
const drifts: readonly Drift[] = [
  {
    by: 'kafka-configs',
    words: `--alter ${topic} --add-config retention.ms=1000`,
    found: /retention\.ms +1000 \(1s\) → 604800000/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${topic} --delete-config retention.ms`,
    found: /retention\.ms +- → 604800000/,
  },
  { by: 'kafka-configs', words: `--alter ${topic} --add-config segment.ms=9999`, found: /segment\.ms +9999 → -/ },
  {
    by: 'kafka-configs',
    words: `--alter ${topic} --add-config cleanup.policy=delete`,
    found: /cleanup\.policy +delete → compact/,
  },
  { by: 'kafka-configs', words: `--alter ${user} --delete-config SCRAM-SHA-512`, found: /user +soak-drift +create/ },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config SCRAM-SHA-256=[password=x]`,
    found: /SCRAM-SHA-256 +4096 iterations → -/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config SCRAM-SHA-512=[iterations=8192,password=x]`,
    found: /8192 iterations → 4096 iterations/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config producer_byte_rate=5`,
    found: /producer_byte_rate +5 → 10000000/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --delete-config producer_byte_rate`,
    found: /producer_byte_rate +- → 10000000/,
  },
  {
    by: 'kafka-configs',
    words: `--alter --entity-type groups --entity-name ${name} --add-config share.auto.offset.reset=latest`,
    found: /share\.auto\.offset\.reset +latest → earliest/,
  },
  {
    by: 'kafka-acls',
    words: `--add --allow-principal User:other --operation Read --topic ${name}`,
    found: /User:other READ +ALLOW → -/,
  },
  {
    by: 'kafka-acls',
    words: `--remove --force --allow-principal User:${name} --operation Write --topic ${name} --resource-pattern-type prefixed`,
    found: /User:soak-drift WRITE +- → ALLOW/,
  },
  {
    by: 'kafka-acls',
    words: `--remove --force --deny-principal User:${name} --operation Delete --topic ${name}`,
    found: /User:soak-drift DELETE +- → DENY/,
  },
  { by: 'kafka-topics', words: `--delete --topic ${name}-second`, found: /topic +soak-drift-second +create/ },
  {
    by: 'kafka-topics',
    words: `--create --topic ${name}-third --partitions 1`,
    found: /topic +soak-drift-third +delete/,
  },
  {
    by: 'kcl',
    words: `config alter ${name} -tt --inc --yes -s retention.ms=2000`,
    found: /retention\.ms +2000 \(2s\) → 604800000/,
  },
  {
    by: 'kcl',
    words: `acl create --topic ${name} --allow-principal User:kcl --operation alter`,
    found: /User:kcl ALTER +ALLOW → -/,
  },
  {
    by: 'kcl',
    words: `acl create --topic ${name} --allow-principal User:${name} --allow-host 10.0.0.1 --operation write`,
    found: /User:soak-drift WRITE from 10\.0\.0\.1 +ALLOW → -/,
  },
  { by: 'kcl', words: `topic create ${name}-fourth -p 1 -r 1`, found: /topic +soak-drift-fourth +delete/ },
  { by: 'kcl', words: `topic delete ${name}-second`, found: /topic +soak-drift-second +create/ },
  {
    by: 'kcl',
    words: `quota alter --name user=${name} --add producer_byte_rate=7`,
    found: /producer_byte_rate +7 → 10000000/,
  },
  {
    by: 'kcl',
    words: `config alter ${name} -tg --inc --yes -s share.auto.offset.reset=latest`,
    found: /share\.auto\.offset\.reset +latest → earliest/,
  },
  {
    by: 'registry',
    words: `PUT /config/${name}-value {"compatibility":"NONE"}`,
    found: /soak-drift-value +update.*\n +level +(?:NONE|-) → FULL/,
  },
  {
    by: 'registry',
    words: `POST /subjects/${name}-extra/versions ${JSON.stringify({ schema: schema('id') })}`,
    found: /soak-drift-extra +delete/,
  },
  { by: 'registry', words: `DELETE /subjects/${name}-value`, found: /soak-drift-value +create/ },
  {
    by: 'registry',
    words: `POST /subjects/${name}-value/versions ${JSON.stringify({ schema: schema('id', 'note') })}`,
    found: /soak-drift-value +(?:blocked|update)/,
    isKept: true,
  },
  {
    by: 'kafka-topics',
    words: `--alter --topic ${name} --partitions 5`,
    found: /topic +soak-drift +blocked.*\n +partitions +5 → 3/,
    isKept: true,
  },
];

/** Where the tools find what they change. */
interface Addresses {
  readonly brokers: string;
  readonly registry: string;
}

const script =
  (which: Parameters<typeof kafkaScript>[1]) =>
  async ({ brokers }: Addresses, words: string): Promise<void> =>
    void (await kafkaScript(brokers, which, ...words.split(' ')));

const tools = {
  'kafka-configs': script('kafka-configs'),
  'kafka-acls': script('kafka-acls'),
  'kafka-topics': script('kafka-topics'),
  async kcl({ brokers }: Addresses, words: string): Promise<void> {
    await execa('kcl', ['--no-config-file', '-B', brokers, ...words.split(' ')]);
  },
  async registry({ registry }: Addresses, words: string): Promise<void> {
    const [method = '', path = '', body] = words.split(' ');
    const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const { ok, status } = await fetch(`${registry}${path}`, { method, headers, body: body ?? null });
    if (!ok) throw new Error(`${words}: HTTP ${status}`);
  },
};

/**
 * Somebody changes a cluster and its registry with the tools that they know. Each change is found, alone, and apply takes it
 * back; more partitions and a new version of a schema are found and kept.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const hasKcl = await execa('kcl', ['version']).then(
    () => true,
    ({ code }) => code !== 'ENOENT',
  );
  if (!hasKcl) say('kcl is not on the PATH, so nothing is changed with it: https://github.com/twmb/kcl');
  const due = drifts.filter(({ by }) => by !== 'kcl' || hasKcl);
  const directory = await mkdtemp(join(tmpdir(), 'weir-soak-registry-'));
  const { url: registry, process } = await startRegistry(directory, testMachine(new AbortController().signal));
  const flags = ['--prune', '--max-deletes', '30', '-X', `registry.hosts=${registry}`];
  const missed: string[] = [];
  try {
    await converge(brokers, file, flags);
    for (const { by, words, found, isKept } of due) {
      await tools[by]({ brokers, registry }, words);
      const { exitCode, stdout, stderr } = await weir(brokers, ['diff', '-', ...flags], file);
      // 6 if apply cannot take it back, such as partitions that were added.
      if ((exitCode !== 10 && exitCode !== 6) || !found.test(stdout))
        missed.push(`${by} ${words}\n${exitCode} ${stdout}${stderr}`);
      if (!isKept) await converge(brokers, file, flags);
    }
    const nothing = { weir: 1, owns, quotas: [{ user: name, producer_byte_rate: null }] };
    await converge(brokers, stringify(nothing), flags);
  } finally {
    await stop(process, { graceMs: 0 });
    await rm(directory, { recursive: true, force: true });
  }
  if (missed.length > 0) throw new Error(`diff did not find\n${missed.join('\n')}`);
  const counts = [...Map.groupBy(due, ({ by }) => by)].map(([by, of]) => `${of.length} by ${by}`);
  say(`diff found each change by hand: ${counts.join(', ')}`);
}
