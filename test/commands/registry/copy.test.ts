import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, type Call, refusal, startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { newSubject, registry } from '../../services/registry.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { createMemoryRegistry } from './memory-registry.ts';
import { files, type RegistryWorld, startFilledRegistry, startRegistryWorld } from './registry-world.ts';

/** A place with the profiles of registries, by name. */
async function profiles(hosts: Readonly<Record<string, string>>) {
  const home = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const weir = (line: string, world: World = {}) => run(line, { home, cwd: home, ...world });
  for (const [name, host] of Object.entries(hosts)) await weir(`profile create ${name} --set registry.hosts=${host}`);
  const data = async (line: string) => JSON.parse((await weir(`${line} --format json`)).stdout);
  return { weir, data };
}

const hostOf = ({ server }: Pick<RegistryWorld, 'server'>) => `127.0.0.1:${server.port}`;
const writes = (calls: readonly Call[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

test('whole subjects keep ids, versions, levels and deletions, and the mode is IMPORT only for their time', async () => {
  await using source = await startFilledRegistry('confluent');
  await using target = await startRegistryWorld('redpanda26');
  const { weir, data } = await profiles({ prod: hostOf(source), staging: hostOf(target) });
  await weir('registry compatibility-level set bill --level FULL --profile prod --yes');
  await weir('registry schema create solo --schema text.json --profile prod');
  await weir('registry schema delete orders --schema-version 1 --profile prod --yes');
  expect(await data('registry copy prod: staging: --dry-run')).toMatchObject([
    { subject: 'bill', versions: [{ version: 1, id: 4, deleted: false }], level: 'FULL', dry_run: true },
    { subject: 'money', versions: [{ version: 1, id: 3 }], level: null },
    { subject: 'orders', versions: [{ version: 2, id: 2 }] },
    { subject: 'solo' },
  ]);
  expect(writes(target.server.calls)).toEqual([]);
  // Of thousands, only those that it has are read.
  expect(target.server.calls.filter(({ path }) => path.startsWith('/subjects/'))).toEqual([]);
  // What a subject refers to comes first, each in its own mode.
  expect(await data('registry copy prod:bill staging:')).toMatchObject([{ subject: 'bill' }, { subject: 'money' }]);
  expect(writes(target.server.calls)).toEqual([
    'PUT /mode/money?force=true',
    'POST /subjects/money/versions',
    'DELETE /mode/money',
    'PUT /mode/bill?force=true',
    'POST /subjects/bill/versions',
    'PUT /config/bill',
    'DELETE /mode/bill',
  ]);
  await weir('registry compatibility-level set bill --level NONE --profile prod --yes');
  expect(await data('registry copy prod: staging: --deleted')).toMatchObject([
    { subject: 'bill', status: 'OK', versions: [], level: 'NONE' },
    { subject: 'money', status: 'NOT_NEEDED' },
    { subject: 'orders', status: 'OK', versions: [{ version: 1, deleted: true }, { version: 2 }] },
    { subject: 'solo', status: 'OK' },
  ]);
  expect(await data('registry compatibility-level get bill --profile staging')).toMatchObject([{ level: 'NONE' }]);
  expect(await weir('registry copy prod:nothing staging:')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('unable to copy subjects that do not exist: nothing\n'),
  });
  const list = 'registry schema list --deleted --profile';
  expect(await data(`${list} staging`)).toEqual(await data(`${list} prod`));
  // A schema that was deleted and registered again has two versions with one id.
  for (const verb of [
    'create again --schema text.json',
    'delete again --schema-version 1 --yes',
    'create again --schema text.json',
  ])
    await weir(`registry schema ${verb} --profile prod`);
  const again = [
    { version: 1, deleted: true },
    { version: 2, deleted: false },
  ];
  expect(await data('registry copy prod:again staging: --deleted')).toMatchObject([{ status: 'OK' }]);
  expect(await data(`${list} staging again`)).toMatchObject(again);
  // What was deleted there alone comes back.
  await weir('registry schema delete solo --schema-version 1 --profile staging --yes');
  expect(await data('registry copy prod:solo staging:')).toMatchObject([{ status: 'OK', versions: [{ version: 1 }] }]);
  expect(await data(`${list} staging`)).toEqual(await data(`${list} prod`));
  // What was deleted since is deleted, what refers to others before them.
  for (const subject of ['bill', 'money'])
    await weir(`registry schema delete ${subject} --schema-version 1 --profile prod --yes`);
  expect(await data('registry copy prod:bill staging: --deleted')).toMatchObject([
    { subject: 'bill', versions: [{ version: 1, deleted: true }], error: null },
    { subject: 'money', versions: [{ version: 1, deleted: true }], error: null },
  ]);
  expect(await data(`${list} staging`)).toEqual(await data(`${list} prod`));

  // What is there under another id is a conflict, and nothing is written.
  await weir('registry schema create orders --schema transitive.avsc --profile staging');
  await weir('registry schema create orders --schema order.avsc --profile prod');
  await weir('registry schema create late --schema order.avsc --profile prod');
  const before = target.server.calls.length;
  const refused = await weir('registry copy prod: staging:');
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain('version 3 of "orders" in the destination has ');
  expect(writes(target.server.calls.slice(before))).toEqual([]);
  await weir('registry schema create :.staging:late --schema order.avsc --profile prod');
  expect(await weir('registry copy prod:late prod::.staging:late staging::.prod:')).toMatchObject({
    exitCode: 6,
    stderr: expect.stringContaining('two subjects would become ":.prod:late"'),
  });
  // A context has ids of its own.
  expect(await weir('registry copy prod:orders prod:late staging::.prod:')).toMatchObject({ exitCode: 0 });
  expect(await data('registry schema list --schema-context .prod --profile staging')).toMatchObject([
    { subject: ':.prod:late', version: 1, id: 1 },
    { subject: ':.prod:orders', version: 2, id: 2 },
    { subject: ':.prod:orders', version: 3, id: 1 },
  ]);
});

test('the mode is what it was before although a version is refused, and what needs it is left out', async () => {
  await using source = await startFilledRegistry('confluent');
  const memory = createMemoryRegistry('redpanda26');
  const isRefused = ({ method, path }: Call) => method === 'POST' && path === '/subjects/money/versions';
  await using server = await startScriptedRegistry((call) => (isRefused(call) ? refusal(42201, 'no') : memory(call)));
  const { weir, data } = await profiles({ prod: hostOf(source), staging: hostOf({ server }) });
  await weir('registry mode set money --mode READWRITE --profile staging --yes');
  await weir('registry mode set orders --mode IMPORT --profile staging --yes');
  const { stdout, stderr, exitCode } = await weir('registry copy prod: staging: --format json');
  expect(exitCode).not.toBe(0);
  // A copy that was killed may have left it.
  expect(stderr).toContain('warning: the mode of orders is IMPORT in the destination and stays so');
  expect(stderr).toContain('end it with: weir registry mode reset orders --profile staging\n');
  expect(JSON.parse(stdout)).toMatchObject([
    { subject: 'bill', error: { message: 'not copied, because "money" has failed' } },
    { subject: 'money', error: { code: 'INVALID_SCHEMA' } },
    { subject: 'orders', error: null },
  ]);
  expect(await data('registry mode get money orders --profile staging')).toMatchObject([
    { subject: 'money', mode: 'READWRITE', source: 'subject' },
    { subject: 'orders', mode: 'IMPORT', source: 'subject' },
  ]);
});

test('a schema that the destination writes in its own way is the same', async () => {
  const memory = createMemoryRegistry('redpanda26');
  await using source = await startRegistryWorld('confluent');
  await using server = await startScriptedRegistry((call) => {
    const answer = memory(call);
    const { schema, ...others } = Object(answer?.[1]);
    return call.method !== 'GET' || schema === undefined
      ? answer
      : [200, { ...others, schema: `${schema}// ${others.id}` }];
  });
  const { weir, data } = await profiles({ prod: hostOf(source), staging: hostOf({ server }) });
  for (const subject of ['cash', 'money']) await source.registry(`schema create ${subject} --schema money.proto`);
  await weir('registry copy prod:money staging:');
  expect(await data('registry copy prod: staging:')).toMatchObject([
    { subject: 'cash', status: 'OK', versions: [{ id: 1 }] },
    { subject: 'money', status: 'NOT_NEEDED' },
  ]);
});

test('metadata and rules are copied, and a mode that could not be ended is reported', async () => {
  const more = { metadata: { properties: { owner: 'ana' } }, ruleSet: { domainRules: [] } };
  const [here, there] = [createMemoryRegistry(), createMemoryRegistry('redpanda26')];
  await using source = await startScriptedRegistry((call) => {
    const answer = here(call);
    return call.method === 'GET' && /versions\/1$/.test(call.path)
      ? [200, { ...Object(answer?.[1]), ...more }]
      : answer;
  });
  await using server = await startScriptedRegistry((call) =>
    call.method === 'DELETE' ? refusal(403, 'no') : there(call),
  );
  const { weir, data } = await profiles({ prod: hostOf({ server: source }), staging: hostOf({ server }) });
  await weir('registry schema create solo --schema text.json --profile prod');
  const why = 'the mode of "solo" is still IMPORT, end it with weir registry mode reset solo --profile staging: ';
  expect(await data('registry copy prod: staging:')).toMatchObject([
    { subject: 'solo', error: { message: expect.stringContaining(why) } },
  ]);
  const sent = server.calls.find(({ method }) => method === 'POST')?.body ?? '';
  expect(JSON.parse(sent)).toMatchObject(more);
});

test.each<readonly [string, string, (call: Call) => Answer | 'kept', object]>([
  [
    'a command timeout',
    '-X globals.command_timeout=600ms',
    ({ method }) => (method === 'POST' ? undefined : 'kept'),
    { exitCode: 5, error: { code: 'COMMAND_TIMEOUT' } },
  ],
  [
    'a mode that is reset already',
    '',
    ({ method }) => (method === 'DELETE' ? refusal(40409, 'not set') : 'kept'),
    { exitCode: 0, error: null },
  ],
  [
    'a version that is not registered although the answer says so',
    '',
    ({ method }) => (method === 'POST' ? [200, { id: 1, version: -1 }] : 'kept'),
    { exitCode: 6, error: { message: expect.stringContaining('gave it the version -1') } },
  ],
  [
    'two failures',
    '',
    ({ method }) =>
      method === 'POST' ? refusal(42201, 'no') : method === 'DELETE' ? refusal(403, 'never') : ('kept' as const),
    { exitCode: 1, error: { message: expect.stringMatching(/: no .* is still IMPORT, .*: never/) } },
  ],
])('the mode IMPORT is ended, and the row says what failed: %s', async (_what, flag, script, expected) => {
  await using source = await startRegistryWorld('confluent');
  await source.registry('schema create solo --schema text.json');
  const memory = createMemoryRegistry('redpanda26');
  await using server = await startScriptedRegistry((call) => {
    const answer = script(call);
    return answer === 'kept' ? memory(call) : answer;
  });
  const { weir } = await profiles({ prod: hostOf(source), staging: hostOf({ server }) });
  const { exitCode, stdout } = await weir(`registry copy prod: staging: --format json ${flag}`);
  const [{ error }] = JSON.parse(stdout);
  expect({ exitCode, error }).toMatchObject(expected);
  expect(writes(server.calls)).toEqual([
    'PUT /mode/solo?force=true',
    'POST /subjects/solo/versions',
    'DELETE /mode/solo',
  ]);
});

test('a second Ctrl-C names the subject in the mode IMPORT, and the default timeout does not end a copy', async () => {
  await using source = await startFilledRegistry('confluent');
  const memory = createMemoryRegistry('redpanda26');
  let stop: (() => void) | undefined;
  await using server = await startScriptedRegistry((call) => {
    if (call.method !== 'POST') return memory(call);
    // Longer than what is left of the timeout at the first call.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    if (call.path !== '/subjects/orders/versions') return memory(call);
    stop?.();
    return undefined;
  });
  const { weir } = await profiles({ prod: hostOf(source), staging: hostOf({ server }) });
  const late = { uptimeMs: 29_500 };
  expect(await weir('registry copy prod:bill staging:', late)).toMatchObject({ exitCode: 0 });
  const onStart: World['onStart'] = (kill) => {
    stop = () => {
      kill('SIGINT');
      kill('SIGINT');
    };
  };
  expect(await weir('registry copy prod: staging:', { onStart })).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining(
      'stopped while the mode of "orders" is IMPORT\nhint: end it with: weir registry mode reset orders --profile staging\n',
    ),
  });
});

