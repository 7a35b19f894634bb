import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { State } from './state.ts';

/** What a simulator continues with after a restart. */
export interface Snapshot {
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly now: number;
  /** PKCS #8 PEM: tokens stay valid over a restart. */
  readonly signingKey: string;
  readonly state: State;
}

interface WrittenMap {
  readonly map: readonly { readonly id: string }[];
}

/** Reads the file that `writeSnapshot` wrote; undefined when there is none. */
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

/** Writes the whole state so that a kill at any moment leaves the old or the new file. */
export function writeSnapshot(path: string, snapshot: Snapshot): void {
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(snapshot, mapsAsArrays), { mode: 0o600 });
  renameSync(next, path);
}

/** A replacer for `JSON.stringify`: maps, whose values carry their own id, as `{ map: [values] }`. */
function mapsAsArrays(_: string, value: unknown): unknown {
  return value instanceof Map ? { map: [...value.values()] } : value;
}

function isWrittenMap(value: unknown): value is WrittenMap {
  return typeof value === 'object' && value !== null && 'map' in value && Array.isArray(value.map);
}
