import type { ProcessId } from '../../files/process-id.ts';
import { stateFile } from '../part-state.ts';
import type { Mechanism, User } from './properties.ts';

/** What Kafka runs in; the simulated engine stands in for Kafka, in memory. */
export const engineNames = ['java', 'docker', 'podman', 'simulated'] as const;

/** One of `engineNames`. */
export type EngineName = (typeof engineNames)[number];

/** What clients must bring. */
export interface Security {
  readonly tls: boolean;
  /** Client certificates are demanded; `tls` is on as well. */
  readonly mtls: boolean;
  readonly sasl: Mechanism | null;
}

/** One broker as it was started last. */
export interface BrokerState {
  readonly id: number;
  readonly port: number;
  readonly internalPort: number;
  readonly controllerPort: number;
  /** Null when it is stopped or runs in a container. */
  readonly process: ProcessId | null;
  /** The container's id; null when it is stopped or a process. */
  readonly container: string | null;
}

/** What is kept about the Kafka of a sandbox. */
export interface KafkaState {
  readonly kafkaVersion: string;
  readonly engine: EngineName;
  readonly clusterId: string;
  readonly security: Security;
  /** Who clients are, with SASL. */
  readonly user: User | null;
  readonly brokers: readonly BrokerState[];
}

/** Where it is kept. */
export const kafkaState = stateFile<KafkaState>({
  fileName: 'kafka.json',
  what: 'a broker',
  isWhole: ({ brokers, security }) => Array.isArray(brokers) && security !== undefined,
});
