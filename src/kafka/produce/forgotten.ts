import type { Client } from '../client/client.ts';
import { describeConfigs, resourceTypes } from '../protocol/describe-configs.ts';
import type { Batch, Lane } from './lane.ts';
import { forgottenWarning } from './loss.ts';

/** Notices pauses after which a leader may have forgotten the producer, so that it cannot recognize a repeated batch. */
export interface ForgottenWatch {
  /** Warns of the lane's uncertain batches if they are sent again after such a pause; call it before. Never rejects. */
  check(lane: Lane, leader: number): Promise<void>;
}

/** Shorter pauses are never asked about, in milliseconds. */
const leastPauseMs = 5_000;
/** The default of `producer.id.expiration.ms`, for brokers that do not show theirs. */
const defaultExpirationMs = 86_400_000;
const key = 'producer.id.expiration.ms';

/** Creates a watch, which asks the brokers at most once. */
export function watchForgotten(client: Client, warn: (line: string) => void): ForgottenWatch {
  const told = new WeakSet<Batch>();
  const { clock } = client.options.deadline;
  let asking: Promise<number> | undefined;
  return {
    async check(lane, leader) {
      const batches = lane.queue.filter((batch) => batch.isUncertain && !told.has(batch));
      const sentAt = batches.reduce((least, batch) => Math.min(least, batch.sentAt ?? least), Number.POSITIVE_INFINITY);
      const pauseMs = clock.now() - sentAt;
      if (pauseMs < leastPauseMs) return;
      asking ??= readExpiration(client, leader).catch(() => defaultExpirationMs);
      const expirationMs = await asking;
      if (pauseMs < expirationMs) return;
      for (const batch of batches) told.add(batch);
      warn(forgottenWarning(lane, batches, { pauseMs, expirationMs }));
    },
  };
}

async function readExpiration(client: Client, node: number): Promise<number> {
  const resource = { type: resourceTypes.broker, name: String(node), keys: [key] };
  const { resources } = await client.requestOnce(describeConfigs, { resources: [resource] }, { node });
  const value = Number(resources[0]?.configs.find((config) => config.key === key)?.value ?? Number.NaN);
  return value > 0 ? value : defaultExpirationMs;
}
