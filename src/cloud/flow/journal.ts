import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { type FileLock, type LockWait, lockFile } from '../../files/lock.ts';
import { readOwnFile } from '../../files/read.ts';
import { makeDirectory, removeLeftovers, replaceFile } from '../../files/replace.ts';
import { type FlowRecord, readRecord } from './record.ts';

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
/** The most that a record may have, in bytes. */
const mostBytes = 16 * 1024 * 1024;

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
    const file = fileOf(id);
    const lock = await take(file, { id, what }, lockWait);
    try {
      await removeLeftovers(file);
      return await work(read(file));
    } finally {
      await lock.release();
    }
  }
  return {
    directory,
    hold,
    async list() {
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw unusable('read', directory, error);
      });
      const records: FlowRecord[] = [];
      for (const name of names.filter((one) => one.endsWith('.json'))) {
        // Its own cluster cannot be changed until it is repaired, but all others can.
        try {
          const record = read(join(directory, name));
          if (record !== undefined) records.push(record);
        } catch (error) {
          if (!(error instanceof CliError)) throw error;
          warn(`skipping an unfinished operation: ${error.message}`);
        }
      }
      return records.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    },
    write: (record) => replace(fileOf(record.id), `${JSON.stringify(record, undefined, 2)}\n`),
    remove: (id) => rm(fileOf(id), { force: true }),
  };
}

/** What is locked: its id, and its name in errors. */
interface Held {
  readonly id: string;
  readonly what: string;
}

async function take(file: string, held: Held, lockWait: LockWait): Promise<FileLock> {
  let holder = 'another weir';
  const onWait = (found: string) => {
    holder = found;
    return lockWait.onWait?.(found);
  };
  try {
    await makeDirectory(file);
    return await lockFile(`${file}.lock`, lockWait.signal, { ...lockWait, patienceMs, onWait });
  } catch (error) {
    lockWait.signal.throwIfAborted();
    throw error instanceof CliError && error.exitCode === exitCodes.conflict
      ? taken(held, holder)
      : unusable('write', file, error);
  }
}

function taken({ id, what }: Held, holder: string): CliError {
  return new CliError(exitCodes.conflict, `${what} is in use by ${holder}`, {
    code: 'FLOW_BUSY',
    target: id,
    retryable: true,
    hints: ['wait for it, or stop it and repeat the command; completed steps are not repeated'],
  });
}

function read(file: string): FlowRecord | undefined {
  let text: string;
  try {
    text = readOwnFile(file, mostBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable('read', file, error);
  }
  const record = readRecord(text);
  if (record !== undefined) return record;
  throw new CliError(exitCodes.failure, `unable to read ${file}: it is not a valid flow record`, {
    code: 'JOURNAL_BROKEN',
    target: file,
    hints: ['check the cluster with "weir cloud cluster list", then remove the file'],
  });
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text, async () => true);
  } catch (error) {
    throw unusable('write', file, error);
  }
}

function unusable(verb: 'read' | 'write', path: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(exitCodes.failure, `unable to ${verb} the journal ${path}: ${reason}`, {
    target: path,
    cause: error,
    hints: ['make it accessible and repeat the command: without the journal, an interrupted flow could not be resumed'],
  });
}
