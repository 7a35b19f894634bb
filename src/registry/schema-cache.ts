import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOwnFile } from '../files/read.ts';
import { makeDirectory, replaceFile } from '../files/replace.ts';
import { type Fields, fieldsOf } from '../net/json.ts';

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
 * Opens the cache of one registry, without touching the disk.
 * @param directory the cache directory of weir
 * @param identity what tells registries and their users apart; no secrets
 */
export function openSchemaCache(directory: string, identity: readonly string[], now = Date.now): SchemaCache {
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
