import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readOwnFile } from '../../files/read.ts';

/** A name that exists, alone or with what is known about it, for example the number of a topic's partitions. */
export type Name = string | readonly [name: string, about: string];

/** What is known about the names of one subject in one cluster. Times are in milliseconds since the epoch. */
export interface KnownNames {
  readonly names: readonly Name[];
  /** When the cluster returned the names; undefined if it never did. */
  readonly readAt: number | undefined;
  /** When the cluster could last not be asked; undefined if the last attempt succeeded. */
  readonly failedAt: number | undefined;
}

/** A cache file. */
export interface NameCache {
  /** Undefined if there is no file that can be read. */
  read(): KnownNames | undefined;
  /** Replaces the file, unless this machine does not let weir write it. */
  write(names: KnownNames): Promise<void>;
  /** Whether a process is refreshing the file. */
  isRefreshing(): Promise<boolean>;
  /** Runs `work` unless another process is refreshing the file. Also removes the files of clusters not used any more. */
  refreshing(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
}

const maxBytes = 64 << 20;
const keptMs = 7 * 24 * 3_600_000;
/** A holder touches its lock every second. */
const untouchedMs = 3_000;

/** Creates the cache in the file at `path`. Nothing is read or written before it is needed. */
export function createNameCache(path: string): NameCache {
  return {
    read: () => readKnown(path),
    // What writes is loaded only when it is needed: most calls only read.
    async write(names) {
      await (await import('../../files/record.ts')).writeRecord(path, names, 'compact');
    },
    async isRefreshing() {
      const lock = await lstat(`${path}.lock`).catch(() => undefined);
      return lock !== undefined && Math.abs(Date.now() - lock.mtimeMs) < untouchedMs;
    },
    async refreshing(signal, work) {
      const { lockBeside } = await import('../../files/lock.ts');
      await using _lock = await lockBeside(path, { signal, patienceMs: 0, command: 'weir __complete' });
      await work();
      await removeOld(dirname(path));
    },
  };
}

function readKnown(path: string): KnownNames | undefined {
  try {
    const { names, readAt, failedAt }: Readonly<Record<string, unknown>> = JSON.parse(readOwnFile(path, maxBytes));
    if (!Array.isArray(names) || !names.every(isName)) return undefined;
    return { names, readAt: timeOf(readAt), failedAt: timeOf(failedAt) };
  } catch {
    return undefined; // missing or damaged
  }
}

function isName(one: unknown): one is Name {
  if (typeof one === 'string') return true;
  return Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === 'string');
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Removes what nobody has refreshed for a week, including what killed processes left. */
async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile() && Date.now() - stats.mtimeMs > keptMs) await rm(path, { force: true }).catch(() => undefined);
  }
}
