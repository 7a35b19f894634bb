import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { type FileLock, type LockWait, lockFile } from '../../files/lock.ts';
import { makeDirectory, removeLeftovers, replaceFile } from '../../files/replace.ts';
import type { FlowRecord } from './record.ts';

/** The flows that have begun and are not finished, one file each, so that a crash at any step leaves a way on. */
export interface Journal {
  /** Where the files are. */
  readonly directory: string;
  /** All of them, the oldest first. */
  list(): Promise<readonly FlowRecord[]>;
  /** Writes it whole: after a crash there is the old record or the new one. */
  write(record: FlowRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Runs `work` while no other weir works on the flow; hands it the record as it stands then, undefined when it is
   * finished. A weir that was killed loses its hold.
   * @throws CliError (exit 6) when another one is at it
   */
  hold<T>(id: string, work: (record: FlowRecord | undefined) => Promise<T>): Promise<T>;
}

const patienceMs = 3_000;

/** Opens the journal in weir's state directory; nothing is made before something is written. */
export function openJournal(directory: string, lockWait: LockWait): Journal {
  const fileOf = (id: string) => join(directory, `${id}.json`);

  async function hold<T>(id: string, work: (record: FlowRecord | undefined) => Promise<T>): Promise<T> {
    const file = fileOf(id);
    const lock = await take(file, id, lockWait);
    try {
      await removeLeftovers(file);
      return await work(await read(file));
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
        const record = await read(join(directory, name));
        if (record !== undefined) records.push(record);
      }
      return records.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    },
    write: (record) => replace(fileOf(record.id), `${JSON.stringify(record, undefined, 2)}\n`),
    remove: (id) => rm(fileOf(id), { force: true }),
  };
}

async function take(file: string, id: string, lockWait: LockWait): Promise<FileLock> {
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
      ? taken(id, holder)
      : unusable('write', file, error);
  }
}

function taken(id: string, holder: string): CliError {
  return new CliError(exitCodes.conflict, `the flow ${id} is in the hands of ${holder}`, {
    code: 'FLOW_BUSY',
    target: id,
    retryable: true,
    hints: ['wait for it, or end it; what it has done is not done again'],
  });
}

async function read(file: string): Promise<FlowRecord | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable('read', file, error);
  }
  const record = parse(text);
  if (record !== undefined) return record;
  throw new CliError(exitCodes.failure, `unable to read ${file}: it is not what weir wrote there`, {
    code: 'JOURNAL_BROKEN',
    target: file,
    hints: ['look at the cluster with "weir cloud cluster list", then remove the file'],
  });
}

function parse(text: string): FlowRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<FlowRecord> | null;
    const isRecord = record?.version === 1 && typeof record.id === 'string' && typeof record.step === 'string';
    return isRecord ? (record as FlowRecord) : undefined;
  } catch {
    return undefined;
  }
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
    hints: ['without the journal an interrupted flow could not be resumed, so nothing more was done'],
  });
}
