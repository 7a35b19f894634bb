import type { Client } from '../../protocol/client/client.ts';
import { describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import type { Batch, Lane } from './lane.ts';
import { forgottenWarning } from './loss.ts';

/**
 * Notices batches so old that their leader may have forgotten the producer, so that it cannot recognize a repetition. Kafka
 * counts from the timestamp of the producer's last record in the partition, which is when that was read.
 */
export interface ForgottenWatch {
  /** Warns of the lane's uncertain batches that are so old, before they are sent again. Never rejects. */
  check(lane: Lane, leader: number): Promise<void>;
}

/** Younger batches are never asked about, in milliseconds. */
const leastAgeMs = 5_000;
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
      const ages = batches.map((one) => Math.max(clock.now() - one.createdAt, clock.wallTime() - one.createdWallMs));
      const ageMs = Math.max(0, ...ages);
      if (ageMs < leastAgeMs) return;
      asking ??= readExpiration(client, leader).catch(() => defaultExpirationMs);
      const expirationMs = await asking;
      if (ageMs < expirationMs) return;
      for (const batch of batches) told.add(batch);
      warn(forgottenWarning(lane, batches, { ageMs, expirationMs }));
    },
  };
}

async function readExpiration(client: Client, node: number): Promise<number> {
  const resource = { resourceType: resourceTypes.broker, resourceName: String(node), configurationKeys: [key] };
  const { results } = await client.requestOnce(describeConfigs, { resources: [resource] }, { node });
  const value = Number(results[0]?.configs.find(({ name }) => name === key)?.value ?? Number.NaN);
  return value > 0 ? value : defaultExpirationMs;
}
