import type { ConsumePlan } from './consuming.ts';
import type { ProducePlan } from './producing.ts';
import type { Scenario } from './scenario.ts';

/** The longest pause between two tries, with its jitter (spec: 2.5 s ± 20 %). */
const longestPauseMs = 3_000;
/** Inside a Produce request. */
const produceMs = 5_000;
/** Seed brokers that are dialled in one try, at most. */
const seeds = 3;
/** What a member puts up with from its coordinator: the session timeout, and the heartbeat before it. */
const sessionMs = 45_000 + 3_000;
/** What a consumption takes to end. */
const closeMs = 4_500;
/** Ways of frames, delays of the simulated brokers. */
const marginMs = 2_000;

/** The last try may begin when the limit is over, after a pause, and takes as long as a try may. */
function retriedMs({ limits }: Scenario): number {
  const tryMs = Math.max(seeds * limits.dial, limits.overhead + produceMs);
  return limits.retry + 2 * (longestPauseMs + tryMs) + marginMs;
}

/** How long a production may go on after no broker answers any more, in simulated milliseconds. */
export function produceEndsMs(scenario: Scenario, { pauseMs, deliveryTimeoutMs = 0 }: ProducePlan): number {
  return pauseMs + deliveryTimeoutMs + retriedMs(scenario);
}

/** The same for a consumption. */
export function consumeEndsMs(scenario: Scenario, { fetchMaxWaitMs, group, readerMs, stall }: ConsumePlan): number {
  const memberMs = group === undefined ? 0 : sessionMs;
  return fetchMaxWaitMs + readerMs + (stall?.forMs ?? 0) + memberMs + retriedMs(scenario) + closeMs;
}
