/**
 * The largest number of partitions that is sent to a cluster, as the size of a new topic or as an addition to a topic.
 * Above the 10,000 that Kafka allows by default, so that brokers with another limit decide for themselves, but low
 * enough to protect the controller: it builds an assignment of all partitions before it checks its own limit, even with
 * validate-only. A request for 2 billion made the controller of a real Kafka 4.1 run out of memory.
 */
export const maxPartitionCount = 100_000;
