/** A broker of the simulated engine, as its program is told of it. */
export interface SimulatedBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  /** The file that its log lines are added to. */
  readonly log: string;
}

/** What the program of the simulated engine is started with, as JSON. */
export interface SimulatedOptions {
  readonly brokers: readonly SimulatedBroker[];
}

/**
 * Reads the options out of a JSON text.
 * @throws Error when it is none of them
 */
export function readSimulatedOptions(text: string): SimulatedOptions {
  const options = JSON.parse(text) as Partial<SimulatedOptions> | null;
  const brokers = options?.brokers;
  if (!Array.isArray(brokers) || brokers.length === 0) throw new Error('the options name no brokers');
  return { brokers };
}