test.each([
  [0, 'NOT_CHANGED'],
  [1, 'PARTLY_CHANGED'],
  [2, 'PARTLY_CHANGED'],
])('Ctrl-C ends a copy after version %i, which is on its way, and the mode IMPORT with it', async (last, code) => {
  await using source = await startFilledRegistry('confluent');
  const memory = createMemoryRegistry('redpanda26');
  let stop = () => {};
  await using server = await startScriptedRegistry((call) => {
    if (call.method === (last === 0 ? 'PUT' : 'POST') && call.before === Math.max(0, last - 1)) stop();
    return memory(call);
  });
  const { weir } = await profiles({ prod: hostOf(source), staging: hostOf({ server }) });
  await weir('registry compatibility-level set orders --level FULL --profile prod --yes');
  const { exitCode, stdout } = await weir('registry copy prod:orders staging: --format json', {
    onStart(kill) {
      stop = () => kill('SIGINT');
    },
  });
  expect({ exitCode, rows: JSON.parse(stdout) }).toMatchObject({
    exitCode: 130,
    rows: [{ subject: 'orders', error: { code } }],
  });
  expect(writes(server.calls)).toEqual([
    'PUT /mode/orders?force=true',
    ...Array(last).fill('POST /subjects/orders/versions'),
    'DELETE /mode/orders',
  ]);
});

