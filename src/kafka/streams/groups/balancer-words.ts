/** The classic assignors, by the names that the Java and librdkafka consumers use on the wire. */
export const balancers = ['range', 'roundrobin', 'sticky', 'cooperative-sticky'] as const;

/** One of `balancers`. */
export type Balancer = (typeof balancers)[number];

/** The group protocols: the group leader assigns partitions (classic), or the coordinator does (consumer, KIP-848). */
export const groupProtocols = ['classic', 'consumer'] as const;

/** One of `groupProtocols`. */
export type GroupProtocol = (typeof groupProtocols)[number];
