import type { FlavourName, Settings } from '../broker/settings.ts';

/** A broker that the program of the simulated engine should run. */
export interface SimulatedBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** The file that its log lines are appended to. */
  readonly log: string;
}

/** The options of the simulated engine's program, which it reads as JSON. */
export interface SimulatedOptions {
  readonly brokers: readonly SimulatedBroker[];
  /** What they imitate. */
  readonly flavour: FlavourName;
  /** The file that the program creates when it listens on all ports. */
  readonly listening: string;
}

/**
 * Parses the options from JSON.
 * @throws Error when the text is not JSON or names no brokers
 */
export function readSimulatedOptions(text: string): SimulatedOptions {
  const options = JSON.parse(text) as Partial<SimulatedOptions> | null;
  const { brokers, flavour = 'kafka', listening } = options ?? {};
  if (!Array.isArray(brokers) || brokers.length === 0) throw new Error('the options name no brokers');
  if (typeof listening !== 'string') throw new Error('the options name no file to create');
  return { brokers, flavour, listening };
}

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
