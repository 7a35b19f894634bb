import { join } from 'node:path';
import { createJournal, type Journal } from '../../../byoc/flow/journal.ts';
import type { FlowRecord } from '../../../byoc/flow/record.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { stateDirectory } from '../../../files/locations.ts';

/** Opens the journal of this user's flows, without reading anything; undefined without a home directory. */
export function journalOf({ host, lockWait, warn }: Context): Journal | undefined {
  const state = stateDirectory(host);
  return state === undefined ? undefined : createJournal(join(state, 'cloud'), lockWait, warn);
}

/** What is locked. */
export interface FlowLock {
  readonly id: string;
  /** Its name in errors (default: the flow and its id). */
  readonly what?: string;
}

/**
 * Runs `work` while no other weir on this machine holds the same id. Without a writable directory, nothing is locked.
 * @throws CliError (exit 6) with the process that holds it
 */
export async function withFlowLock<T>(
  context: Context,
  { id, what }: FlowLock,
  work: (stored: FlowRecord | undefined) => Promise<T>,
): Promise<T> {
  const journal = journalOf(context);
  if (journal === undefined) return await work(undefined);
  let isHeld = false;
  const held = (stored: FlowRecord | undefined) => {
    isHeld = true;
    return work(stored);
  };
  try {
    return await journal.hold(id, held, what);
  } catch (error) {
    if (isHeld || !(error instanceof CliError) || error.exitCode !== exitCodes.failure) throw error;
    return await work(undefined);
  }
}
