import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kafkaState } from '../../src/sandbox/kafka/state.ts';
import {
  findSandbox,
  getSandbox,
  listSandboxes,
  planSandbox,
  purgeSandbox,
  rememberProfile,
} from '../../src/sandbox/sandbox.ts';
import type { SandboxRequest } from '../../src/sandbox/sandbox-state.ts';
import { temporaryDirectory } from '../world.ts';
import { newMachine } from './machine.ts';

/** A machine with stopped sandboxes of these names, and the directory that they are in. */
async function machineWith(...names: readonly string[]) {
  const home = temporaryDirectory();
  const root = join(home, '.local/state/weir/sandbox');
  for (const name of names) {
    await kafkaState.write(join(root, name, 'kafka'), {
      kafkaVersion: '4.1.1',
      engine: 'simulated',
      clusterId: 'c',
      user: null,
      security: { tls: false, mtls: false, sasl: null },
      brokers: [{ id: 1, port: 19_092, internalPort: 0, controllerPort: 0, process: null, container: null }],
    });
  }
  return { machine: newMachine({ home }), root };
}

test('sandboxes are listed in order, broken ones too, and nothing else', async () => {
  const { machine, root } = await machineWith('b', 'a', 'c-1');
  mkdirSync(join(root, 'broken/kafka'), { recursive: true });
  writeFileSync(join(root, 'broken/kafka/kafka.json'), '{');
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'Upper/kafka'), { recursive: true });
  writeFileSync(join(root, 'Upper/kafka/kafka.json'), '{}');
  writeFileSync(join(root, 'file'), '');
  expect(await listSandboxes(machine)).toEqual(['a', 'b', 'broken', 'c-1']);
  expect(await listSandboxes(newMachine({ home: temporaryDirectory() }))).toEqual([]);
});

test.each([
  ['a', true],
  ['a-1', true],
  ['a'.repeat(30), true],
  ['a'.repeat(31), false],
  ['', false],
  ['1a', false],
  ['-a', false],
  ['A', false],
  ['a_b', false],
  ['../a', false],
  ['a\n', false],
])('the name %j is valid: %s', async (name, isValid) => {
  const { machine } = await machineWith();
  const found = findSandbox({ machine, name });
  if (isValid) await expect(found).resolves.toBeUndefined();
  else await expect(found).rejects.toMatchObject({ exitCode: 2, message: `invalid sandbox name "${name}"` });
});

test.each([
  [[], 'start one with: weir sandbox start'],
  [['b', 'a'], 'name one of these with --name: a, b'],
])('a missing sandbox is an error that names those that exist: %j', async (others, hint) => {
  const { machine } = await machineWith(...others);
  await expect(getSandbox({ machine, name: 'other' })).rejects.toMatchObject({
    exitCode: 3,
    code: 'SANDBOX_NOT_FOUND',
    target: 'other',
    hints: [hint],
  });
});

test('the profile of a sandbox is remembered in a private file, and a broken file is no profile', async () => {
  const { machine, root } = await machineWith('a');
  const place = { machine, name: 'a' };
  const sandbox = await getSandbox(place);
  expect(sandbox).toMatchObject({ name: 'a', directory: join(root, 'a'), engine: 'simulated', profile: undefined });
  expect(sandbox.options).toEqual({ brokers: '127.0.0.1:19092' });
  await rememberProfile(sandbox, { name: 'a', previous: 'b' });
  const file = join(root, 'a/profile.json');
  expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
    0o600,
    { name: 'a', previous: 'b' },
  ]);
  expect(readdirSync(join(root, 'a')).sort()).toEqual(['kafka', 'profile.json']);
  expect((await getSandbox(place)).profile).toEqual({ name: 'a', previous: 'b' });
  writeFileSync(file, '{');
  expect((await getSandbox(place)).profile).toBeUndefined();
});

test('a purged sandbox returns what is needed to remove its profile, and leaves the others', async () => {
  const { machine, root } = await machineWith('a', 'b');
  await rememberProfile(await getSandbox({ machine, name: 'a' }), { name: 'a', previous: undefined });
  expect(await purgeSandbox({ machine, name: 'a' })).toEqual({ directory: join(root, 'a'), profile: { name: 'a' } });
  expect(readdirSync(root)).toEqual(['b']);
  await expect(purgeSandbox({ machine, name: 'a' })).rejects.toMatchObject({ exitCode: 3 });
  expect(readdirSync(root)).toEqual(['b']);
});

const request: SandboxRequest = {
  engine: 'simulated',
  brokers: undefined,
  sasl: undefined,
  kafkaVersion: undefined,
  port: undefined,
  tls: false,
  mtls: false,
  cloud: false,
  registry: false,
  admin: false,
};

test('a plan writes nothing, and tells what would be started', async () => {
  const { machine, root } = await machineWith('a');
  const added = await planSandbox({ machine, name: 'b' }, { ...request, cloud: true });
  expect([added.before, added.sandbox.parts.map(({ name }) => name)]).toEqual(['new', ['kafka', 'control-plane']]);
  const kept = await planSandbox({ machine, name: 'a' }, request);
  expect([kept.before, kept.sandbox.parts.map(({ name }) => name)]).toEqual(['stopped', ['kafka']]);
  const more = await planSandbox({ machine, name: 'a' }, { ...request, cloud: true });
  expect([more.before, more.sandbox.parts.length]).toEqual(['stopped', 2]);
  const admin = await planSandbox({ machine, name: 'a' }, { ...request, admin: true });
  expect([admin.before, admin.sandbox.parts.map(({ name }) => name)]).toEqual(['stopped', ['kafka', 'admin']]);
  expect(admin.sandbox.options['admin.hosts']).toMatch(/^127\.0\.0\.1:\d+$/);
  await expect(planSandbox({ machine, name: 'a' }, { ...request, brokers: 3 })).rejects.toMatchObject({ exitCode: 6 });
  expect([readdirSync(root), readdirSync(join(root, 'a'))]).toEqual([['a'], ['kafka']]);
});
