import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLicense } from '../../../src/sandbox/admin/config/license.ts';
import { sandboxTrial, startAt } from '../../sandbox/admin/simulator.ts';
import { type Outcome, temporaryDirectory, type World } from '../../world.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';
import { job } from '../debug/bundle-world.ts';
import { project, wasm } from '../transform/transform-world.ts';

/** A cluster in which a line has something to do. */
export interface AdminScene extends Omit<AdminWorld, 'changes'> {
  /** Runs the line; the password of its superuser is `root-pass` in a protected cluster. */
  act(more?: Pick<World, 'env' | 'onStart'> & { readonly words?: string }): Promise<Outcome>;
  /** The changing requests of the line so far: the route and the status of its answer. */
  changes(): readonly { readonly route: string; readonly status: number | null }[];
}

/** Whether the cluster asks for credentials, or who certifies it. */
export type SceneParts = Pick<Parameters<typeof adminWorld>[0] & object, 'tls'> & { readonly isProtected?: boolean };

const auth = 'root:root-pass';
const license = writeLicense({ organization: 'acme', type: 'enterprise', expires: startAt / 1000 + 400 * 86_400 });
const configuration = 'enable_usage: true\nsuperusers: [root]\n';

const topic = (name: string, ...replicas: readonly (readonly number[])[]) => ({
  ...{ ns: 'kafka', name },
  partitions: replicas.map((ids, id) => ({ id, leader: ids[0] ?? 0, replicas: ids, sizeBytes: 64 << 20 })),
});

/** What only later releases can do. */
const isOfLater = /^cluster (?:connections|iceberg|upgrade|restart-check)|^shadow|^security whoami/;

/** Starts the cluster of a line, and prepares what the line is about. */
export async function adminScene(line: string, { isProtected = false, tls }: SceneParts = {}): Promise<AdminScene> {
  const world = await adminWorld({
    ...(tls && { tls }),
    // What takes time is under way during a line, unless the line waits for it.
    settings: {
      perRequestMs: 400,
      // Groups are members of roles since then.
      ...(line.includes('Group:') && { release: '26.1' }),
      ...(isOfLater.test(line) && { release: '26.2' }),
      ...(line.includes('--wait') ? {} : { moveBytesPerS: 1, selfTestMs: 60_000 }),
    },
    seeds: {
      // A password takes a millisecond and more to store.
      users:
        isProtected || line.startsWith('security')
          ? ['root', 'ana', 'bea'].map((name) => ({ name, password: `${name}-pass` }))
          : [],
      license: sandboxTrial,
      ...(line.startsWith('cluster upgrade') && { heldVersion: 18 }),
      config: {
        superusers: ['root'],
        admin_api_require_auth: isProtected,
        data_transforms_enabled: true,
        ...(line.startsWith('cluster upgrade') && { features_auto_finalization: false }),
        enable_shadow_linking: true,
        iceberg_enabled: true,
        ...(line.startsWith('cluster storage') && { cloud_storage_enabled: true, cloud_storage_bucket: 'sandbox' }),
      },
      iceberg: { topics: [{ topic: 'orders', partitions: [{ committed: 9 }] }] },
      mountable: ['kafka', 'other'].map((ns) => {
        return { ns, topic: 'archive', location: `archive/${ns}/7`, partitions: 2 };
      }),
    },
    cluster: {
      brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
      // A shadow link creates its topics itself.
      topics: line.startsWith('shadow')
        ? []
        : [
            topic('orders', [3, 1, 2], [1, 0, 2]),
            topic('payments', [0]),
            topic('orders-redacted', [1]),
            topic('lost', [2]),
          ],
    },
  });
  const { switches, ok } = world;
  const call = (what: string, more = {}) => (tls === undefined ? ok(what, { auth, ...more }) : undefined);
  let words = line;
  if (/role/.test(line) && !/role create readers/.test(line)) {
    await call('POST /v1/security/roles', { body: { role: 'readers' } });
    const add = [{ name: 'bea', principal_type: 'User' }];
    await call('POST /v1/security/roles/readers/members', { body: { add } });
  }
  if (line.startsWith('transform')) {
    const header = { name: 'redact', input_topic: 'orders', output_topics: ['payments'] };
    await call('POST /v1/transform/deploy', { body: Buffer.concat([Buffer.from(JSON.stringify(header)), wasm]) });
  }
  if (/remote-bundle (status|cancel|download)/.test(line))
    for (const node of [0, 1, 2, 3]) await call('POST /v1/debug/bundle', { node, body: { job_id: job } });
  if (/remote-bundle (status|download)/.test(line)) await switches.advance(10_000);
  if (/recommission|decommission-status/.test(line)) await call('PUT /v1/brokers/2/decommission');
  if (line.includes('maintenance disable')) await call('PUT /v1/brokers/1/maintenance');
  if (line.includes('partitions enable'))
    await call('POST /v1/cluster/partitions/kafka/orders', { body: { disabled: true } });
  if (/move-/.test(line))
    await call('POST /v1/partitions/kafka/orders/0/replicas', {
      body: [0, 1, 2].map((node_id) => ({ node_id, core: 0 })),
    });
  if (/self-test (stop|status)/.test(line)) await call('POST /v1/debug/self_test/start', { body: {} });
  if (/(status|cancel)-mount/.test(line)) {
    const topics = [{ source_topic_reference: { topic: 'archive', ns: 'other' } }];
    const migration = await call('POST /v1/topics/mount', { body: { topics } });
    words = line.replace(' 11', ` ${migration?.id ?? 1}`);
  }
  if (line.startsWith('shadow') && !line.startsWith('shadow create')) await prepareLink(line, call, switches);
  if (line.startsWith('cluster storage')) await switches.advance(1_000);
  if (line.includes('storage restore')) switches.changeSettings({ perRequestMs: 60_000, recoveryMs: 100_000 });
  if (line.includes('unsafe-recover')) await switches.stopNode(2);
  switches.clearJournal();
  const around = surroundings(line);
  return {
    ...world,
    act: (more = {}) =>
      world.weir(`${words} --yes${more.words ?? ''}`, {
        ...around,
        ...more,
        env: { ...around.env, ...(isProtected && { WEIR_USER: 'root', WEIR_PASS: 'root-pass' }), ...more.env },
      }),
    changes: () =>
      switches
        .journal()
        .flatMap(({ method, route, status }) => (method === 'GET' || route === null ? [] : [{ route, status }])),
  };
}

