import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';
import { type ScriptedRegistry, startScriptedRegistry } from '../registry/scripted-registry.ts';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../sandbox/cloud/plane.ts';
import { cluster3, services } from '../services/services.ts';
import { run, splitLine, temporaryDirectory } from '../world.ts';
import { cloudWorld } from './cloud/cloud-world.ts';
import { openTransaction } from './cluster/open-transaction.ts';
import { createRegistryAcls } from './registry/registry-acls.ts';
import { type Run, runShellLine } from './run-shell-line.ts';
import { newPerson } from './sandbox/sandbox-world.ts';
import { typing } from './security/people.ts';

const examples = leavesOf(await walkTree(commands))
  .filter(({ command }) => !command.hidden)
  .flatMap(({ path, command }) =>
    command.examples.map(([, line]) => ({ noun: path[0] ?? '', line, apis: command.apis })),
  );

/** What ends an example that would go on: reads after the first record, watches after the first interval or reading. */
function endOf(line: string): string {
  if (/^topic consume \S+( -g billing| --use-schema-registry=value)?$/.test(line)) return ' -n 1';
  // They need another cluster; copies of records are tested with real ones.
  if (/^topic copy .*(:|--follow)/.test(line)) return ' --dry-run';
  if (/^topic consume .* -o end /.test(line)) return ' --help';
  if (/^top\b/.test(line)) return ' --once --interval 1s';
  return line.startsWith('group lag') && line.includes('--watch') ? ' --for 1ms' : '';
}

/** Whether an example may ask a registry: it encodes values, or decodes those that another example has encoded. */
const needsRegistry = (words: readonly string[]): boolean =>
  words.some((word) => /^--(schema-id|use-schema-registry|generate)/.test(word));

