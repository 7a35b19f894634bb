import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { freePorts } from '../ports.ts';
import type { ProcessId } from '../process.ts';
import { newSecret } from './identifiers.ts';

/** What is kept about the control plane of a sandbox. */
export interface ControlPlaneState {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null when it is stopped. */
  readonly process: ProcessId | null;
}

const fileName = 'control-plane.json';

/** A control plane that is not there yet: a port that is free now, and credentials of its own. */
export async function planControlPlane(wanted?: number): Promise<ControlPlaneState> {
  const port = wanted ?? (await freePorts(1))[0] ?? 0;
  return { port, clientId: 'sandbox', clientSecret: newSecret(), process: null };
}

/**
 * Reads what was kept in the part's directory; undefined when there is nothing.
 * @throws CliError when it is not what weir wrote
 */
export async function readControlPlaneState(directory: string): Promise<ControlPlaneState | undefined> {
  const file = join(directory, fileName);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const state = parse(text);
  if (state !== undefined) return state;
  throw new CliError(exitCodes.failure, `unable to read ${file}: it is not what weir wrote there`, {
    code: 'SANDBOX_STATE_BROKEN',
    target: file,
    hints: ['"weir sandbox purge" removes the sandbox; a control plane of it that still runs must be ended by hand'],
  });
}

function parse(text: string): ControlPlaneState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ControlPlaneState> | null;
    return typeof state?.port === 'number' && typeof state.clientSecret === 'string'
      ? (state as ControlPlaneState)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Writes it whole: to a file beside it that is then renamed. */
export async function writeControlPlaneState(directory: string, state: ControlPlaneState): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, fileName);
  await writeFile(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
