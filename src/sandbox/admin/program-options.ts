import type { AdminOptions } from './admin-api.ts';
import { writeLicense } from './config/license.ts';
import type { KafkaAccess } from './kafka-view.ts';
import type { Seeds } from './seed.ts';

/** The options of the program that runs the simulator beside Kafka, which it reads as JSON. */
export interface ProgramOptions extends AdminOptions {
  readonly kafka: KafkaAccess;
  /** The file that the program creates when it listens at all its addresses. */
  readonly listening: string;
}

/**
 * Parses the options from JSON.
 * @throws Error when the text is not JSON or names no brokers
 */
export function readProgramOptions(text: string): ProgramOptions {
  const options = JSON.parse(text) as Partial<ProgramOptions> | null;
  const { kafka, listening, ...rest } = options ?? {};
  if (kafka === undefined || !Array.isArray(kafka.brokers)) throw new Error('the options name no brokers');
  if (typeof listening !== 'string') throw new Error('the options name no file to create');
  return { ...rest, kafka, listening };
}

const trialDays = 30;

/**
 * What a user's sandbox begins with: everything can be tried, as with a trial license and object storage. It asks for a
 * login if its Kafka does.
 */
export function sandboxSeeds(kafka: KafkaAccess, nowMs: number): Seeds {
  const { user } = kafka.options;
  const expires = Math.floor(nowMs / 1000) + trialDays * 86_400;
  return {
    license: writeLicense({ organization: 'sandbox', type: 'free_trial', expires }),
    config: {
      cloud_storage_enabled: true,
      cloud_storage_bucket: 'sandbox',
      cloud_storage_region: 'local',
      cloud_storage_access_key: 'sandbox',
      cloud_storage_secret_key: 'sandbox',
      data_transforms_enabled: true,
      enable_usage: true,
      // Who needs a password for its Kafka needs it here as well.
      ...(user === undefined ? {} : { superusers: [user], admin_api_require_auth: true }),
    },
  };
}
