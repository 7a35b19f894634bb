import type { ProcessId } from '../../files/process-id.ts';
import type { FlavourName } from '../broker/settings.ts';
import { stateFile } from '../part-state.ts';
import type { Mechanism, User } from './properties.ts';

/** The engines that run Kafka; `simulated` runs in-memory brokers instead. */
export const engineNames = ['java', 'docker', 'podman', 'simulated'] as const;

/** One of `engineNames`. */
export type EngineName = (typeof engineNames)[number];

/** What clients need to connect. */
export interface Security {
  readonly tls: boolean;
  /** Client certificates are required; implies `tls`. */
  readonly mtls: boolean;
  readonly sasl: Mechanism | null;
}

/** The stored state of one broker. */
export interface BrokerState {
  readonly id: number;
  readonly port: number;
  readonly internalPort: number;
  readonly controllerPort: number;
  /** Null when the broker is stopped or runs in a container. */
  readonly process: ProcessId | null;
  /** The container id; null when the broker is stopped or runs as a process. */
  readonly container: string | null;
}

/** The stored state of a sandbox's Kafka. */
export interface KafkaState {
  readonly kafkaVersion: string;
  readonly engine: EngineName;
  readonly clusterId: string;
  readonly security: Security;
  /** The user that clients authenticate as; null without SASL. */
  readonly user: User | null;
  readonly brokers: readonly BrokerState[];
  /** What simulated brokers imitate (default: kafka). */
  readonly flavour?: FlavourName;
}

/** The file that stores the state of Kafka. */
export const kafkaState = stateFile<KafkaState>({
  fileName: 'kafka.json',
  what: 'a broker',
  isWhole: ({ brokers, security }) => Array.isArray(brokers) && security !== undefined,
});

/** The requested properties of a Kafka; undefined leaves the choice to weir. */
export interface KafkaRequest {
  /** 1, 3 or 5. */
  readonly brokers: number | undefined;
  readonly engine: EngineName | undefined;
  readonly tls: boolean;
  readonly mtls: boolean;
  readonly sasl: Mechanism | undefined;
  readonly kafkaVersion: string | undefined;
  readonly port: number | undefined;
  /** What simulated brokers imitate. */
  readonly flavour?: FlavourName | undefined;
  /** Whether a schema registry runs beside it, which needs a real Kafka. */
  readonly registry: boolean;
}
