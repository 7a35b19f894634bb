import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startScriptedRegistry } from '../../../registry/scripted-registry.ts';
import { aclsAnswer } from '../../../services/access-answers.ts';
import { metadataAnswer, versionsAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { createMemoryRegistry, type Vendor } from '../../registry/memory-registry.ts';
import { accessWorld } from '../access-world.ts';

beforeEach(skipPauses);

/** A broker of Redpanda, by whose ACLs ana may read the topic foo, and a schema registry. */
async function redpanda(vendor: Vendor = 'redpanda26', clusterId = 'redpanda.2a1cfb0e') {
  const broker: ScriptedBroker = await startScriptedBroker({
    ApiVersions: versionsAnswer(),
    Metadata: () => metadataAnswer({ brokers: [{ id: 1, ...broker.address }], clusterId }),
    DescribeAcls: aclsAnswer(['ana']),
  });
  const registry = await startScriptedRegistry(createMemoryRegistry(vendor));
  onTestFinished(async () => {
    await broker[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });
  const { host, port } = broker.address;
  const env = { WEIR_BROKERS: `${host}:${port}`, WEIR_REGISTRY_HOSTS: `127.0.0.1:${registry.port}` };
  return {
    env,
    registry,
    weir: (line: string, more: Readonly<Record<string, string | undefined>> = {}) =>
      run(`security ${line}`, { env: { ...env, ...more } }),
  };
}

const head = 'PRINCIPAL HOST RESOURCE-TYPE RESOURCE-NAME RESOURCE-PATTERN-TYPE OPERATION PERMISSION ERROR';
const ofTopic = 'User:ana * TOPIC foo LITERAL READ ALLOW';
const ofSubject = 'User:ana * SUBJECT foo-value PREFIXED READ ALLOW';
const ofRegistry = 'User:ana * REGISTRY LITERAL READ ALLOW';
const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');
const table = (...rows: readonly string[]) => `${[head, ...rows].join('\n')}\n`;

const create =
  'acl create --allow-principal ana --operation read --registry-global --registry-subject foo-value --resource-pattern-type prefixed';

describe('ACLs of the schema registry of Redpanda', () => {
  test('are created, listed by either subsystem, and deleted, each once', async () => {
    const { weir, registry } = await redpanda();
    const created = await weir(create);
    expect(squeezed(created.stdout)).toBe(table(ofRegistry, ofSubject));
    expect(created).toMatchObject({ stderr: '', exitCode: 0 });
    const again = await weir(`${create} --format json`);
    expect(JSON.parse(again.stdout).map(({ status }: { status: string }) => status)).toEqual([
      'NOT_NEEDED',
      'NOT_NEEDED',
    ]);
    expect(registry.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    const listed = async (flags: string) => squeezed((await weir(`acl list ${flags}`)).stdout);
    expect(await listed('')).toBe(table(ofTopic, ofRegistry, ofSubject));
    expect(await listed('--subsystem kafka')).toBe(table(ofTopic));
    expect(await listed('--subsystem registry')).toBe(table(ofRegistry, ofSubject));
    expect(await listed('--registry-subject foo-value-2 --resource-pattern-type match')).toBe(table(ofSubject));
    expect(await listed('--registry-subject foo-value-2')).toBe(table());
    expect(await listed('--registry-global --deny-principal ana')).toBe(table());
    expect(await weir('acl list --subsystem registry --topic foo')).toMatchObject({ stdout: '', exitCode: 2 });
    const deleted = await weir('acl delete --registry-global --yes');
    expect(squeezed(deleted.stdout)).toBe(table(ofRegistry));
    expect(await listed('--subsystem registry')).toBe(table(ofSubject));
  });

  test('one that the registry refuses is an error of each', async () => {
    const { weir } = await redpanda();
    const { stderr, stdout, exitCode } = await weir(
      'acl create --allow-role * --operation read --registry-subject foo --format json',
    );
    expect(JSON.parse(stdout)).toMatchObject([{ resource_type: 'SUBJECT', error: { code: 'HTTP_400', exit_code: 1 } }]);
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 1 });
  });

  test('decide about access to the registry', async () => {
    const { weir } = await redpanda();
    await weir(create);
    const explained = async (line: string) => JSON.parse((await weir(`acl explain ${line} --format json`)).stdout);
    expect(await explained('ana describe registry')).toMatchObject({ allowed: true, reason: 'ALLOWED_BY_ACL' });
    expect(await explained('ana read subject:foo-value-2')).toMatchObject({ allowed: true });
    expect(await explained('ana write subject:foo-value')).toMatchObject({ allowed: false, reason: 'NO_ACL_APPLIES' });
    expect(await explained('ana read subject::.dev:foo-value')).toMatchObject({ reason: 'NO_ACL_FOR_RESOURCE' });
  });

  test('an audit says what it lacks, and nothing where nothing can be missing', async () => {
    const { weir, registry } = await redpanda();
    const withoutRegistry = await weir('acl list', { WEIR_REGISTRY_HOSTS: undefined });
    expect(squeezed(withoutRegistry.stdout)).toBe(table(ofTopic));
    expect(withoutRegistry).toMatchObject({
      stderr: 'ACLs of the schema registry (Redpanda 25.2 or newer) are not included: registry.hosts is not set\n',
      exitCode: 0,
    });
    expect((await weir('acl list --topic foo', { WEIR_REGISTRY_HOSTS: undefined })).stderr).toBe('');
    expect(registry.calls).toEqual([]);
    const old = await redpanda('redpanda');
    expect(await old.weir('acl list')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await old.weir('acl list --subsystem registry')).toMatchObject({
      stdout: '',
      stderr: 'weir: this schema registry has no ACLs\nhint: ACLs of the schema registry need Redpanda 25.2 or newer\n',
      exitCode: 1,
    });
    const kafka = await redpanda('redpanda26', 'MkU3OEVBNTcwNTJENDM2Qg');
    expect(await kafka.weir('acl list')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(kafka.registry.calls).toEqual([]);
  });

  test('a registry that cannot be read leaves the ACLs of the brokers, with its error', async () => {
    const { weir } = await redpanda();
    const { stdout, exitCode } = await weir('acl list --format json', {
      WEIR_REGISTRY_HOSTS: '127.0.0.1:1',
      WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
    });
    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      filters: [{ resource_type: 'ANY', error: { exit_code: 5 } }],
      matches: [{ resource_type: 'TOPIC' }],
    });
  });

  test('of a role are shown with it, and deleted with it', async () => {
    const { env, weir, registry } = await redpanda();
    await weir('acl create --allow-role readers --operation read --registry-subject foo-value');
    await weir('acl create --allow-role writers --operation write --registry-subject foo-value');
    const world = await accessWorld();
    const described = await world.weir('security role describe readers -p --format json', { env });
    expect(JSON.parse(described.stdout).permissions).toMatchObject([
      { principal: 'RedpandaRole:readers', resource_type: 'SUBJECT' },
      { resource_type: 'TOPIC' },
    ]);
    expect(await world.weir('security role delete readers --yes', { env })).toMatchObject({ exitCode: 0 });
    const left = JSON.parse((await weir('acl list --subsystem registry --format json')).stdout).matches;
    expect(left).toMatchObject([{ principal: 'RedpandaRole:writers' }]);
    expect(registry.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});