const links = '/redpanda.core.admin.v2.ShadowLinkService';
const everything = { patternType: 'PATTERN_TYPE_LITERAL', filterType: 'FILTER_TYPE_INCLUDE', name: '*' };

/** Creates a link, whose topics are copied; for its deletion, they are failed over. */
async function prepareLink(
  line: string,
  call: (what: string, more: { readonly body: unknown }) => Promise<unknown> | undefined,
  switches: AdminWorld['switches'],
): Promise<void> {
  const topicMetadataSyncOptions = { interval: '60s', autoCreateShadowTopicFilters: [everything] };
  const configurations = { clientOptions: { bootstrapServers: ['source:9092'] }, topicMetadataSyncOptions };
  await call(`POST ${links}/CreateShadowLink`, { body: { shadowLink: { name: 'dr', configurations } } });
  await switches.advance(2_500);
  if (!line.startsWith('shadow delete') || line.includes('--force')) return;
  await call(`POST ${links}/FailOver`, { body: { name: 'dr' } });
  await switches.advance(2_500);
}

const link = 'name: dr\nclient_options: {bootstrap_servers: [source:9092]}\n';

/** A directory with the files of the lines, and an editor that changes a property. */
function surroundings(line: string): World {
  const cwd = join(temporaryDirectory(), 'work');
  mkdirSync(cwd);
  const files = {
    'cluster.yaml': configuration,
    'redpanda.yaml': 'redpanda:\n  node_id: 1\n  enable_usage: true\n',
    'redpanda.license': license,
    'password.txt': 'secret\n',
    'link.yaml': link,
    'transform.yaml': project,
    'redact.wasm': wasm,
  };
  const isRead = (name: string) => line.includes(name) || name === 'redpanda.yaml' || line.startsWith('transform');
  for (const [name, content] of Object.entries(files)) if (isRead(name)) writeFileSync(join(cwd, name), content);
  return {
    cwd,
    env: { EDITOR: 'ed', TMPDIR: cwd, WEIR_BROKER_CONFIG: join(cwd, 'redpanda.yaml') },
    stdin: line.includes('license') ? license : configuration,
    async spawn(_, args) {
      const file = args.at(-1) ?? '';
      const text = readFileSync(file, 'utf8').replace('enable_usage: false', 'enable_usage: true');
      writeFileSync(file, text.replace('interval: 1m', 'interval: 2m'));
      return { exitCode: 0, stdout: '', stderr: '' };
    },
  };
}
