import type { Deadline } from '../deadline.ts';
import type { Address } from '../net/address.ts';
import type { TlsOptions } from '../net/tls.ts';
import type { AclCalls } from './access/acl-rows.ts';
import type { ExplainCalls } from './access/explanation-rows.ts';
import type { UserCalls } from './access/user-rows.ts';
import type { BrokerConfigCalls } from './cluster/broker-config-rows.ts';
import type { ClusterCalls } from './cluster/cluster-rows.ts';
import type { FeatureCalls } from './cluster/feature-rows.ts';
import type { HealthCalls } from './cluster/health-rows.ts';
import type { LogDirCalls } from './cluster/log-dir-rows.ts';
import type { ConsumeCalls } from './consume/request.ts';
import type { GroupCalls } from './group-admin/group-rows.ts';
import type { ProduceCalls } from './produce/request.ts';
import type { QuotaCalls } from './quotas/quota-rows.ts';
import type { AnalysisCalls } from './topics/analysis/analysis-rows.ts';
import type { ReassignmentCalls } from './topics/reassignment/reassignment-rows.ts';
import type { TopicCalls } from './topics/topic-rows.ts';
import type { TransactionCalls } from './transactions/transaction-rows.ts';
import type { FirstContact } from './transport/first-contact.ts';
import type { DialLink } from './transport/link.ts';

/** The options of the broker client; `context.ts` fills them from the configuration. */
export interface KafkaOptions {
  readonly brokers: readonly Address[];
  /** Undefined: plain TCP. */
  readonly tls: TlsOptions | undefined;
  readonly sasl: SaslOptions | undefined;
  /** Shown in broker logs and metrics. */
  readonly clientId: string;
  readonly deadline: Deadline;
  /** Opens connections to brokers; default: TCP. */
  readonly dial?: DialLink;
  /** What to do when no broker can be reached at all. */
  readonly firstContact?: FirstContact;
  /** The sandbox that the brokers belong to, for advice. */
  readonly sandbox?: string | undefined;
  /** The version of weir, which brokers report in their client metrics (KIP-511). */
  readonly softwareVersion?: string;
  /** Called for what the user should know although nothing fails. */
  readonly warn?: (line: string) => void;
  /** Called once per request, for `--trace` and `-v`. */
  readonly trace?: (event: RequestTrace) => void;
}

/** SASL credentials. */
export interface SaslOptions {
  readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly username: string;
  readonly password: string;
  /** The hint that says how to turn SASL off, which depends on the source of the user. */
  readonly turnOff?: string;
}

/** The trace record of one request. */
export interface RequestTrace {
  readonly api: string;
  readonly version: number;
  /** `host:port`, with the node id if it is known. */
  readonly node: string;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}

/**
 * The broker data API for commands: calls return rows, and every item carries its own error. Each group of calls is
 * declared next to its rows, independently of the client.
 */
export interface Kafka
  extends TopicCalls,
    ReassignmentCalls,
    AnalysisCalls,
    GroupCalls,
    ClusterCalls,
    ConsumeCalls,
    ProduceCalls,
    AclCalls,
    ExplainCalls,
    UserCalls,
    HealthCalls,
    BrokerConfigCalls,
    LogDirCalls,
    FeatureCalls,
    QuotaCalls,
    TransactionCalls {
  /** Closes every connection at once. */
  close(): void;
}
