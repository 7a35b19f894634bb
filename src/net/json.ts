import { HttpError } from './http-error.ts';

/** Bodies below this are not counted: they cannot have more values than a process has memory for. */
const countedBytes = 4 * 1024 * 1024;
/**
 * The most values of a larger body: 64 MiB of empty objects would take gigabytes, and a minute in which no time limit
 * applies. An answer about 100,000 partitions has about a million.
 */
const mostValues = 2_000_000;
/** More digits are no number of any API, and reading them as one takes time in which no limit applies. */
const mostDigits = 1000;

/** Parses a body as JSON; undefined if it is not JSON. @throws HttpError if it has more than two million values */
export function parseJson(body: Buffer): unknown {
  refuseEndless(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The text of an unknown value; numbers and booleans as text, '' for other values. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/**
 * Like `parseJson`, but integers beyond 2^53 become bigints, so that they keep all their digits; undefined also if a
 * number has more than 1,000 digits.
 */
export function parseExactJson(body: Buffer): unknown {
  refuseEndless(body);
  try {
    // Every Node.js that weir supports passes the source of a value; the compiler's library does not declare it yet.
    const parse = JSON.parse as unknown as (
      text: string,
      revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ) => unknown;
    return parse(body.toString('utf8'), (_, value, { source = '' }) =>
      typeof value === 'number' ? exactNumber(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** Reads a decimal number: a bigint for an integer that a number cannot hold exactly. @throws RangeError if it has more than 1,000 digits */
function exactNumber(source: string): number | bigint {
  if (source.length > mostDigits) throw new RangeError(`a number has more than ${mostDigits} digits`);
  const value = Number(source);
  return /^[+-]?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source.replace(/^\+/, '')) : value;
}

function refuseEndless(body: Buffer): void {
  if (body.length <= countedBytes) return;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === 0x22) at = endOfString(body, at);
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++;
  }
  if (values <= mostValues) return;
  throw new HttpError('the response is JSON with more than two million values', {
    sent: true,
    code: 'ANSWER_TOO_LARGE',
    retryable: false,
  });
}

/** The place of the quote that ends the string that begins at `start`, or the end of the body. */
function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  for (; at < body.length && body[at] !== 0x22; at++) if (body[at] === 0x5c) at++;
  return at;
}
