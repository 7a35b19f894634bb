import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, exitCodes } from '../errors.ts';
import { readOwnFile } from '../files/read.ts';
import { makeDirectory, replaceFile } from '../files/replace.ts';
import { type Fields, fieldsOf } from '../shape/object.ts';

/**
 * How long entries are used, in milliseconds. An id keeps its meaning, but a registry may be set up again under the same
 * address, or give the highest id away again after its schema was removed for good.
 */
const keptMs = 24 * 60 * 60 * 1000;
const maxBytes = 128 * 1024 * 1024;

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
  return {
    get(name) {
      try {
        const { saved_at: savedAt, digest, value } = fieldsOf(JSON.parse(readOwnFile(pathOf(name), maxBytes)));
        if (typeof savedAt !== 'number' || typeof value !== 'string' || digest !== digestOf(value)) return undefined;
        const ageMs = now() - savedAt;
        return ageMs >= 0 && ageMs < keptMs ? fieldsOf(JSON.parse(value)) : undefined;
      } catch {
        return undefined;
      }
    },
    async put(name, value) {
      const text = JSON.stringify(value);
      const entry = { saved_at: now(), digest: digestOf(text), value: text };
      const path = pathOf(name);
      try {
        await makeDirectory(path);
        await replaceFile(path, JSON.stringify(entry), async () => true);
      } catch {
        // A full disk or a directory that cannot be written costs only time.
      }
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How long an id that does not exist is not asked for again, in milliseconds. */
const missingMs = 10_000;
/** The most ids that are remembered; records with made-up ids must not fill the memory. */
const mostKnown = 10_000;

/** The id of a schema, after its context if that is not the default one. */
export type KnownId = number | `:${string}`;

/** Remembers answers by id for the time of a command. */
export interface KnownSchemas<T> {
  /** Returns what is known about an id, or fetches it; several callers share one request. */
  get(id: KnownId, fetch: () => Promise<T>): Promise<T>;
}

/** Creates an empty memory. */
export function createKnownSchemas<T>(clock: Pick<Clock, 'now'>): KnownSchemas<T> {
  const known = new Map<KnownId, Promise<T>>();
  const missingSince = new Map<KnownId, number>();

  function forget(id: KnownId): void {
    known.delete(id);
    missingSince.delete(id);
  }
  return {
    get(id, fetch) {
      const since = missingSince.get(id);
      if (since !== undefined && clock.now() - since >= missingMs) forget(id);
      const found = known.get(id);
      if (found !== undefined) return found;
      const [oldest] = known.keys();
      if (known.size >= mostKnown && oldest !== undefined) forget(oldest);
      const fetched = fetch();
      known.set(id, fetched);
      fetched.catch((error: unknown) => {
        if (known.get(id) !== fetched) return;
        if (error instanceof CliError && error.exitCode === exitCodes.notFound) missingSince.set(id, clock.now());
        else forget(id);
      });
      return fetched;
    },
  };
}
