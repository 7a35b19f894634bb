/** Sequence numbers count records in 31 bits and then start again at 0 (KIP-98). */
const sequenceMask = 0x7fffffff;
const half = 0x40000000;

/** Returns the sequence number that many records after `sequence`; the one after 2^31 - 1 is 0. */
export function sequenceAfter(sequence: number, records: number): number {
  return (sequence + records) & sequenceMask;
}

/**
 * Returns how many records `to` is ahead of `from`; negative if it is behind. They must be within 2^30 records of each
 * other, which a window of five batches and the unacknowledged records never exceed.
 */
export function sequenceDistance(from: number, to: number): number {
  const distance = (to - from) & sequenceMask;
  return distance < half ? distance : distance - sequenceMask - 1;
}
