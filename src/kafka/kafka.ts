import type { Deadline } from '../deadline.ts';
import type { Address } from '../net/address.ts';
import type { TlsOptions } from '../net/tls.ts';
import type { ClusterCalls } from './cluster/cluster-rows.ts';
import type { ConsumeCalls } from './consume/request.ts';
import type { ProduceCalls } from './produce/request.ts';
import type { TopicCalls } from './topics/topic-rows.ts';
import type { FirstContact } from './transport/first-contact.ts';
import type { DialLink } from './transport/link.ts';

/** What the broker client is made of; `context.ts` fills it from the configuration. */
export interface KafkaOptions {
  readonly brokers: readonly Address[];
  /** Undefined: plain TCP. */
  readonly tls: TlsOptions | undefined;
  readonly sasl: SaslOptions | undefined;
  /** Shown in broker logs and metrics. */
  readonly clientId: string;
  readonly deadline: Deadline;
  /** How brokers are connected to; over TCP when left out. */
  readonly dial?: DialLink;
  /** What follows when no broker is reached at all. */
  readonly firstContact?: FirstContact;
  /** The version of weir, by which brokers count their clients (KIP-511). */
  readonly softwareVersion?: string;
  /** One call per request, for `--trace` and `-v`. */
  readonly trace?: (event: RequestTrace) => void;
}

/** SASL credentials. */
export interface SaslOptions {
  readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly username: string;
  readonly password: string;
}

/** One request, as traced. */
export interface RequestTrace {
  readonly api: string;
  readonly version: number;
  /** `host:port`, with the node id when it is known. */
  readonly node: string;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}

/**
 * The broker data API as commands see it: rows out, every item with its own error. The groups of calls
 * are declared beside their rows, which know nothing of the client.
 */
export interface Kafka extends TopicCalls, ClusterCalls, ConsumeCalls, ProduceCalls {
  /** Closes every connection at once. */
  close(): void;
}
