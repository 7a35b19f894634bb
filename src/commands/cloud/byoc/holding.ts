import { join } from 'node:path';
import { openJournal } from '../../../cloud/flow/journal.ts';
import type { FlowRecord } from '../../../cloud/flow/record.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { stateDirectory } from '../../../files/locations.ts';

/** What is locked. */
export interface Holding {
  readonly id: string;
  /** Its name in errors (default: the flow and its id). */
  readonly what?: string;
}

/**
 * Runs `work` while no other weir on this machine holds the same id. Without a writable directory, nothing is locked.
 * @throws CliError (exit 6) with the process that holds it
 */
export async function holding<T>(
  context: Context,
  { id, what }: Holding,
  work: (kept: FlowRecord | undefined) => Promise<T>,
): Promise<T> {
  const state = stateDirectory(context.host);
  if (state === undefined) return await work(undefined);
  const journal = openJournal(join(state, 'cloud'), context.lockWait);
  let isHeld = false;
  const held = (kept: FlowRecord | undefined) => {
    isHeld = true;
    return work(kept);
  };
  try {
    return await journal.hold(id, held, what);
  } catch (error) {
    if (isHeld || !(error instanceof CliError) || error.exitCode !== exitCodes.failure) throw error;
    return await work(undefined);
  }
}
