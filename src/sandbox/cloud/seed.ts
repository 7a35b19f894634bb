import { type ControlPlaneOptions, defaultClient, defaultUser } from './options.ts';
import { bindToOrganization } from './resources/role-bindings.ts';
import { addServiceAccount } from './resources/service-accounts.ts';
import { addUser } from './resources/users.ts';
import { changeSettings, defaultSettings } from './settings.ts';
import { emptyState, type State } from './state.ts';
import type { World } from './world.ts';

const organization = { id: '5e1f0000-0000-4000-8000-000000000001', name: 'Sandbox' };

/** Creates the state of a new simulator: its settings and an organization without accounts. */
export function newState(options: ControlPlaneOptions): State {
  return emptyState(changeSettings(defaultSettings, options.settings), options.organization ?? organization);
}

/** Adds the accounts that exist from the start. */
export function addSeeds(world: World, options: ControlPlaneOptions): void {
  for (const client of options.clients ?? [defaultClient]) {
    const { clientId, clientSecret, role = 'Admin', name = clientId } = client;
    const account = addServiceAccount(world, { name, description: '', clientId, clientSecret });
    bindToOrganization(world, account.id, role);
  }
  for (const person of options.users ?? [defaultUser]) addUser(world, person, person.role ?? 'Admin');
}
