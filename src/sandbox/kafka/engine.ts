import type { Machine } from '../machine.ts';
import type { Node } from './properties.ts';
import type { BrokerState, KafkaState } from './state.ts';
import type { Format } from './storage.ts';

/** What identifies a running broker. */
export type Running = Pick<BrokerState, 'process' | 'container'>;

/** What Kafka runs in: Java on this machine, or containers. */
export interface Engine {
  /** How a broker of the part in `directory` is laid out there. */
  layout(directory: string, state: KafkaState, broker: BrokerState): Layout;
  /** Gets what is missing (jars, data directories). */
  prepare(machine: Machine, nodes: readonly Node[], format: Format): Promise<void>;
  /** Starts the broker of a prepared node. */
  launch(machine: Machine, node: Node): Promise<Running>;
  isRunning(broker: Running): Promise<boolean>;
  /** Ends it within about `graceMs`; does nothing when it is not running. */
  stop(broker: Running, graceMs: number): Promise<void>;
}

/** Paths and host names as a broker sees them. */
export interface Layout {
  /** The part's directory. */
  readonly directory: string;
  /** The address that listeners are bound to. */
  readonly bindHost: string;
  /** The name by which the other brokers reach it. */
  readonly innerHost: string;
}