test('a registry without the mode IMPORT gets new ids with --new-ids alone', async () => {
  await using source = await startRegistryWorld('confluent');
  await source.registry('schema create orders --schema order.avsc');
  await using old = await startRegistryWorld('redpanda');
  const { weir, data } = await profiles({ prod: hostOf(source), old: hostOf(old), apicurio: registry().url });
  for (const profile of ['old', 'apicurio'])
    expect(await weir(`registry copy prod:orders ${profile}:`)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining("the destination's registry cannot keep ids: it has no mode IMPORT\nhint: "),
    });
  expect(await weir('registry subject list --profile old')).toMatchObject({ stdout: '' });
  const [money, bill] = [newSubject('money'), newSubject('bill')];
  await weir(`registry schema create ${money} --schema money.proto --profile prod`);
  await weir(`registry schema create ${money} --schema money2.proto --profile prod`);
  await weir(`registry schema create ${bill} --schema bill.proto --references money.proto:${money}:2 --profile prod`);
  await weir(`registry compatibility-level set ${money} --level BACKWARD --profile prod --yes`);
  const copied = [{ subject: bill, versions: [{ version: 1, id: null }] }, { subject: money }];
  expect(await data(`registry copy prod:${bill} apicurio: --new-ids --dry-run`)).toMatchObject(copied);
  await weir(`registry copy prod:${bill} apicurio: --new-ids`);
  expect(await data(`registry schema get ${bill} --profile apicurio`)).toMatchObject([
    { references: [{ name: 'money.proto', subject: money, version: 2 }] },
  ]);
  expect(await data(`registry compatibility-level get ${money} --profile apicurio`)).toMatchObject([
    { level: 'BACKWARD' },
  ]);
  // It keeps no such level.
  await weir(`registry compatibility-level set ${bill} --level NONE --profile prod --yes`);
  expect(await data(`registry copy prod:${bill} apicurio: --new-ids`)).toMatchObject([
    { status: 'NOT_NEEDED' },
    { status: 'NOT_NEEDED' },
  ]);
  const odd = newSubject('odd');
  await weir(`registry compatibility-level set ${odd} --level NONE --profile prod --yes`);
  for (const schema of ['order.avsc', 'order2.avsc'])
    await weir(`registry schema create ${odd} --schema ${schema} --profile prod`);
  expect(await weir(`registry copy prod:${odd} apicurio: --new-ids`)).toMatchObject({
    exitCode: 6,
    stderr: expect.stringMatching(
      /\(level BACKWARD\).*\nhint: let the destination take them: weir registry compatibility-level set --level NONE --profile apicurio; /,
    ),
  });
  // Without what was deleted for good, versions get other numbers.
  for (const schema of ['order2.avsc', 'text.json']) await source.registry(`schema create orders --schema ${schema}`);
  for (const version of ['1', '2', '1 --permanent'])
    await source.registry(`schema delete orders --schema-version ${version} --yes`);
  await source.registry('schema create orders --schema order2.avsc');
  await source.registry('compatibility-level set orders --level NONE --yes');
  const { stdout } = await weir('registry copy prod:orders old: --new-ids --deleted');
  expect(stdout).toMatch(/^orders +2, 3, 4 +5 → 1, 6 → 2, 5 → 1 +NONE +OK$/m);
  // The level decides which versions the registry takes.
  const made = writes(old.server.calls).filter((call) => /config|versions/.test(call));
  expect(made.slice(0, 2)).toEqual(['PUT /config/orders', 'POST /subjects/orders/versions']);
  expect(await data('registry schema list orders --deleted --profile old')).toMatchObject([
    { version: 1, deleted: true },
    { version: 2, deleted: false },
    { version: 3, deleted: false },
  ]);
  // What is deleted there alone comes back; what stands for a deleted version and for a live one stays.
  for (const version of ['1 --permanent', '2'])
    await weir(`registry schema delete orders --schema-version ${version} --profile old --yes`);
  expect(await data('registry copy prod:orders old: --new-ids --deleted')).toMatchObject([
    { versions: [{ version: 3 }] },
  ]);
  // The other way round, they are kept.
  const [{ id }] = await data(`registry schema get ${bill} --profile apicurio`);
  await using fresh = await startRegistryWorld('confluent');
  await weir(`profile create fresh --set registry.hosts=${hostOf(fresh)}`);
  await weir(`registry copy apicurio:${bill} fresh:`);
  expect(await data(`registry schema get ${bill} --profile fresh`)).toMatchObject([{ version: 1, id }]);
  // Apicurio lists the versions of a deleted subject, and serves none.
  await weir(`registry subject delete ${bill} --profile apicurio --yes`);
  expect(await weir(`registry copy apicurio:${bill} apicurio:${money} fresh: --deleted`)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`warning: the deleted versions of ${bill} are not copied: the source lists them`),
  });
  expect(await data(`registry copy prod:${bill} apicurio: --new-ids`)).toMatchObject([{ error: null }, {}]);
});

test('the words of places are checked before a registry is asked', async () => {
  const { weir } = await profiles({ prod: 'prod.example', staging: 'staging.example' });
  await weir('profile create bare --set brokers=bare.example');
  for (const [line, message] of [
    [
      'prod: bare:',
      'profile "bare" has no registry.hosts\nhint: set it with: weir profile set --profile bare registry',
    ],
    ['prod:orders staging:orders', 'the last argument is the destination: PROFILE:'],
    ['prod:', 'the source is missing'],
    ['prod:orders prod:', 'the source and the destination are the same registry'],
    ['prod:orders staging:bill prod:', 'in the registries of several profiles'],
  ] as const)
    expect(await weir(`registry copy ${line}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
});
