import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Acl } from '../../../src/kafka/cluster/access/acl-rows.ts';
import { createAcls, deleteAcls, listAcls } from '../../../src/kafka/cluster/access/acls.ts';
import { type KafkaAccess, kafkaView } from '../../../src/sandbox/admin/kafka-view.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import { startModelServer } from '../broker/control.ts';
import { fixedView } from './fixed-view.ts';
import { startSimulator } from './simulator.ts';

function accessTo(address: string, options: Readonly<Record<string, string>> = {}): KafkaAccess {
  const port = Number(address.split(':').at(-1));
  return { options: { brokers: address, ...options }, brokers: [{ id: 1, host: '127.0.0.1', port }] };
}

const withUser = () => {
  const { user, pass } = services().user;
  return { user, pass, 'sasl.mechanism': 'SCRAM-SHA-256' };
};
const name = `admin-view-${randomUUID()}`;

let view: ReturnType<typeof kafkaView>;
beforeAll(() => {
  view = kafkaView(accessTo(services().sasl, withUser()));
});
afterAll(() => view.deleteUser(name));

test('a real Kafka shows its brokers, its users, and those that the Admin API creates', async () => {
  const { brokers, users, topics } = await view.read();
  expect(brokers).toMatchObject([{ id: 1, alive: true }]);
  expect(users).toContain(services().user.user);
  expect(topics).toBeDefined();
  const config = { admin_api_require_auth: true, superusers: [services().user.user] };
  const { call, ok } = await startSimulator({ view, seeds: { config } });
  const { user, pass } = services().user;
  const auth = `${user}:${pass}`;
  expect((await call('GET /v1/security/users', { auth: `${user}:wrong` })).status).toBe(401);
  const body = { username: name, password: 'first', algorithm: 'SCRAM-SHA-256' };
  await ok('POST /v1/security/users', { auth, body });
  expect(await ok('GET /v1/security/users', { auth })).toContain(name);
  // Kafka applies it a moment after it has acknowledged it.
  await vi.waitFor(async () => expect(await view.logsIn(name, 'first')).toBe(true), { timeout: 30_000, interval: 100 });
  await ok(`DELETE /v1/security/users/${name}`, { auth });
  expect(await ok('GET /v1/security/users', { auth })).not.toContain(name);
});

test('a role is deleted with the ACLs of its principal alone, and only if the request says so', async () => {
  const role = `role-${randomUUID()}`;
  const acl = (principal: string, operation: string): Acl => ({
    principal,
    host: '*',
    resource_type: 'TOPIC',
    resource_name: role,
    resource_pattern_type: 'LITERAL',
    operation,
    permission: 'ALLOW',
  });
  const own = [acl(`RedpandaRole:${role}`, 'READ'), acl(`RedpandaRole:${role}`, 'WRITE')];
  const others = [acl(`RedpandaRole:${role}-2`, 'READ'), acl(`User:${role}`, 'READ')];
  const all = { principal: null, host: null, operation: 'ANY', permission: 'ANY' };
  const client = clientOf([services().plaintext]);
  onTestFinished(async () => {
    await deleteAcls(client, [...own, ...others]);
    await client[Symbol.asyncDispose]();
  });
  await createAcls(client, [...own, ...others]);
  const left = async () =>
    (await listAcls(client, [{ ...all, resource_type: 'TOPIC', resource_name: role, resource_pattern_type: 'ANY' }]))
      .matches;
  const { call, ok } = await startSimulator({ view });
  for (const query of ['', '?delete_acls=false']) {
    expect((await call(`DELETE /v1/security/roles/${role}${query}`)).status).toBe(204);
    expect(await left()).toHaveLength(4);
  }
  await ok('POST /v1/security/roles', { body: { role } });
  expect((await call(`DELETE /v1/security/roles/${role}?delete_acls=true`)).status).toBe(204);
  expect(await left()).toEqual(others);
  expect(await ok('GET /v1/security/roles')).toEqual({});
});

test('a role whose ACLs cannot be deleted stays', async () => {
  const [port] = await freePorts(1);
  const { deleteAcls: failing } = kafkaView(accessTo(`127.0.0.1:${port}`));
  const { call, ok } = await startSimulator({ view: { ...fixedView(), deleteAcls: failing } });
  await ok('POST /v1/security/roles', { body: { role: 'readers' } });
  expect((await call('DELETE /v1/security/roles/readers?delete_acls=true')).status).toBe(503);
  expect(await ok('GET /v1/security/roles')).toEqual({ roles: [{ name: 'readers' }] });
});

test('a Kafka that cannot be reached has only brokers that are down', async () => {
  const [port] = await freePorts(1);
  const none = kafkaView(accessTo(`127.0.0.1:${port}`));
  expect(await none.read()).toMatchObject({ brokers: [{ id: 1, alive: false }], topics: undefined, users: [] });
});

test('beside simulated brokers, which have no users and no ACLs, users are kept in memory', async () => {
  const [port = 0] = await freePorts(1);
  const server = await startModelServer({ brokers: [{ id: 1, host: '127.0.0.1', port }], settings: {} });
  const simulated = kafkaView(accessTo(`127.0.0.1:${port}`));
  expect((await simulated.read()).brokers).toMatchObject([{ alive: true }]);
  await simulated.setUser({ name: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-512' });
  expect((await simulated.read()).users).toEqual(['ada']);
  expect(await simulated.logsIn('ada', 'secret')).toBe(false); // the simulator knows the password itself
  await simulated.deleteUser('ada');
  await simulated.deleteAcls('RedpandaRole:readers');
  expect((await simulated.read()).users).toEqual([]);
  await server.close();
});
