/** The record of one request: enough to count and compare requests, but no secrets. */
export interface JournalEntry {
  readonly number: number;
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The name of the route; null when none matches. */
  readonly route: string | null;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The status of the response; 0 when the connection was dropped first. */
  readonly status: number;
  /** Whether the request had an Authorization header. */
  readonly authorization: boolean;
  /** The `jti` of an accepted token. */
  readonly token_id: string | null;
  readonly client_id: string | null;
  readonly content_type: string | null;
  /** The JSON body of a call to the control plane API; null elsewhere. */
  readonly body: unknown;
  /** The kinds of the faults that affected the response. */
  readonly faults: readonly string[];
}

/** The requests since the start or the last clear, oldest first. */
export interface Journal {
  add(entry: Omit<JournalEntry, 'number' | 'query'>, query: URLSearchParams): void;
  entries(): readonly JournalEntry[];
  clear(): void;
}

const most = 20_000;
const secretNames = /secret|token|password|code/i;

/** Creates an empty journal, which drops the oldest entries when it exceeds 20,000 requests. */
export function startJournal(): Journal {
  let kept: JournalEntry[] = [];
  let number = 0;
  return {
    add(entry, query) {
      number += 1;
      kept.push({ number, ...entry, query: showQuery(query) });
      if (kept.length > most) kept = kept.slice(most / 2);
    },
    entries: () => kept,
    clear() {
      kept = [];
      number = 0;
    },
  };
}

function showQuery(query: URLSearchParams): Readonly<Record<string, readonly string[]>> {
  const shown: Record<string, string[]> = {};
  for (const [name, value] of query) {
    const list = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const text = secretNames.test(name) && name !== 'page_token' ? '(hidden)' : value;
    if (list === undefined) Object.defineProperty(shown, name, { value: [text], enumerable: true });
    else list.push(text);
  }
  return shown;
}
