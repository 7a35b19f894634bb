import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, exitCodes } from '../errors.ts';
import { readRecord, writeRecord } from '../files/record.ts';
import { type Fields, fieldsOf } from '../shape/object.ts';

/**
 * How long entries are used, in milliseconds. An id keeps its meaning, but a registry may be set up again under the same
 * address, or give the highest id away again after its schema was removed for good.
 */
const keptMs = 24 * 60 * 60 * 1000;
/** The longest schema that is kept, in characters: longer ones cannot be used for records. */
const longestKept = 8 * 1024 * 1024;
/** The most bytes of all entries together, of all registries. */
const mostOnDisk = 64 * 1024 * 1024;
const maxBytes = 4 * longestKept;

/** What is kept between commands, as one file per entry. Nothing in it fails: what cannot be read or written is missing. */
export interface SchemaCache {
  /** Returns the fields of an entry; undefined if it is missing, old or damaged. */
  get(name: string): Fields | undefined;
  /** Writes an entry whole, replacing a damaged one. */
  put(name: string, value: object): Promise<void>;
}

/**
 * Creates the cache of one registry, without touching the disk.
 * @param directory the cache directory of weir
 * @param identity what tells registries and their users apart; no secrets
 */
export function createSchemaCache(directory: string, identity: readonly string[], now = Date.now): SchemaCache {
  const room = join(directory, 'registry', digestOf(JSON.stringify(identity)).slice(0, 32));
  const pathOf = (name: string): string => join(room, `${name}.json`);
  let isPruned = false;
  return {
    get(name) {
      try {
        const { saved_at: savedAt, digest, value } = readRecord(pathOf(name), fieldsOf, maxBytes) ?? {};
        if (typeof savedAt !== 'number' || typeof value !== 'string' || digest !== digestOf(value)) return undefined;
        const ageMs = now() - savedAt;
        return ageMs >= 0 && ageMs < keptMs ? fieldsOf(JSON.parse(value)) : undefined;
      } catch {
        return undefined;
      }
    },
    async put(name, value) {
      const text = JSON.stringify(value);
      if (text.length > longestKept) return;
      const entry = { saved_at: now(), digest: digestOf(text), value: text };
      try {
        await writeRecord(pathOf(name), entry, 'compact');
        if (!isPruned) await prune(join(directory, 'registry'), now());
        isPruned = true;
      } catch {
        // A full disk or a directory that cannot be written costs only time.
      }
    },
  };
}

/** Removes the entries of all registries that are no longer used, and the oldest ones of too many. */
async function prune(directory: string, nowMs: number): Promise<void> {
  const names = await readdir(directory, { recursive: true });
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(directory, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
  );
  let left = mostOnDisk;
  for (const { path, size, mtimeMs } of files.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
    left -= size;
    if (left < 0 || nowMs - mtimeMs >= keptMs) await rm(path, { force: true });
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How long an id that does not exist is not asked for again, in milliseconds. */
const missingMs = 10_000;
/** The most ids that are remembered; records with made-up ids must not fill the memory. */
const mostKnown = 10_000;
/** The most characters of all schemas that are remembered. */
const mostText = 32 * 1024 * 1024;

/** The id of a schema, after its context if that is not the default one. */
export type KnownId = number | `:${string}`;

/** Remembers answers by id for the time of a command. */
export interface KnownSchemas<T> {
  /** Returns what is known about an id, or fetches it; several callers share one request. */
  get(id: KnownId, fetch: () => Promise<T>): Promise<T>;
}

/** Creates an empty memory. @param lengthOf the number of characters of what is remembered */
export function createKnownSchemas<T>(clock: Pick<Clock, 'now'>, lengthOf: (value: T) => number): KnownSchemas<T> {
  const fetches = new Map<KnownId, Promise<T>>();
  const lengths = new Map<KnownId, number>();
  let text = 0;
  const missingSince = new Map<KnownId, number>();

  function forget(id: KnownId): void {
    fetches.delete(id);
    missingSince.delete(id);
    text -= lengths.get(id) ?? 0;
    lengths.delete(id);
  }

  /** Counts an answer, and forgets others until there is room for it; one that is too long is not remembered. */
  function count(id: KnownId, length: number): void {
    lengths.set(id, length);
    text += length;
    if (length > longestKept) forget(id);
    for (const oldest of fetches.keys()) {
      if (text <= mostText) return;
      if (oldest !== id) forget(oldest);
    }
  }
  return {
    get(id, fetch) {
      const since = missingSince.get(id);
      if (since !== undefined && clock.now() - since >= missingMs) forget(id);
      const cached = fetches.get(id);
      if (cached !== undefined) return cached;
      const [oldest] = fetches.keys();
      if (fetches.size >= mostKnown && oldest !== undefined) forget(oldest);
      const fetched = fetch();
      fetches.set(id, fetched);
      fetched.then(
        (value) => {
          if (fetches.get(id) === fetched) count(id, lengthOf(value));
        },
        (error: unknown) => {
          if (fetches.get(id) !== fetched) return;
          if (error instanceof CliError && error.exitCode === exitCodes.notFound) missingSince.set(id, clock.now());
          else forget(id);
        },
      );
      return fetched;
    },
  };
}
