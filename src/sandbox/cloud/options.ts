import { readFileSync } from 'node:fs';
import { isObject } from './http/fields.ts';
import type { SettingsChange } from './settings.ts';
import type { Role } from './state.ts';
import type { DataPlane } from './world.ts';

/** Credentials that work from the start. */
export interface SeedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What it may do in the whole organization; Admin unless said. */
  readonly role?: Role;
  /** The name of its service account; the client id unless said. */
  readonly name?: string;
}

/** A person that exists from the start. */
export interface SeedUser {
  readonly email: string;
  readonly name: string;
  /** What the person may do in the whole organization; Admin unless said. */
  readonly role?: Role;
}

/** How a simulator is started. All of it can stand in a JSON file. */
export interface ControlPlaneOptions {
  /** 127.0.0.1 unless said. */
  readonly host?: string;
  /** A free one unless said. */
  readonly port?: number;
  /** Where everything is kept, so that a restarted simulator continues; nowhere unless said. */
  readonly stateFile?: string;
  readonly audience?: string;
  /** The public client id of device logins. */
  readonly deviceClientId?: string;
  readonly organization?: { readonly id: string; readonly name: string };
  readonly clients?: readonly SeedClient[];
  readonly users?: readonly SeedUser[];
  readonly settings?: SettingsChange;
  /** What the virtual clock shows at first, in milliseconds since the epoch; now unless said. */
  readonly startAt?: number;
  /** Virtual milliseconds per real one; 0, unless said: time moves by control calls alone. */
  readonly clockRate?: number;
  /** Address ranges that networks must keep clear of. */
  readonly takenCidrBlocks?: readonly string[];
  readonly dataPlane?: DataPlane;
  /** Opens the calls that move the clock, plan faults and show the state; never in a person's sandbox. */
  readonly testControls?: boolean;
  /** What runs the test plugin: an absolute path; this process's own Node unless said. */
  readonly pluginInterpreter?: string;
}

/** The audience that tokens are for when none is given. */
export const defaultAudience = 'cloudv2-sandbox.example';

/** The credentials that work when none are given. */
export const defaultClient: SeedClient = { clientId: 'sandbox', clientSecret: 'sandbox-secret', name: 'sandbox' };

/** The person that exists when none is given. */
export const defaultUser: SeedUser = { email: 'sandbox@cloud.example', name: 'Sandbox' };

/**
 * Reads the options of a process from a JSON file.
 * @throws Error naming the file
 */
export function readOptions(file: string): ControlPlaneOptions {
  try {
    const options: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(options)) throw new Error('an object is expected');
    return options;
  } catch (error) {
    throw new Error(`unable to read the options of the control plane from ${file}: ${(error as Error).message}`);
  }
}
