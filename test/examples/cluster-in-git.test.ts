import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kafkaConfigs } from '../kafka/interop/console-tools.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory } from '../world.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { git, type Host, newRelease, newRepository, type Project, scratch } from './host.ts';

const examples = 'docs/examples';
const read = (name: string) => readFileSync(join(examples, name), 'utf8');
const passwords = { KAFKA_DIFF_PASSWORD: 'diff', KAFKA_APPLY_PASSWORD: 'apply', BILLING_PASSWORD: 'billing' };
const home = temporaryDirectory();

/**
 * An example as this test has it: names of its own, for one broker that other tests use as well. The first ACLs of its
 * cluster would end what the users of other tests may do there.
 */
function own(text: string, prefix: string): string {
  return text
    .replaceAll('payments', prefix)
    .replaceAll(/(topic|group): '\*'/g, `$1: {prefixed: ${prefix}}`)
    .replaceAll(/^.*cluster: true.*\n/gm, '')
    .replace('replicas: 3', 'replicas: 1')
    .replace('min.insync.replicas: 2', 'min.insync.replicas: 1');
}

async function asAdministrator(words: readonly string[], stdin = '') {
  const env = { WEIR_BROKERS: services().plaintext, ...passwords };
  const outcome = await run(words, { home, cwd: home, stdin, env });
  expect(outcome, words.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome.stdout;
}

afterAll(async () => {
  for (const name of ['ci-diff', 'ci-apply', 'github-billing', 'gitlab-billing']) {
    await asAdministrator(['security', 'user', 'delete', name, '--if-exists', '--yes']);
    await asAdministrator(['security', 'acl', 'delete', '--allow-principal', name, '--yes']);
  }
  for (const topic of ['github.orders', 'github.refunds', 'gitlab.orders', 'gitlab.refunds'])
    await asAdministrator(['topic', 'delete', topic, '--if-exists']);
});

const hosts: Record<
  string,
  { file: string; path: string; start(text: string, project: Project): Host | Promise<Host> }
> = {
  github: { file: 'github-actions.yml', path: '.github/workflows/kafka.yml', start: github },
  gitlab: { file: 'gitlab-ci.yml', path: '.gitlab-ci.yml', start: gitlab },
};

describe.each(Object.entries(hosts))('the example for %s', (prefix, { file, path, start }) => {
  test('plans a pull request, applies it after the merge, and finds what was changed by hand at night', async () => {
    await asAdministrator(['apply', '-', '--yes'], own(read('ci-users.yaml'), prefix));
    const id = JSON.parse(await asAdministrator(['cluster', 'info', '--format', 'json'])).cluster_id;
    const { work, origin } = await newRepository({
      [path]: read(file),
      'ci/install-weir.sh': read('install-weir.sh'),
      'clusters/prod/cluster.yaml': own(read('clusters/prod/cluster.yaml'), prefix).replace(/id: \w+/, `id: ${id}`),
      'clusters/prod/payments.yaml': own(read('clusters/prod/payments.yaml'), prefix),
    });
    const machine = {
      PATH: process.env.PATH ?? '',
      HOME: scratch(),
      CI: 'true',
      WEIR_TLS_CA: services().certificates.ca,
      RELEASE_URL: newRelease(JSON.parse(readFileSync('package.json', 'utf8')).version),
    };
    const settings = { ...passwords, KAFKA_BROKERS: services().saslTls, API_TOKEN: 'token' };
    const host = await start(read(file), { origin, settings, machine });
    try {
      await asAdministrator(['apply', join(work, 'clusters/prod'), '--yes']);
      expect(await host.scheduled()).toMatchObject([{ name: 'drift', exitCode: 0 }]);

      await git(work, 'checkout', '--quiet', '-b', 'keep-orders');
      const orders = join(work, 'clusters/prod/payments.yaml');
      writeFileSync(
        orders,
        readFileSync(orders, 'utf8').replace('7d', '14d').replace('refunds:', 'refunds: {partitions: 8}'),
      );
      await git(work, 'commit', '--quiet', '-am', 'keep orders for two weeks');
      await git(work, 'push', '--quiet', 'origin', 'keep-orders');
      expect(await host.opened('keep-orders')).toMatchObject([{ name: 'plan', exitCode: 0 }]);
      expect(host.comment()).toContain('**2 differences**: 2 update');
      expect(host.comment()).toContain('`configs.retention.ms`: `604800000` → `1209600000`');

      await git(work, 'checkout', '--quiet', 'main');
      await git(work, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'keep-orders');
      await git(work, 'push', '--quiet', 'origin', 'main');
      const [applied, ...others] = await host.pushed();
      expect({ ...applied, others }).toMatchObject({ name: 'apply', exitCode: 0, others: [] });
      expect(await host.scheduled()).toMatchObject([{ name: 'drift', exitCode: 0 }]);

      const topic = ['--entity-type', 'topics', '--entity-name', `${prefix}.orders`];
      expect(await kafkaConfigs('--describe', ...topic)).toContain('retention.ms=1209600000');
      await kafkaConfigs('--alter', ...topic, '--add-config', 'retention.ms=60000');
      const [night] = await host.scheduled();
      expect(night).toMatchObject({ name: 'drift', exitCode: 10 });
      expect(night?.text).toMatch(/orders +update +configs\.retention\.ms +60000 +1209600000/);
    } finally {
      await host.close();
    }
  }, 120_000);
});
