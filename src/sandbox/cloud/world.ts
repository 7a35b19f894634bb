import type { Clock } from '../clock.ts';
import { newId } from './identifiers.ts';
import type { InstallPacks } from './install-packs.ts';
import type { SigningKey } from './jwt.ts';
import type { State, Stored } from './state.ts';

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

/**
 * Creates the id of the next resource. Where only the documented API is offered, it is short, such as `cl0004`: the document
 * says nothing about the form of ids.
 */
function newResourceId({ documentedOnly, state }: World, prefix: string): string {
  return documentedOnly ? prefix + String(state.sequence + 1).padStart(4, '0') : newId();
}

/** Returns the fields that every new record has; `id` defaults to a new one with this prefix. */
export function newRecord(world: World, prefix: string, id = newResourceId(world, prefix)): Stored {
  world.state.sequence += 1;
  return { id, sequence: world.state.sequence, createdAt: world.clock.now(), updatedAt: null };
}

/** Formats when a record was created and changed. */
export function timesOf({ createdAt, updatedAt }: Stored) {
  return { created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}

/** Formats a time of the virtual clock as the API prints it; null stays null. */
export function timestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
