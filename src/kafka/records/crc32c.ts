import { createRequire } from 'node:module';
import { crc32cFromTables } from './crc32c-tables.ts';

/** Returns the checksum of all `bytes`. */
type Checksum = (bytes: Uint8Array) => number;

/** Below this size in bytes a call into native code costs more than it saves. */
const nativeBytes = 512;
let native: Checksum | false | undefined;

/**
 * Returns the CRC-32C (Castagnoli, reflected polynomial 0x82F63B78; RFC 3720 appendix B.4) of `bytes[start, end)` as an
 * unsigned 32-bit number. It is the checksum of record batches since magic 2. The optional package @node-rs/crc32
 * reaches 14 GB/s, the tables 2.9 GB/s; they are used if the package is missing (a single-file build, or a platform
 * without a binary).
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  if (end - start < nativeBytes) return crc32cFromTables(bytes, start, end);
  native ??= loadNative();
  return native === false ? crc32cFromTables(bytes, start, end) : native(bytes.subarray(start, end));
}

function loadNative(): Checksum | false {
  try {
    const loaded: unknown = createRequire(import.meta.url)('@node-rs/crc32');
    const isUsable = typeof loaded === 'object' && loaded !== null && 'crc32c' in loaded;
    return isUsable && typeof loaded.crc32c === 'function' ? (loaded.crc32c as Checksum) : false;
  } catch {
    return false;
  }
}
