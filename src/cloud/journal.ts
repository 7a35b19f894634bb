import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { CliError, exitCodes } from '../errors.ts';
import type { FlowRecord } from './flow-record.ts';

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
   * finished. A weir that was killed loses its hold after three seconds.
   * @throws CliError (exit 6) when another one is at it
   */
  hold<T>(id: string, work: (record: FlowRecord | undefined) => Promise<T>): Promise<T>;
}

const staleMs = 3_000;
const beatMs = 1_000;
const tryEveryMs = 100;

/** Opens the journal in weir's state directory; nothing is made before something is written. */
export function openJournal(directory: string, signal: AbortSignal): Journal {
  const fileOf = (id: string) => join(directory, `${id}.json`);

  async function hold<T>(id: string, work: (record: FlowRecord | undefined) => Promise<T>): Promise<T> {
    await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error) => {
      throw unusable('write', directory, error);
    });
    const release = await acquire(fileOf(id), id, signal);
    try {
      return await work(await read(fileOf(id)));
    } finally {
      await release().catch(() => undefined); // lost to another already: nothing is left to release
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

async function acquire(file: string, id: string, signal: AbortSignal): Promise<() => Promise<void>> {
  for (const giveUpAt = performance.now() + 2 * staleMs; ; ) {
    signal.throwIfAborted();
    try {
      return await lock(file, { realpath: false, stale: staleMs, update: beatMs, onCompromised: () => undefined });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw unusable('write', file, error);
      if (performance.now() > giveUpAt) throw taken(id);
    }
    await delay(tryEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function taken(id: string): CliError {
  return new CliError(exitCodes.conflict, `another weir works on the flow ${id} at this moment`, {
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
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await using output = await open(aside, 'wx', 0o600);
    await output.writeFile(text);
    await output.sync();
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
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
