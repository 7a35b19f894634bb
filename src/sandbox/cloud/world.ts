import type { Clock } from '../clock.ts';
import type { SigningKey } from './auth/jwt.ts';
import type { InstallPacks } from './plugin/install-packs.ts';
import type { State } from './state.ts';

/** The addresses that simulated clusters report; undefined for addresses under `.example`. */
export interface DataPlane {
  readonly brokers?: readonly string[];
  readonly schemaRegistryUrl?: string;
  readonly consoleUrl?: string;
  readonly dataplaneUrl?: string;
}

/** Everything that a route can use. */
export interface World {
  /** The origin of the simulator, without a trailing slash. */
  readonly url: string;
  readonly audience: string;
  /** The public client id of device logins. */
  readonly deviceClientId: string;
  /** Address ranges that networks must not overlap: those of the service and the customer's other networks. */
  readonly takenCidrBlocks: readonly string[];
  readonly dataPlane: DataPlane;
  /** Whether only the documented endpoints exist, and ids are short. */
  readonly documentedOnly: boolean;
  readonly key: SigningKey;
  readonly clock: Clock;
  readonly packs: InstallPacks;
  state: State;
}

/** Returns the next number in the order of creation. */
export function nextSequence(world: World): number {
  world.state.sequence += 1;
  return world.state.sequence;
}

/** Formats a time of the virtual clock as the API prints it; null stays null. */
export function timestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
