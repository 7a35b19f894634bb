import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { State } from './state.ts';

/** The data that a simulator needs to continue after a restart. */
export interface Snapshot {
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly now: number;
  /** The key in PKCS #8 PEM, stored so that tokens stay valid across restarts. */
  readonly signingKey: string;
  readonly state: State;
}

interface WrittenMap {
  readonly map: readonly { readonly id: string }[];
}

/** Reads a file written by `writeSnapshot`; undefined when there is none. */
export function readSnapshot(path: string): Snapshot | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text, (_, value: unknown) =>
    isWrittenMap(value) ? new Map(value.map.map((item) => [item.id, item])) : value,
  ) as Snapshot;
}

/** Writes the whole state atomically: a kill at any moment leaves either the old or the new file. */
export function writeSnapshot(path: string, snapshot: Snapshot): void {
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(snapshot, mapsAsArrays), { mode: 0o600 });
  renameSync(next, path);
}

/** A replacer for `JSON.stringify` that writes maps, whose values contain their id, as `{ map: [values] }`. */
function mapsAsArrays(_: string, value: unknown): unknown {
  return value instanceof Map ? { map: [...value.values()] } : value;
}

function isWrittenMap(value: unknown): value is WrittenMap {
  return typeof value === 'object' && value !== null && 'map' in value && Array.isArray(value.map);
}
