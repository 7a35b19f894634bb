import type { ConsumePlan } from './consuming.ts';
import type { ProducePlan } from './producing.ts';
import type { Scenario } from './scenario.ts';

/** The longest pause between two attempts, including jitter (2.5 s ± 20 %). */
const longestPauseMs = 3_000;
/** The timeout in a Produce request. */
const produceMs = 5_000;
/** The maximum number of seed brokers dialed in one attempt. */
const seeds = 3;
/** How long a member waits for its coordinator: the session timeout plus the preceding heartbeat interval. */
const sessionMs = 45_000 + 3_000;
/** How long a consumption takes to end. */
const closeMs = 4_500;
/** The latency of the network and the delays of the simulated brokers. */
const marginMs = 2_000;

/** The longest time with retries: the last attempt can start at the limit plus a pause and takes its full time. */
function retriedMs({ limits }: Scenario): number {
  const tryMs = Math.max(seeds * limits.dial, limits.overhead + produceMs);
  return limits.retry + 2 * (longestPauseMs + tryMs) + marginMs;
}

/** How long a production may continue after the last fault, in simulated milliseconds. */
export function produceEndsMs(scenario: Scenario, { records, pauseMs, deliveryTimeoutMs = 0 }: ProducePlan): number {
  // A healthy leader acknowledges one batch after another, and a batch may have a single record.
  const replicationMs = records * (scenario.settings.replicationDelayMs ?? 0);
  return replicationMs + pauseMs + deliveryTimeoutMs + retriedMs(scenario);
}

/** How long a consumption may continue after the last broker response, in simulated milliseconds. */
export function consumeEndsMs(scenario: Scenario, { fetchMaxWaitMs, group, readerMs, stall }: ConsumePlan): number {
  const memberMs = group === undefined ? 0 : sessionMs;
  return fetchMaxWaitMs + readerMs + (stall?.forMs ?? 0) + memberMs + retriedMs(scenario) + closeMs;
}
