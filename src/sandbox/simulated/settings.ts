import type { Settings } from '../broker/settings.ts';

/** The settings of simulated brokers, equal to those of a sandbox's real Kafka (`kafka/properties.ts`). */
export function simulatedSettings(brokers: number): Partial<Settings> {
  return {
    autoCreateTopics: false,
    initialRebalanceDelayMs: 0,
    coordinatorPartitions: 8,
    replicas: Math.min(3, brokers),
    // By which weir's client knows these brokers, for messages.
    features: ['weir.simulated'],
  };
}
