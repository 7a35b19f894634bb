import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

async function homeWith(...lines: readonly (readonly string[])[]): Promise<World & { readonly home: string }> {
  const world = { home: temporaryDirectory() };
  for (const line of lines) expect(await run(['profile', ...line], world)).toMatchObject({ exitCode: 0 });
  return world;
}

test('profile delete takes several names, and deletes none if one of them does not exist', async () => {
  const world = await homeWith(['create', 'a'], ['create', 'b', '--protected'], ['create', 'c']);
  expect(await run('profile delete a nope --yes', world)).toMatchObject({ exitCode: 3 });
  const terminal = { stdin: true, stdout: true, stderr: true };
  const asked = await run('profile delete a b', { ...world, terminal, stdin: 'no\n' });
  expect(asked.stderr).toContain('Delete the profiles "a", "b"');
  expect(asked.stderr).toContain('Type "2 profiles" to confirm:');
  const gone = await run('profile delete c a c --yes', world);
  expect(gone).toMatchObject({ stdout: 'Deleted profile "c".\nDeleted profile "a".\n', exitCode: 0 });
  expect(gone.stderr).toContain('no profile is selected;');
  expect((await run('profile list --no-headers', world)).stdout).toMatch(/^b .*\n$/);
});

test('paths of rpk name the same options as the keys of -X', async () => {
  const world = await homeWith(['create', 'a', '--set', 'kafka_api.brokers=[a:1, "b:2"]']);
  const brokers = async () => JSON.parse((await run('profile print --format json', world)).stdout).options.brokers;
  expect(await brokers()).toEqual(['a:1', 'b:2']);
  await run('profile set kafka_api.brokers[1]=c:3 kafka_api.brokers[2]=d:4', world);
  expect(await brokers()).toEqual(['a:1', 'c:3', 'd:4']);
  const far = await run('profile set kafka_api.brokers[4]=x', world);
  expect(far.stderr).toContain('the list has only 3 items; the next is [3]');
  expect(await run('profile set kafka_api.sasl=null', world)).toMatchObject({
    stderr:
      'weir: unable to set the section "kafka_api.sasl" in the arguments\n' +
      'hint: set or unset its options one by one: kafka_api.sasl.user, kafka_api.sasl.password, ' +
      'kafka_api.sasl.mechanism, kafka_api.sasl.type\n',
    exitCode: 2,
  });
  const words = [
    ...['kafka_api.sasl.user=u', 'kafka_api.sasl.password=p', 'kafka_api.tls.ca_file=/ca', 'admin_api.addresses=a:9'],
    ...['admin_api.tls.enabled=true', 'schema_registry.tls.key_file=/key'],
    'globals.kafka_protocol_request_client_id=me',
  ];
  expect((await run(['profile', 'set', ...words], world)).exitCode).toBe(0);
  await run('profile unset kafka_api.brokers', world);
  const { stdout } = await run('profile print --format json --show-secrets', world);
  expect(JSON.parse(stdout).options).toEqual({
    ...{ user: 'u', pass: 'p', 'tls.ca': '/ca', 'admin.hosts': ['a:9'], 'admin.tls.enabled': true },
    ...{ 'registry.tls.key': '/key', 'globals.streaming_protocol_request_client_id': 'me' },
  });
  expect((await run('profile set brokers', world)).stderr).toContain('write it like this: brokers=b1.example:9092,');
  expect((await run('topic list -X kafka_api.brokers=a', world)).stderr).toContain('did you mean brokers?');
});

describe('a file of rpk', () => {
  const printed =
    'name: old\ndescription: of rpk\nprompt: ""\nfrom_cloud: false\n' +
    'kafka_api:\n    brokers:\n        - b1:9092\n    sasl:\n        user: u\n' +
    "        password: '[REDACTED]'\n        mechanism: PLAIN\nadmin_api: {}\nschema_registry: {}\n";

  test.each(['--from-profile p.yaml new', '--from-rpk=p.yaml new', '--from-profile all.yaml new'])(
    'profile create %s takes what rpk profile print prints, without the password',
    async (words) => {
      const world = await homeWith();
      writeWhole(join(world.home, 'p.yaml'), printed);
      const profiles = printed.replaceAll('\n', '\n    ').trimEnd();
      writeWhole(join(world.home, 'all.yaml'), `version: 6\ncurrent_profile: old\nprofiles:\n  - ${profiles}\n`);
      const outcome = await run(`profile create ${words}`, { ...world, cwd: world.home });
      expect(outcome).toMatchObject({ stderr: '', exitCode: 0 });
      expect(outcome.stdout).toContain('the password, which rpk does not print; set it with: weir profile set pass');
      expect(JSON.parse((await run('profile print --format json', world)).stdout)).toEqual({
        ...{ name: 'new', description: 'of rpk', protected: false },
        options: { brokers: ['b1:9092'], user: 'u', 'sasl.mechanism': 'PLAIN' },
      });
    },
  );

  test('as --config is one error, which says how to import it', async () => {
    const world = await homeWith();
    const file = join(world.home, 'rpk.yaml');
    writeWhole(file, 'version: 6\nglobals:\n    prompt: ""\nprofiles:\n    - name: a\n      from_cloud: false\n');
    expect(await run(`profile list --config ${file}`, world)).toEqual({
      stdout: '',
      stderr:
        `weir: ${file}:1: this is an rpk.yaml, not one of weir's profile files\n` +
        `hint: import it with: weir profile create --from-rpk=${file}\n`,
      exitCode: 2,
    });
  });
});

test('--config with a setting says where configs of topics are set', async () => {
  const outcome = await run('topic create a --config retention.ms=1', { ...(await homeWith()), cwd: '/work' });
  expect(outcome).toMatchObject({
    stderr:
      'weir: unable to read /work/retention.ms=1 (--config): no such file\n' +
      'hint: set configs of topics with: topic create -c KEY=VALUE, topic alter-config --set KEY=VALUE\n',
    exitCode: 2,
  });
});

test('a dry run of profile create fails for a name that is taken', async () => {
  const world = await homeWith(['create', 'a']);
  expect(await run('profile create a --dry-run', world)).toMatchObject({ stdout: '', exitCode: 6 });
});

test('profile describe and print have no table for a profile without options', async () => {
  const world = await homeWith(['create', 'a']);
  expect((await run('profile print', world)).stdout).toBe('name: a\n');
  expect((await run('profile describe', world)).stdout).toMatch(/^NAME {9}a\n(.+\n){3}PLACE .+\n$/);
});
