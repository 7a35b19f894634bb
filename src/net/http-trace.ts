/** One HTTP request in a trace, without headers and body, which may contain secrets. */
export interface HttpTrace {
  /** The API: `cloud`, `admin` or `registry`. */
  readonly api: string;
  readonly method: string;
  /** The URL without credentials; the query of a download is omitted, because it may be a signature. */
  readonly url: string;
  /** The status; undefined if there was no response. */
  readonly status?: number;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}
