import type { AdminParts } from '../../../src/sandbox/admin/admin-api.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';

/** A simulated Admin API with users and roles. */
export interface AccessWorld extends AdminWorld {
  /** The members of each role, as the server has them. */
  membersOf(role: string): Promise<readonly string[]>;
  /** The users, as the server has them. */
  users(): Promise<readonly string[]>;
}

const root = 'root:root-pass';

/**
 * Starts one with the superuser root, the users ana and bea, and the role readers, whose member is bea. The journal is
 * empty.
 */
export async function accessWorld({ seeds, ...parts }: Partial<Omit<AdminParts, 'view'>> = {}): Promise<AccessWorld> {
  const world = await adminWorld({
    ...parts,
    seeds: {
      users: [
        { name: 'root', password: 'root-pass' },
        { name: 'ana', password: 'ana-pass' },
        { name: 'bea', password: 'bea-pass' },
      ],
      ...seeds,
    },
  });
  await world.ok('POST /v1/security/roles', { body: { role: 'readers' }, auth: root });
  const add = [{ name: 'bea', principal_type: 'User' }];
  await world.ok('POST /v1/security/roles/readers/members', { body: { add }, auth: root });
  world.switches.clearJournal();
  return {
    ...world,
    async membersOf(role) {
      const { members = [] } = await world.ok(`GET /v1/security/roles/${role}/members`, { auth: root });
      return members.map(({ name }: { readonly name: string }) => name);
    },
    users: () => world.ok('GET /v1/security/users', { auth: root }),
  };
}

/** Whether a user has a password, as the server checks it. */
export async function hasPassword(world: AccessWorld, user: string, password: string): Promise<boolean> {
  await world.ok('PUT /v1/cluster_config', {
    body: { upsert: { superusers: ['root'], admin_api_require_auth: true }, remove: [] },
    auth: root,
  });
  const { status } = await world.call('GET /v1/brokers', { auth: `${user}:${password}` });
  return status === 200;
}
