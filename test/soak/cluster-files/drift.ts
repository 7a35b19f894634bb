import { execa } from 'execa';
import { stringify } from 'yaml';
import type { Soak } from '../run.ts';
import { converge, kafkaScript, weir } from './tools.ts';

const name = 'soak-drift';

/** What the cluster should be. */
const file = stringify({
  weir: 1,
  owns: { topics: [`${name}*`], groups: [`${name}*`], users: [`${name}*`] },
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
});

/** A change by hand, and what diff prints of it. */
interface Drift {
  readonly by: keyof typeof tools;
  readonly words: string;
  readonly found: RegExp;
}

const topic = `--entity-type topics --entity-name ${name}`;
const user = `--entity-type users --entity-name ${name}`;

/** `DRIFT` is the name; each of them is one that apply takes back. */
const drifts: readonly Drift[] = [
  {
    by: 'kafka-configs',
    words: `--alter ${topic} --add-config retention.ms=1000`,
    found: /retention\.ms +1000 +604800000/,
  },
  { by: 'kafka-configs', words: `--alter ${topic} --delete-config retention.ms`, found: /retention\.ms +- +604800000/ },
  { by: 'kafka-configs', words: `--alter ${topic} --add-config segment.ms=9999`, found: /segment\.ms +9999 +-/ },
  {
    by: 'kafka-configs',
    words: `--alter ${topic} --add-config cleanup.policy=delete`,
    found: /cleanup\.policy +delete +compact/,
  },
  { by: 'kafka-configs', words: `--alter ${user} --delete-config SCRAM-SHA-512`, found: /user +soak-drift +create/ },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config SCRAM-SHA-256=[password=x]`,
    found: /SCRAM-SHA-256 +4096 iterations +-/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config SCRAM-SHA-512=[iterations=8192,password=x]`,
    found: /8192 iterations +4096 iterations/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --add-config producer_byte_rate=5`,
    found: /producer_byte_rate +5 +10000000/,
  },
  {
    by: 'kafka-configs',
    words: `--alter ${user} --delete-config producer_byte_rate`,
    found: /producer_byte_rate +- +10000000/,
  },
  {
    by: 'kafka-configs',
    words: `--alter --entity-type groups --entity-name ${name} --add-config share.auto.offset.reset=latest`,
    found: /share\.auto\.offset\.reset +latest +earliest/,
  },
  {
    by: 'kafka-acls',
    words: `--add --allow-principal User:other --operation Read --topic ${name}`,
    found: /User:other READ +ALLOW +-/,
  },
  {
    by: 'kafka-acls',
    words: `--remove --force --allow-principal User:${name} --operation Write --topic ${name} --resource-pattern-type prefixed`,
    found: /User:soak-drift WRITE +- +ALLOW/,
  },
  {
    by: 'kafka-acls',
    words: `--remove --force --deny-principal User:${name} --operation Delete --topic ${name}`,
    found: /User:soak-drift DELETE +- +DENY/,
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
    found: /retention\.ms +2000 +604800000/,
  },
  {
    by: 'kcl',
    words: `acl create --topic ${name} --allow-principal User:kcl --operation alter`,
    found: /User:kcl ALTER +ALLOW +-/,
  },
  {
    by: 'kcl',
    words: `acl create --topic ${name} --allow-principal User:${name} --allow-host 10.0.0.1 --operation write`,
    found: /User:soak-drift WRITE from 10\.0\.0\.1 +ALLOW +-/,
  },
  { by: 'kcl', words: `topic create ${name}-fourth -p 1 -r 1`, found: /topic +soak-drift-fourth +delete/ },
  { by: 'kcl', words: `topic delete ${name}-second`, found: /topic +soak-drift-second +create/ },
  {
    by: 'kcl',
    words: `quota alter --name user=${name} --add producer_byte_rate=7`,
    found: /producer_byte_rate +7 +10000000/,
  },
  {
    by: 'kcl',
    words: `config alter ${name} -tg --inc --yes -s share.auto.offset.reset=latest`,
    found: /share\.auto\.offset\.reset +latest +earliest/,
  },
];

/** What more partitions by hand are: no apply takes them back. */
const kept: Drift = {
  by: 'kafka-topics',
  words: `--alter --topic ${name} --partitions 5`,
  found: /topic +soak-drift +blocked +partitions +5 +3/,
};

const tools = {
  'kafka-configs': async (brokers: string, words: readonly string[]) =>
    await kafkaScript(brokers, 'kafka-configs', ...words),
  'kafka-acls': async (brokers: string, words: readonly string[]) => await kafkaScript(brokers, 'kafka-acls', ...words),
  'kafka-topics': async (brokers: string, words: readonly string[]) =>
    await kafkaScript(brokers, 'kafka-topics', ...words),
  kcl: async (brokers: string, words: readonly string[]) =>
    (await execa('kcl', ['--no-config-file', '-B', brokers, ...words])).stdout,
};

/**
 * Somebody changes the cluster with the tools that they know. Each change is found, alone, and apply takes it back; more
 * partitions are found and kept.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const hasKcl = await execa('kcl', ['--version']).then(
    () => true,
    () => false,
  );
  if (!hasKcl) say('kcl is not on the PATH, so its changes are left out: go install github.com/twmb/kcl@latest');
  const due = [...drifts.filter(({ by }) => by !== 'kcl' || hasKcl), kept];
  await converge(brokers, file, ['--prune']);
  const missed: string[] = [];
  for (const { by, words, found } of due) {
    await tools[by](brokers, words.split(' '));
    const { exitCode, stdout, stderr } = await weir(brokers, ['diff', '-', '--prune'], file);
    if (exitCode !== 10 || !found.test(stdout)) missed.push(`${by} ${words}\n${exitCode} ${stdout}${stderr}`);
    if (found !== kept.found) await converge(brokers, file, ['--prune']);
  }
  await converge(
    brokers,
    stringify({
      weir: 1,
      owns: { topics: [`${name}*`], groups: [`${name}*`], users: [`${name}*`] },
      quotas: [{ user: name, producer_byte_rate: null }],
    }),
    ['--prune', '--max-deletes', '20'],
  );
  if (missed.length > 0) throw new Error(`diff did not find\n${missed.join('\n')}`);
  const counts = Map.groupBy(due, ({ by }) => by);
  say(`diff found each change by hand: ${[...counts].map(([by, of]) => `${of.length} by ${by}`).join(', ')}`);
}