describe('the examples of the help, on a simulated sandbox', () => {
  const me = newPerson();
  const cwd = join(me.home, 'work');
  let registry: ScriptedRegistry;
  /** The profile file with the profile of the sandbox alone. */
  let ofSandbox: string;
  let areGroupsReady = false;
  const weir: Run = (words, world) =>
    me.run(words, {
      ...world,
      env: {
        EDITOR: 'true',
        SHELL: '/bin/bash',
        ...(needsRegistry(words) ? { WEIR_REGISTRY_HOSTS: registry.url } : {}),
      },
      // This line asks for a password.
      ...(/profile set pass( --keychain)?$/.test(words.join(' ')) ? { terminal: { stdin: true, stderr: true } } : {}),
      spawn: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
    });

  beforeAll(async () => {
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'ana,2\nben,3\n');
    writeFileSync(join(cwd, 'orders.json'), '1\n2\n');
    mkdirSync(join(cwd, 'clusters/prod'), { recursive: true });
    for (const name of ['cluster.yaml', 'clusters/prod/topics.yaml'])
      writeFileSync(join(cwd, name), 'weir: 1\ntopics: {orders: {}}\n');
    // Files of other tools.
    const imports = {
      'topics/orders.yaml': '{meta: {name: orders}, spec: {partitions: 1}}',
      'acls/app.yaml':
        '{meta: {name: app}, spec: {acls: [{resource: {type: topic, name: orders, principal: "User:app"}, operations: [read]}]}}',
      'resources.yaml': '{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {name: orders}, spec: {}}',
      'state.json': JSON.stringify({
        format_version: '1.0',
        values: {
          root_module: { resources: [{ type: 'kafka_topic', address: 'kafka_topic.a', values: { name: 'a' } }] },
        },
      }),
    };
    for (const [name, text] of Object.entries(imports)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    registry = await startScriptedRegistry(() => [
      200,
      { subject: 'orders-value', version: 1, id: 1, schema: '"int"' },
    ]);
    writeFileSync(join(cwd, 'password.txt'), 'secret\n');
    writeFileSync(join(cwd, 'client.properties'), 'bootstrap.servers=b:9092\n');
    mkdirSync(join(me.home, 'config/rpk'), { recursive: true });
    writeFileSync(
      join(me.home, 'config/rpk/rpk.yaml'),
      'version: 6\nprofiles:\n  - name: old\n    kafka_api: {brokers: [b:9092]}\n',
    );
    expect((await me.run('sandbox start --engine simulated --name other')).exitCode).toBe(0);
    expect((await me.run('sandbox start --engine simulated --brokers 3')).exitCode).toBe(0);
    for (const words of ['topic create orders payments a b tmp-1', 'topic produce orders', 'topic produce a'])
      expect(await me.run(words, { stdin: 'x\n' })).toMatchObject({ exitCode: 0 });
    ofSandbox = await me.profileFile();
  });

  afterAll(() => registry[Symbol.asyncDispose]());

  /** Prepares what an example needs and removes what others left, so that all of them run one after another. */
  async function prepare(line: string): Promise<void> {
    const isOfProfiles = /^(profile|config) /.test(line);
    writeFileSync(join(me.home, 'config/weir/weir.yaml'), isOfProfiles ? profilesFor(line) : ofSandbox);
    if (line.includes('./weir.yaml')) writeFileSync(join(cwd, 'weir.yaml'), 'version: 1\nprofiles: [{name: prod}]\n');
    if (isOfProfiles) return;
    const [, shell = ''] = /^completion uninstall ?(\w*)/.exec(line) ?? [];
    if (line.startsWith('completion uninstall')) await weir(['completion', 'install', shell || 'bash', '--yes'], {});
    if (line.startsWith('topic create')) await me.run('topic delete orders payments users --yes');
    if (/^topic (create|delete)/.test(line)) areGroupsReady = false;
    if (/^(topic|group) /.test(line) && !line.startsWith('topic create'))
      await me.run('topic create orders payments a b tmp-1 --if-not-exists');
    if (/^topic copy|--profile staging/.test(line)) nameBoth();
    if (line.startsWith('topic copy')) await prepareCopy(line);
    if (line.startsWith('topic redrive')) await prepareRedrive();
    if (line.startsWith('topic search')) await prepareSearch();
    if (/^topic consume/.test(line)) await me.run('topic produce orders a', { stdin: 'x\n' });
    if (/^topic consume/.test(line)) await me.run('topic produce orders', { stdin: 'x\n' });
    if (line.startsWith('group')) await prepareGroups(line);
    // Other examples add partitions.
    if (/^topic add-partitions .*--to/.test(line)) {
      await me.run('topic delete orders payments --yes');
      await me.run('topic create orders payments -p 3');
      areGroupsReady = false;
    }
    if (line.startsWith('topic trim-prefix')) await me.run('topic produce orders -p 0', { stdin: 'x\n'.repeat(100) });
    // Other examples change the topics of the files.
    const isDiff = line.startsWith('diff ');
    if (isDiff && line.includes('--profile'))
      await weir([...'apply cluster.yaml --profile staging --yes'.split(' ')], { cwd });
    if (isDiff) await weir(['apply', 'cluster.yaml', '--yes'], { cwd });
    // A plan is a new file, of the cluster as the examples before have left it.
    if (/^(diff .*|apply )plan.json/.test(line)) rmSync(join(cwd, 'plan.json'), { force: true });
    if (line.startsWith('apply plan.json')) await weir(['diff', 'cluster.yaml', '--out', 'plan.json'], { cwd });
    if (line.includes('trim.txt')) writeFileSync(join(cwd, 'trim.txt'), 'orders 0 1\n');
  }

  /** Makes profiles of both clusters: `prod` and `staging`. */
  function nameBoth(): void {
    const [ofOne = ''] = /\n {2}- name: sandbox\n(?: {4}.*\n)*/.exec(ofSandbox) ?? [];
    const [ofOther = ''] = /\n {2}- name: other\n(?: {4}.*\n)*/.exec(ofSandbox) ?? [];
    const more = `${ofOne.replace('sandbox', 'prod').trimEnd()}${ofOther.replace('other', 'staging').trimEnd()}\n`;
    writeFileSync(join(me.home, 'config/weir/weir.yaml'), `${ofSandbox.trimEnd()}${more}`);
  }

  /**
   * Empties the destinations, and makes the sources with as many partitions: other examples add some. `prod` is the
   * cluster that is copied from, `staging` the other one.
   */
  async function prepareCopy(line: string): Promise<void> {
    await me.run('topic delete orders payments orders-copy --yes');
    await me.run('topic create orders payments orders-copy -p 10');
    areGroupsReady = false;
    await me.run('topic delete orders payments --profile staging --yes');
    await me.run('topic create orders payments --profile staging -p 10');
    if (line.includes('--offsets')) await prepareGroups(line);
  }

  /** Writes a dead letter for each way to name the origin. */
  async function prepareRedrive(): Promise<void> {
    await me.run('topic create orders.DLT dead --if-not-exists');
    const headers = '-H __connect.errors.topic=orders -H failed-in=orders';
    for (const topic of ['orders.DLT', 'dead']) {
      await me.run(`topic produce ${topic} ${headers}`, { stdin: 'TimeoutException\n' });
    }
  }

  /** Writes what the conditions of the examples match. */
  async function prepareSearch(): Promise<void> {
    const value = '{"customer":{"id":17},"status":"FAILED","text":"CHARGEBACK"}\n';
    for (const topic of ['orders', 'payments']) {
      await me.run(`topic produce ${topic} -k customer-17 -H trace-id=4bf92f35`, { stdin: value });
      await me.run(`topic produce ${topic} -Z`, { stdin: '\n' });
    }
  }

  /** The profile file with what an example names; `prod` is current, or else `test`. */
  function profilesFor(line: string): string {
    const isMade = (name: string) => line.startsWith(`profile create ${name} `);
    const more = [
      ...(isMade('test') ? [] : ['{name: test, options: {tls.ca: ""}}']),
      ...(line.endsWith(' old') ? ['{name: old}'] : []),
      ...(isMade('prod') ? [] : ['{name: prod, options: {brokers: b1.example, tls.enabled: true}}']),
    ];
    const current = isMade('prod') ? 'test' : 'prod';
    return `${ofSandbox.replace(/(?<=current_profile: ).*/, current)}${more.map((one) => `  - ${one}\n`).join('')}`;
  }

  async function prepareGroups(line: string): Promise<void> {
    if (/orders:\d/.test(line)) {
      await me.run('topic delete orders --yes');
      await me.run(`topic create orders -p ${line.includes('orders:0,1,2') ? 3 : 10}`);
      areGroupsReady = false;
    }
    // They need groups that have read everything; other examples write, and move groups back.
    if (/--until-zero|--fail-above/.test(line)) areGroupsReady = false;
    for (const group of areGroupsReady ? [] : ['billing', 'billing-old', 'reports', 'tmp-1']) {
      await me.run(`group seek ${group} --to end --topics orders,payments --allow-new-topics --allow-new-group --yes`);
    }
    areGroupsReady = !/delete|orders:\d/.test(line);
    writeFileSync(join(cwd, 'offsets.txt'), 'orders 0\n');
    if (line.includes('--undo-file')) rmSync(join(cwd, 'undo.txt'), { force: true });
    else writeFileSync(join(cwd, 'undo.txt'), 'orders 0 1\n');
  }

  const here = examples.filter(
    ({ noun, line, apis }) =>
      apis.join() !== 'admin' &&
      !['cloud', 'cluster', 'registry', 'security'].includes(noun) &&
      !/^(sandbox (start|stop|purge|logs -f)|topic reassign|transform)/.test(line),
  );
  test.each(here.map(({ line }) => line))('weir %s', async (line) => {
    await prepare(line);
    await runShellLine(`weir --yes ${line}${endOf(line)}`, cwd, weir);
  });

  test.each(examples.filter(({ line }) => line.startsWith('sandbox start')).map(({ line }) => line))(
    'weir %s, as a dry run',
    async (line) => {
      const { stderr, exitCode } = await me.run(
        `${line} --name other-${line.length} --dry-run`.replace(/--name \S+ (.*--name)/, '$1'),
      );
      expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('the examples of the help that need access control, on a real Kafka', () => {
  const cwd = temporaryDirectory();
  // The ACLs of a registry are those of Redpanda's, which cannot run here.
  let registry: ScriptedRegistry;
  const weir: Run = (words, world) =>
    run(words, {
      ...world,
      env: { WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry.url },
      // This line asks for a password.
      ...(words.join(' ').startsWith('security user update ana --yes') ? typing('typed', 'typed') : {}),
    });

  /** Prepares what an example needs and removes what others left. */
  async function prepare(line: string): Promise<void> {
    const both = ['--mechanism', 'scram-sha-256,scram-sha-512'];
    await weir(['security', 'user', 'delete', 'ana'], {});
    if (!line.startsWith('security user create')) {
      await weir(['security', 'user', 'create', 'ana', ...both], {});
      await weir(['security', 'user', 'create', 'bea'], {});
    }
    const permission = ['--allow-principal', 'ana', '--operation', 'read', '--topic', 'orders'];
    await weir(['security', 'acl', 'create', ...permission], {});
  }

  beforeAll(async () => {
    writeFileSync(join(cwd, 'password.txt'), 'secret\n');
    registry = await startScriptedRegistry(createRegistryAcls());
  });
  afterAll(async () => {
    for (const name of ['ana', 'app']) {
      await weir(['security', 'user', 'delete', name], {});
      await weir(['security', 'acl', 'delete', '--allow-principal', name, '--deny-principal', name, '--yes'], {});
    }
    await weir(['security', 'user', 'delete', 'bea'], {});
    await registry[Symbol.asyncDispose]();
  });

  const here = examples.filter(
    ({ noun, apis }) => noun === 'security' && apis.includes('kafka') && apis[0] !== 'admin',
  );
  test.each(here.map(({ line }) => line))('weir %s', async (line) => {
    await prepare(line);
    // An explanation may be that access is denied, or that a hidden setting decides.
    const ends = line.startsWith('security acl explain') ? [0, 1, 10] : [0];
    const { stderr, exitCode } = await weir([...splitLine(line), '--yes'], { cwd });
    expect(ends, stderr).toContain(exitCode);
  });
});

describe('the examples of the help that the simulated engine does not know, on a real Kafka', () => {
  const cwd = temporaryDirectory();
  let wide = '';
  let producerId = 0;

  beforeAll(async () => {
    // The other brokers learn of a change later.
    wide = (await cluster3()).nodes[0]?.address ?? '';
    await run('topic create orders payments -p 4', { env: { WEIR_BROKERS: services().plaintext } });
    for (const name of ['quotas.json', 'quotas.yaml']) writeFileSync(join(cwd, name), '{"quotas": []}');
  });

  /** Configs and quotas concern every client of a cluster: they are set where few tests are, and for a moment. */
  const isWide = (line: string): boolean => /^cluster (config|quotas)/.test(line);
  const weir: Run = (words, world) =>
    run(words, { ...world, env: { WEIR_BROKERS: isWide(words.join(' ')) ? wide : services().plaintext } });
  const must = async (line: string): Promise<void> =>
    expect(await weir(splitLine(line), { cwd })).toMatchObject({ exitCode: 0 });

  async function prepare(line: string): Promise<void> {
    if (line.startsWith('cluster config')) await must('cluster config set log.retention.ms 90000000 --yes');
    if (line.startsWith('cluster quotas'))
      await must('cluster quotas alter --name client-id=orders --add producer_byte_rate=100000');
    if (line.startsWith('cluster txn')) await openTransaction('orders-1', 'orders', 0);
    if (line.startsWith('cluster txn abort')) {
      const id = `orders-${line.includes('--start-offset') ? 'started' : 'produced'}`;
      ({ producerId } = await openTransaction(id, 'orders', 3));
    }
  }

  /** Where the open transaction of `prepare` begins. */
  async function startOffset(): Promise<number> {
    const { stdout } = await weir(splitLine('cluster txn describe-producers -t orders -p 3 --format json'), {});
    const rows: { producer_id: number; transaction_start_offset: number }[] = JSON.parse(stdout);
    return rows.find((row) => row.producer_id === producerId)?.transaction_start_offset ?? -1;
  }

  afterEach(async () => {
    await must('cluster config set log.retention.ms --reset --yes');
    await must('cluster config set log.cleaner.threads --reset --broker 1');
    await must("cluster quotas import --from 'quotas: []' --yes");
  });
  afterAll(() => must('topic delete orders payments'));

  // The tests of the Admin API try those of the Admin API, and those for a broker's files need the broker.
  const here = examples.filter(
    ({ noun, apis, line }) => noun === 'cluster' && apis.includes('kafka') && !line.includes('--api admin'),
  );
  test.each(here.map(({ line }) => line))('weir %s', async (example) => {
    await prepare(example);
    const place = example.includes('12345') ? await startOffset() : 0;
    const line = example.replace('12345', String(place)).replace('4000', String(producerId));
    // Interrupted when it has printed something.
    let interrupt = (): void => undefined;
    const isEndless = line.includes('--watch');
    const { stderr, exitCode } = await weir([...splitLine(line), '--yes'], {
      cwd,
      stdin: 'quotas: []\n',
      onStart: (kill) => {
        interrupt = () => kill('SIGINT');
      },
      ...(isEndless && { onStdout: () => interrupt() }),
    });
    // Its topics have one replica.
    const isRisk = /restart-check (?!.*--after)/.test(line);
    expect({ exitCode }, stderr).toEqual({ exitCode: isEndless ? 130 : isRisk ? 10 : 0 });
  });
});

describe('the examples of the help, on a simulated control plane', () => {
  const world = cloudWorld();
  // The browser, stored logins and the plugin have tests of their own.
  const needsMore =
    /^cloud (login|logout|auth (use|delete)|byoc|resume \S+ --destroy|cluster (create|delete) .*--(apply|destroy))/;

  /** A place for a new resource: a network has one cluster, and address ranges do not overlap. */
  async function placeFor(line: string): Promise<{ groupId: string; networkId: string }> {
    if (line.includes('cluster create')) return await readyNetwork(world.plane);
    const group = await world.plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    return { groupId: group.body.resource_group.id, networkId: '' };
  }

  /** The example with the ids of existing resources. */
  async function withIds(line: string): Promise<string> {
    const isCreation = /cloud (cluster|network|resource-group) create/.test(line);
    if (line.includes('resource-group create')) writeFileSync(join(world.home, 'group.yaml'), 'name: third\n');
    if (line.includes('resource-group create')) return line;
    const { groupId, networkId, clusterId, createOperation } = isCreation
      ? { ...(await placeFor(line)), clusterId: '', createOperation: '' }
      : await readyCluster(world.plane);
    const account = await world.json(
      `service-account create --name ${line.includes('delete pipeline') ? 'pipeline' : 'builder'}`,
    );
    const binding = ['role-binding', 'create', '--role-name', 'Reader', '--account-id', account.id, '--resource-id'];
    const made: Readonly<Record<string, string>> = {
      operation: createOperation,
      network: networkId,
      'role-binding': /role-binding (get|delete)/.test(line)
        ? (await world.json([...binding, clusterId])).id
        : account.id,
      'service-account': account.id,
      user: (await world.plane.api('GET', '/v1/users')).body?.users?.[0]?.id,
    };
    const noun = line.split(' ')[1] ?? '';
    writeFileSync(join(world.home, 'network.yaml'), JSON.stringify(networkBody(groupId)));
    writeFileSync(join(world.home, 'cluster.yaml'), JSON.stringify(clusterBody(groupId, networkId, { name: 'new' })));
    const scope = { resource_type: 'SCOPE_RESOURCE_TYPE_CLUSTER', resource_id: clusterId };
    writeFileSync(
      join(world.home, 'binding.yaml'),
      JSON.stringify({ role_binding: { role_name: 'Reader', account_id: account.id, scope } }),
    );
    return line
      .replace(/897e76ad[0-9a-f-]*/, noun === 'resource-group' && line.includes('delete') ? 'empty' : groupId)
      .replace('cjb5vehc4vs19qc11pjg', clusterId)
      .replace('cjb5uh9c4vs1td8emmcg', made[noun] ?? '');
  }

  test.each(examples.filter(({ noun, line }) => noun === 'cloud' && !needsMore.test(line)).map(({ line }) => line))(
    'weir %s',
    async (example) => {
      const line = await withIds(example);
      if (line.includes('empty')) await world.json('resource-group create empty');
      if (line.includes('network delete')) {
        const { clusters } = (await world.plane.api('GET', '/v1/clusters')).body;
        for (const { id } of clusters) await world.plane.api('DELETE', `/v1/clusters/${id}`);
        await world.plane.advance(60_000);
        for (const { id } of clusters) await world.plane.api('POST', `/sim/agent/${id}/removed`, { provider: 'gcp' });
        await world.plane.advance(60_000);
      }
      world.plane.setClockRate(60);
      const outcome = await world.cloud(splitLine(line.replace(/^cloud /, '')), {
        cwd: world.home,
        terminal: { typed: 'y\n' },
        ...(line === 'cloud cluster select' ? { terminal: { stdin: true, stderr: true }, stdin: '1\n' } : {}),
      });
      world.plane.setClockRate(0);
      // A BYOC cluster exists until the plugin has run.
      const expected = /cluster delete \S+$/.test(line) ? 6 : 0;
      expect(outcome, outcome.stderr).toMatchObject({ exitCode: expected });
    },
  );
});
