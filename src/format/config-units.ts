import { parseDuration } from './duration.ts';
import { parseSize } from './size.ts';

const nanosecondsPerMs = 1_000_000n;
const hoursPerDay = 24;

/**
 * The value of a config as brokers take it: a key that ends with `ms` may have a duration (`7d`, `1h30m`), one that ends
 * with `bytes`, or `size` in configs of brokers, a size (`2MB`). Everything else stays as it is, and the brokers judge it.
 */
export function inUnitOf(key: string, value: string): string {
  if (!/^\d/.test(value) || !/[a-z]$/i.test(value)) return value;
  try {
    if (isDuration(key)) return millisecondsOf(value) ?? value;
    return isSize(key) ? (bytesOf(value) ?? value) : value;
  } catch {
    return value;
  }
}

/** How to write the value of a config that takes a duration or a size; undefined for a number, and for other configs. */
export function formOf(key: string, value: string): string | undefined {
  if (/^-?\d+$/.test(value)) return undefined;
  if (isDuration(key)) return `write ${key} in milliseconds, or as 7d, 12h or 1m30s`;
  return isSize(key) ? `write ${key} in bytes, or as 500MB or 1GiB` : undefined;
}

function isDuration(key: string): boolean {
  return /(?:^|[._])ms$/.test(key);
}

function isSize(key: string): boolean {
  return /(?:^|[._])(?:bytes|size)$/.test(key);
}

/** Undefined for a size that no number holds exactly. */
function bytesOf(value: string): string | undefined {
  const bytes = parseSize(value);
  return Number.isSafeInteger(bytes) ? String(bytes) : undefined;
}

/** Undefined for a duration that is not whole milliseconds: `500us` must not become 0. */
function millisecondsOf(value: string): string | undefined {
  const nanoseconds = parseDuration(withoutDays(value));
  return nanoseconds % nanosecondsPerMs === 0n ? String(nanoseconds / nanosecondsPerMs) : undefined;
}

/** `7d` as hours. */
function withoutDays(value: string): string {
  return value.replace(/^(\d+)d/, (_, days: string) => `${Number(days) * hoursPerDay}h`);
}
