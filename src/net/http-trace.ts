/** One HTTP request, as traced: no header and no body, for they hold secrets. */
export interface HttpTrace {
  /** Which API it went to: `cloud`, `admin` or `registry`. */
  readonly api: string;
  readonly method: string;
  /** Without credentials; the values of a query are left out where they may be signatures. */
  readonly url: string;
  /** Undefined when no answer came. */
  readonly status?: number;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}
