/** Kafka's broker settings for groups, with times in milliseconds. */
export interface GroupSettings {
  /** `group.initial.rebalance.delay.ms` */
  readonly initialRebalanceDelayMs: number;
  /** `group.min.session.timeout.ms` and `group.max.session.timeout.ms` */
  readonly minSessionTimeoutMs: number;
  readonly maxSessionTimeoutMs: number;
  /** How long a new member may wait for its first join to complete. */
  readonly newMemberJoinTimeoutMs: number;
  /** `group.max.size`, for both protocols. */
  readonly groupMaxSize: number;
  /** `group.consumer.session.timeout.ms` */
  readonly consumerSessionTimeoutMs: number;
  /** `group.consumer.heartbeat.interval.ms` */
  readonly consumerHeartbeatIntervalMs: number;
  /** `offset.metadata.max.bytes` */
  readonly offsetMetadataMaxBytes: number;
}

/** The defaults of Kafka 4.1. */
export const defaultGroupSettings: GroupSettings = {
  initialRebalanceDelayMs: 3_000,
  minSessionTimeoutMs: 6_000,
  maxSessionTimeoutMs: 1_800_000,
  newMemberJoinTimeoutMs: 300_000,
  groupMaxSize: Number.POSITIVE_INFINITY,
  consumerSessionTimeoutMs: 45_000,
  consumerHeartbeatIntervalMs: 5_000,
  offsetMetadataMaxBytes: 4_096,
};
