import type { Settings } from '../broker/settings.ts';

/** What simulated brokers are set to: as a sandbox's real Kafka is (`kafka/properties.ts`). */
export function simulatedSettings(brokers: number): Partial<Settings> {
  return {
    autoCreateTopics: false,
    initialRebalanceDelayMs: 0,
    coordinatorPartitions: 8,
    replicas: Math.min(3, brokers),
  };
}
