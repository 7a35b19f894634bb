import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes, withHints } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { type FileLock, type LockWait, lockBeside } from '../../files/lock.ts';
import { readRecord, writeRecord } from '../../files/record.ts';
import { type FlowRecord, flowIn } from './record.ts';

/** The unfinished flows, one file each, so that a flow can be resumed after a crash at any step. */
export interface Journal {
  /** The directory of the files. */
  readonly directory: string;
  /** Lists all records, oldest first. Skips a file that is no record, with a warning. */
  list(): Promise<readonly FlowRecord[]>;
  /** Writes a record atomically: a crash leaves either the old or the new one. */
  write(record: FlowRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Runs `work` with an exclusive lock on the flow and passes it the current record, or undefined if the flow is
   * finished. The lock of a killed weir is released.
   * @param what what is locked, for the error
   * @throws CliError (exit 6) if another weir holds the lock
   */
  hold<T>(id: string, work: (record: FlowRecord | undefined) => Promise<T>, what?: string): Promise<T>;
}

const patienceMs = 3_000;

/** Creates the journal in weir's state directory; no file is made before the first write. */
export function createJournal(
  directory: string,
  lockWait: LockWait,
  warn: (line: string) => void = () => undefined,
): Journal {
  const fileOf = (id: string) => join(directory, `${id}.json`);

  async function hold<T>(
    id: string,
    work: (record: FlowRecord | undefined) => Promise<T>,
    what = `the flow ${id}`,
  ): Promise<T> {
    await using _lock = await take(fileOf(id), { id, what }, lockWait);
    return await work(await readFlow(fileOf(id)));
  }
  return {
    directory,
    hold,
    async list() {
      const names = await accessing(() => namesIn(directory));
      const records: FlowRecord[] = [];
      for (const name of names.filter((one) => one.endsWith('.json'))) {
        // Its own cluster cannot be changed until it is repaired, but all others can.
        try {
          const record = await readFlow(join(directory, name));
          if (record !== undefined) records.push(record);
        } catch (error) {
          if (!(error instanceof CliError)) throw error;
          warn(`skipping an unfinished operation: ${error.message}`);
        }
      }
      return records.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    },
    write: (record) => accessing(() => writeRecord(fileOf(record.id), record)),
    remove: (id) => rm(fileOf(id), { force: true }),
  };
}

/** What is locked: its id, and its name in errors. */
interface Held {
  readonly id: string;
  readonly what: string;
}

async function take(file: string, { id, what }: Held, lockWait: LockWait): Promise<FileLock> {
  let holder = 'another weir';
  const onWait = (name: string) => {
    holder = name;
    return lockWait.onWait?.(name);
  };
  try {
    return await accessing(() => lockBeside(file, { ...lockWait, patienceMs, onWait }));
  } catch (error) {
    lockWait.signal.throwIfAborted();
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.conflict) throw error;
    throw new CliError(exitCodes.conflict, `${what} is in use by ${holder}`, {
      code: 'FLOW_BUSY',
      target: id,
      retryable: true,
      hints: ['wait for it, or stop it and repeat the command; completed steps are not repeated'],
    });
  }
}

async function readFlow(file: string): Promise<FlowRecord | undefined> {
  const record = await accessing(() => readRecord(file, flowIn));
  if (record !== null) return record;
  throw new CliError(exitCodes.failure, `unable to read ${file}: it is not a valid flow record`, {
    code: 'JOURNAL_BROKEN',
    target: file,
    hints: ['check the cluster with "weir cloud cluster list", then remove the file'],
  });
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    const message = `unable to read ${directory}: ${faultOf(error)}`;
    throw new CliError(exitCodes.failure, message, { target: directory, cause: error });
  }
}

/** Reads or writes files of the journal. @throws CliError with what to do if that is not possible */
async function accessing<T>(access: () => T | Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hint =
      'make it accessible and repeat the command: without the journal, an interrupted flow could not be resumed';
    throw withHints(error, [hint]);
  }
}
