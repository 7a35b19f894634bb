import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryRegistry } from '../commands/registry/memory-registry.ts';
import { kafkaConfigsAt } from '../kafka/interop/console-tools.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { startStrict } from '../services/brokers.ts';
import { endAll } from '../services/leftovers.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { git, type Host, newRelease, newRepository, type Project } from './host.ts';

const examples = 'docs/examples';
const read = (name: string) => readFileSync(join(examples, name), 'utf8');
const passwords = { KAFKA_DIFF_PASSWORD: 'diff', KAFKA_APPLY_PASSWORD: 'apply', BILLING_PASSWORD: 'billing' };
const home = temporaryDirectory();

/** An example for one broker, with names that the other host does not have. */
function own(text: string, prefix: string): string {
  return text
    .replaceAll('payments', prefix)
    .replace('replicas: 3', 'replicas: 1')
    .replace('min.insync.replicas: 2', 'min.insync.replicas: 1');
}

/** What the example of a team does not have, so that the jobs need each right of their users. */
const more = `  payments.old: {partitions: 1}
groups:
  payments-queue: {configs: {share.auto.offset.reset: earliest}}
quotas:
  - {user: payments-billing, producer_byte_rate: 10MB}
schemas:
  payments.orders-value: {type: AVRO, schema: '"int"'}
`;

/** The change of the pull request: something of each kind, and of each sort of change. */
const edits: readonly (readonly [from: string, to: string])[] = [
  ['7d', '14d'],
  ['refunds:', 'refunds: {partitions: 8}'],
  ['{partitions: 1}', '{absent: true, because: OPS-77}'],
  ['topics:', 'topics:\n  payments.fresh:'],
  ['earliest', 'latest'],
  ['10MB', '20MB'],
  ['"int"', '"long"'],
  ['users:', 'users:\n  payments-app: {mechanisms: [SCRAM-SHA-512], password: {env: BILLING_PASSWORD}}'],
  ['grants:', "grants:\n  - {principal: payments-app, produce: 'payments.*'}"],
];

let broker: Awaited<ReturnType<typeof startStrict>>;
let registry: Awaited<ReturnType<typeof startScriptedRegistry>>;
const directory = () => join(services().directory, 'strict');

beforeAll(async () => {
  broker = await startStrict(directory(), services());
  registry = await startScriptedRegistry(createMemoryRegistry());
});

afterAll(async () => {
  await endAll(directory());
  await registry[Symbol.asyncDispose]();
});

async function asAdministrator(words: readonly string[], stdin = '') {
  const env = { WEIR_BROKERS: broker.plaintext, WEIR_REGISTRY_HOSTS: registry.url, ...passwords };
  const outcome = await run(words, { home, cwd: home, stdin, env });
  expect(outcome, words.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome.stdout;
}

const hosts: Record<
  string,
  { file: string; path: string; start(text: string, project: Project): Host | Promise<Host> }
> = {
  github: { file: 'github-actions.yml', path: '.github/workflows/kafka.yml', start: github },
  gitlab: { file: 'gitlab-ci.yml', path: '.gitlab-ci.yml', start: gitlab },
};

describe.each(Object.entries(hosts))('the example for %s', (prefix, { file, path, start }) => {
  test('plans a pull request, applies it after the merge, and finds what was changed by hand at night', async () => {
    await asAdministrator(['apply', '-', '--yes'], read('ci-users.yaml'));
    const id = JSON.parse(await asAdministrator(['cluster', 'info', '--format', 'json'])).cluster_id;
    const jobs = read(file).replace('# WEIR_REGISTRY_HOSTS', 'WEIR_REGISTRY_HOSTS');
    const team = read('clusters/prod/payments.yaml').replace('users:', `${more}users:`);
    const { work, origin } = await newRepository({
      [path]: jobs,
      'ci/install-weir.sh': read('install-weir.sh'),
      'clusters/prod/cluster.yaml': own(read('clusters/prod/cluster.yaml'), prefix).replace(/id: \w+/, `id: ${id}`),
      'clusters/prod/payments.yaml': own(team, prefix),
    });
    const machine = {
      PATH: process.env.PATH ?? '',
      HOME: temporaryDirectory(),
      CI: 'true',
      WEIR_TLS_CA: services().certificates.ca,
      RELEASE_URL: newRelease(JSON.parse(readFileSync('package.json', 'utf8')).version),
    };
    const names = { KAFKA_BROKERS: broker.saslTls, REGISTRY_HOSTS: registry.url, API_TOKEN: 'token' };
    const host = await start(jobs, { origin, settings: { ...passwords, ...names }, machine });
    try {
      await asAdministrator(['apply', join(work, 'clusters/prod'), '--yes']);
      await asAdministrator(['topic', 'produce', `${prefix}.old`], 'a\n');
      await asAdministrator(['topic', 'consume', `${prefix}.old`, '--group', `${prefix}-nightly`, '-n', '1']);
      expect(await host.scheduled()).toMatchObject([{ name: 'drift', exitCode: 0 }]);

      await git(work, 'checkout', '--quiet', '-b', 'keep-orders');
      const changed = edits.reduce((text, [from, to]) => text.replace(from, to), team);
      writeFileSync(join(work, 'clusters/prod/payments.yaml'), own(changed, prefix));
      await git(work, 'commit', '--quiet', '-am', 'keep orders for two weeks');
      await git(work, 'push', '--quiet', 'origin', 'keep-orders');
      const [planned, ...unplanned] = await host.opened('keep-orders');
      expect({ ...planned, unplanned }).toMatchObject({ name: 'plan', exitCode: 0, unplanned: [] });
      expect(host.comment()).toContain('**9 changes: 3 create, 5 update, 1 delete; ');
      expect(host.comment()).toContain('did not check 5 changes that ci-diff may not make');
      expect(host.comment()).not.toContain('not checked');
      expect(host.comment()).toContain('`configs.retention.ms`: `604800000 (7d)` → `1209600000 (14d)`');
      expect(host.comment()).toContain(`${prefix}-nightly`);

      await git(work, 'checkout', '--quiet', 'main');
      await git(work, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'keep-orders');
      await git(work, 'push', '--quiet', 'origin', 'main');
      const [applied, ...others] = await host.pushed();
      expect({ ...applied, others }).toMatchObject({ name: 'apply', exitCode: 0, others: [] });
      expect(await host.scheduled()).toMatchObject([{ name: 'drift', exitCode: 0 }]);

      const topic = ['--entity-type', 'topics', '--entity-name', `${prefix}.orders`];
      await kafkaConfigsAt(broker.plaintext, '--alter', ...topic, '--add-config', 'retention.ms=60000');
      const [night] = await host.scheduled();
      expect(night).toMatchObject({ name: 'drift', exitCode: 10 });
      expect(night?.text).toMatch(/orders +update\n +configs\.retention\.ms +60000 \(1m\) → 1209600000 \(14d\)/);
    } finally {
      await host.close();
    }
  }, 120_000);
});
