/** The part of Bun that is used. */
interface BunGlobal {
  readonly Bun?: { gc(isSynchronous: boolean): void };
}

/**
 * Frees buffers that nothing uses any more, in about ten milliseconds. Only Bun needs that, which lets them grow until
 * its heap has doubled, and on a machine with much memory twice more.
 */
export function collectGarbage(): void {
  (globalThis as BunGlobal).Bun?.gc(true);
}
