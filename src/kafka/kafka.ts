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
