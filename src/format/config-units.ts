import { parseDuration, showDuration } from './duration.ts';
import { parseSize } from './size.ts';

const nanosecondsPerMs = 1_000_000n;
const hoursPerDay = 24;
const msPerDay = 86_400_000n;

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

/**
 * The value of a config in milliseconds or bytes, with the same in a larger unit where that is exact: `604800000 (7d)`.
 */
export function withUnit(key: string, value: string): string {
  if (!/^[1-9]\d{2,}$/.test(value)) return value;
  const inUnit = isDuration(key)
    ? inTime(BigInt(value))
    : /(?:^|[._])bytes$/.test(key)
      ? inBytes(Number(value))
      : undefined;
  return inUnit === undefined ? value : `${value} (${inUnit})`;
}

/** Undefined for what is no whole second. */
function inTime(ms: bigint): string | undefined {
  if (ms % msPerDay === 0n) return `${ms / msPerDay}d`;
  return ms % 1000n === 0n ? showDuration(ms * nanosecondsPerMs) : undefined;
}

const byteUnits = ['TiB', 'TB', 'GiB', 'GB', 'MiB', 'MB', 'KiB', 'kB'] as const;

/** In the largest unit of which it is a whole number; undefined for none. */
function inBytes(bytes: number): string | undefined {
  if (!Number.isSafeInteger(bytes)) return undefined;
  const unit = byteUnits.find((one) => bytes % parseSize(`1${one}`) === 0);
  return unit === undefined ? undefined : `${bytes / parseSize(`1${unit}`)}${unit}`;
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
