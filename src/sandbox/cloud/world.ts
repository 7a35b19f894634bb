import type { SigningKey } from './auth/jwt.ts';
import type { Clock } from './clock.ts';
import type { Route } from './http/call.ts';
import type { Faults } from './http/faults.ts';
import type { Journal } from './http/journal.ts';
import type { InstallPacks } from './plugin/install-packs.ts';
import type { State } from './state.ts';

/** Where the clusters of the simulator say they can be reached; undefined: at addresses of `.example`. */
export interface DataPlane {
  readonly brokers?: readonly string[];
  readonly schemaRegistryUrl?: string;
  readonly consoleUrl?: string;
  readonly dataplaneUrl?: string;
}

/** What a route may use. */
export interface World {
  /** The origin that the simulator is reached at, without a slash at the end. */
  readonly url: string;
  readonly audience: string;
  /** The public client id of device logins. */
  readonly deviceClientId: string;
  /** Address ranges that networks must keep clear of: the service's own and the customer's other ones. */
  readonly takenCidrBlocks: readonly string[];
  readonly dataPlane: DataPlane;
  readonly key: SigningKey;
  /** Everything that it answers. */
  readonly routes: readonly Route[];
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly packs: InstallPacks;
  state: State;
  /** Puts everything back to how it was at the start. */
  reset(): void;
}

/** The next number in the order of creation. */
export function nextSequence(world: World): number {
  world.state.sequence += 1;
  return world.state.sequence;
}

/** A time of the virtual clock as the API prints it; null stays null. */
export function timestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
