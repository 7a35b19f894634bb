import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../sandbox/cloud/plane.ts';
import { type Outcome, splitLine, type World } from '../world.ts';
import { cloudWorld } from './cloud/cloud-world.ts';
import { newPerson } from './sandbox/sandbox-world.ts';

const examples = leavesOf(await walkTree(commands))
  .filter(({ command }) => !command.hidden)
  .flatMap(({ path, command }) => command.examples.map(([, line]) => ({ noun: path[0] ?? '', line })));

type Run = (words: readonly string[], world: World) => Promise<Outcome>;

/** Runs a line as a shell would: pipes, `<`, `>`, and the few programs that examples use. Fails if a weir fails. */
async function runShellLine(line: string, cwd: string, weir: Run): Promise<string> {
  let stdin = 'typed\n';
  for (const stage of line.split(' | ')) {
    const [, text = stage, , input] = /^(.*?)( < (\S+))?( > \S+)?$/s.exec(stage) ?? [];
    const words = splitLine(text);
    if (words[0] === 'less') return stdin;
    if (words[0] === 'echo' || words[0] === 'printf') {
      stdin = words[0] === 'echo' ? `${words.slice(1).join(' ')}\n` : (words[1] ?? '').replaceAll('\\n', '\n');
      continue;
    }
    if (words[0] !== 'weir') throw new Error(`an example starts ${words[0]}`);
    const world: World = { cwd, stdin: input === undefined ? stdin : readFileSync(join(cwd, input)) };
    const { stdout, stderr, exitCode } = await weir(words.slice(1), world);
    if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
    stdin = stdout;
  }
  return stdin;
}

/** Unbounded reads end after the first record. */
const endless = /^topic consume \S+( -g billing)?$/;

describe('the examples of the help, on a simulated sandbox', () => {
  const me = newPerson();
  const cwd = join(me.home, 'work');
  const weir: Run = (words, world) =>
    me.run(words, {
      ...world,
      env: { EDITOR: 'true' },
      // This line asks for a password.
      ...(words.join(' ') === 'profile set pass' ? { terminal: { stdin: true, stderr: true } } : {}),
      spawn: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
    });

  beforeAll(async () => {
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'ana,2\nben,3\n');
    writeFileSync(join(cwd, 'password.txt'), 'secret\n');
    mkdirSync(join(me.home, 'config/rpk'), { recursive: true });
    writeFileSync(
      join(me.home, 'config/rpk/rpk.yaml'),
      'version: 6\nprofiles:\n  - name: old\n    kafka_api: {brokers: [b:9092]}\n',
    );
    expect((await me.run('sandbox start --engine simulated --brokers 3')).exitCode).toBe(0);
    for (const words of ['topic create orders payments a b tmp-1', 'topic produce orders', 'topic produce a'])
      expect(await me.run(words, { stdin: 'x\n' })).toMatchObject({ exitCode: 0 });
  });

  /** Prepares what an example needs and removes what others left, so that all of them run one after another. */
  async function prepare(line: string): Promise<void> {
    const isOfProfiles = /^(profile|config) /.test(line);
    if (!isOfProfiles) await me.run('profile use sandbox');
    if (line.startsWith('topic create')) await me.run('topic delete orders payments users --yes');
    if (/^(topic|cluster) /.test(line) && !line.startsWith('topic create'))
      await me.run('topic create orders payments a b tmp-1 --if-not-exists');
    if (/^topic consume/.test(line)) await me.run('topic produce orders a', { stdin: 'x\n' });
    if (/^topic consume/.test(line)) await me.run('topic produce orders', { stdin: 'x\n' });
    if (line.startsWith('topic trim-prefix')) await me.run('topic produce orders -p 0', { stdin: 'x\n'.repeat(100) });
    if (line.includes('trim.txt')) writeFileSync(join(cwd, 'trim.txt'), 'orders 0 1\n');
    if (!isOfProfiles) return;
    await me.run('profile delete live --yes');
    for (const name of ['production', 'staging', 'test', 'prod', 'old']) await me.run(`profile delete ${name} --yes`);
    const isMade = (name: string) => line.startsWith(`profile create ${name} `);
    if (!isMade('test')) await me.run('profile create test --set tls.ca=');
    if (!isMade('prod')) await me.run('profile create prod --set brokers=b1.example --set tls.enabled=true');
    if (line.includes('./weir.yaml')) await me.run('profile create prod --config ./weir.yaml', { cwd });
  }

  const here = examples.filter(
    ({ noun, line }) => noun !== 'cloud' && !/^sandbox (start|stop|purge|logs -f)/.test(line),
  );
  test.each(here.map(({ line }) => line))('weir %s', async (line) => {
    await prepare(line);
    await runShellLine(`weir ${line}${endless.test(line) ? ' -n 1' : ''}`, cwd, weir);
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
    const account = await world.json('service-account create --name builder');
    const binding = ['role-binding', 'create', '--role-name', 'Reader', '--account-id', account.id, '--resource-id'];
    const made: Readonly<Record<string, string>> = {
      operation: createOperation,
      network: networkId,
      'role-binding': line.includes('role-binding get') ? (await world.json([...binding, clusterId])).id : account.id,
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
      await world.plane.sim('POST', '/sim/clock', { rate: 60 });
      const outcome = await world.cloud(splitLine(line.replace(/^cloud /, '')), {
        cwd: world.home,
        terminal: { typed: 'y\n' },
        ...(line === 'cloud cluster select' ? { terminal: { stdin: true, stderr: true }, stdin: '1\n' } : {}),
      });
      await world.plane.sim('POST', '/sim/clock', { rate: 0 });
      // A BYOC cluster exists until the plugin has run.
      const expected = /cluster delete \S+$/.test(line) ? 6 : 0;
      expect(outcome, outcome.stderr).toMatchObject({ exitCode: expected });
    },
  );
});
