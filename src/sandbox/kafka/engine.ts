import type { Machine } from '../machine.ts';
import type { Node } from './properties.ts';
import type { BrokerState, KafkaState } from './state.ts';
import type { Format } from './storage.ts';

/** The process or container of a running broker. */
export type Running = Pick<BrokerState, 'process' | 'container'>;

/** A way to run Kafka: Java on this machine, or containers. */
export interface Engine {
  /** The paths and host names of a broker of the part in `directory`. */
  layout(directory: string, state: KafkaState, broker: BrokerState): Layout;
  /** Provides what is missing (jars, images, data directories). */
  prepare(machine: Machine, nodes: readonly Node[], format: Format): Promise<void>;
  /** Starts the broker of a prepared node. */
  launch(machine: Machine, node: Node): Promise<Running>;
  isRunning(broker: Running): Promise<boolean>;
  /** Stops a broker within about `graceMs` milliseconds; does nothing when it is not running. */
  stop(broker: Running, graceMs: number): Promise<void>;
}

/** Paths and host names as seen by a broker. */
export interface Layout {
  /** The part's directory. */
  readonly directory: string;
  /** The address that its listeners bind to. */
  readonly bindHost: string;
  /** The host name that other brokers use for it. */
  readonly innerHost: string;
}
