/** The record of one request to one node: enough to follow a client, but no secrets. */
export interface JournalEntry {
  readonly number: number;
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly at: number;
  /** The node that was asked. */
  readonly node: number;
  readonly method: string;
  /** The path with its query, as sent. */
  readonly path: string;
  /** The name of the route; null when none matches. */
  readonly route: string | null;
  /** The status of the response; 0 when the connection was cut before one. */
  readonly status: number;
  /** The scheme of the credentials that came. */
  readonly credentials: 'none' | 'basic' | 'bearer' | 'other';
  /** The user that they proved; null when they proved none. */
  readonly user: string | null;
  readonly contentType: string | null;
  readonly bodyBytes: number;
  /** Where a redirect led to; null for other answers. */
  readonly location: string | null;
  /** The kinds of the faults that affected the response. */
  readonly faults: readonly string[];
}

/** The requests since the start or the last clear, oldest first. */
export interface Journal {
  add(entry: Omit<JournalEntry, 'number'>): void;
  /** The requests to all nodes or to one. */
  entries(node?: number): readonly JournalEntry[];
  clear(): void;
}

const most = 20_000;

/** Creates an empty journal, which drops the oldest entries when it exceeds 20,000 requests. */
export function startJournal(): Journal {
  let kept: JournalEntry[] = [];
  let number = 0;
  return {
    add(entry) {
      number += 1;
      kept.push({ number, ...entry });
      if (kept.length > most) kept = kept.slice(most / 2);
    },
    entries: (node) => (node === undefined ? [...kept] : kept.filter((entry) => entry.node === node)),
    clear() {
      kept = [];
      number = 0;
    },
  };
}
