import { readFileSync } from 'node:fs';
import { isObject } from '../../shape/object.ts';
import type { SettingsChange } from './settings.ts';
import type { Role } from './state.ts';
import type { DataPlane } from './world.ts';

/** Client credentials that exist from the start. */
export interface SeedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The client's role in the whole organization (default Admin). */
  readonly role?: Role;
  /** The name of its service account (default: the client id). */
  readonly name?: string;
}

/** A user that exists from the start. */
interface SeedUser {
  readonly email: string;
  readonly name: string;
  /** The user's role in the whole organization (default Admin). */
  readonly role?: Role;
}

/** The options of a simulator. They can be stored in a JSON file. */
export interface ControlPlaneOptions {
  /** The address to listen on (default 127.0.0.1). */
  readonly host?: string;
  /** The port to listen on (default: any free port). */
  readonly port?: number;
  /** The file that the program creates when it listens; absent if nothing waits for it. */
  readonly listening?: string;
  /** The file that keeps the state across restarts; absent for a simulator in memory only. */
  readonly stateFile?: string;
  readonly audience?: string;
  /** The public client id of device logins. */
  readonly deviceClientId?: string;
  readonly organization?: { readonly id: string; readonly name: string };
  readonly clients?: readonly SeedClient[];
  readonly users?: readonly SeedUser[];
  readonly settings?: SettingsChange;
  /** The initial time of the virtual clock, in milliseconds since the epoch (default: now). */
  readonly startAt?: number;
  /** Virtual milliseconds per real millisecond (default 0: the clock stands still). */
  readonly clockRate?: number;
  /** Address ranges that networks must not overlap. */
  readonly takenCidrBlocks?: readonly string[];
  readonly dataPlane?: DataPlane;
  /** Whether only the fourteen documented endpoints of the API exist, and ids are short (default: false). */
  readonly documentedOnly?: boolean;
  /** The absolute path of the interpreter that runs the test plugin (default: this process's Node.js). */
  readonly pluginInterpreter?: string;
}

/** The default audience of tokens. */
export const defaultAudience = 'cloudv2-sandbox.example';

/** The default client credentials. */
export const defaultClient: SeedClient = { clientId: 'sandbox', clientSecret: 'sandbox-secret', name: 'sandbox' };

/** The default user. */
export const defaultUser: SeedUser = { email: 'sandbox@cloud.example', name: 'Sandbox' };

/**
 * Reads the options of a simulator process from a JSON file.
 * @throws Error naming the file
 */
export function readOptions(file: string): ControlPlaneOptions {
  try {
    const options: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(options)) throw new Error('it must contain a JSON object');
    return options;
  } catch (error) {
    throw new Error(`unable to read the control plane options from ${file}: ${(error as Error).message}`);
  }
}
