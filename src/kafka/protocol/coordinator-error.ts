/** COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR. */
const moved: ReadonlySet<number> = new Set([14, 15, 16]);

/**
 * The first of `codes` that says the coordinator is elsewhere or not ready, else 0: what the retry rule
 * repeats after looking for the coordinator again. Other codes concern the member and are its to judge.
 */
export function coordinatorError(...codes: readonly number[]): number {
  return codes.find((code) => moved.has(code)) ?? 0;
}
