import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { silentLogger } from './logger.ts';

/** The longest time that an answer may make the next request wait, in milliseconds, whatever the broker says. */
const longestThrottleMs = 60_000;

/** What a queue needs to know of its connection. */
export interface QueueOptions {
  readonly clientId: string;
  readonly broker: string;
  readonly isConnected: () => boolean;
}

/**
 * kafkajs's request queue without its clocks. It polled every 100 ms for requests that took too long and
 * armed timers with negative delays; here each request has one timer of its own (`wire.ts`), and a timer
 * runs in the queue only while the broker throttles.
 */
export class ExactQueue extends RequestQueue {
  constructor(options: QueueOptions) {
    super({
      ...options,
      logger: silentLogger,
      maxInFlightRequests: null,
      requestTimeout: 0,
      enforceRequestTimeout: false,
    });
  }

  /** Takes back a request that is in flight: it rejects, and its late answer will be dropped. False: there is none. */
  expire(correlationId: number, error: Error): boolean {
    const request = this.inflight.get(correlationId);
    if (request === undefined) return false;
    this.inflight.delete(correlationId);
    request.rejected(error);
    this.checkPendingRequests();
    return true;
  }

  /** Holds requests back for as long as the broker asked for (KIP-219); on the monotonic clock. */
  override maybeThrottle(milliseconds: number): void {
    if (milliseconds <= 0) return;
    const until = performance.now() + Math.min(milliseconds, longestThrottleMs);
    this.throttledUntil = Math.max(until, this.throttledUntil);
  }

  override canSendSocketRequestImmediately(): boolean {
    return this.throttledUntil <= performance.now();
  }

  override scheduleCheckPendingRequests(): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const delay = Math.max(1, Math.ceil(this.throttledUntil - performance.now()));
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, delay);
  }

  override scheduleRequestTimeoutCheck(): void {
    // Nothing to poll for.
  }
}
