/** The ways to share partitions, by the names that Java's and librdkafka's consumers use on the wire. */
export const balancers = ['range', 'roundrobin', 'sticky', 'cooperative-sticky'] as const;

/** One of `balancers`. */
export type Balancer = (typeof balancers)[number];

/** The group protocols: members assign partitions themselves, or the coordinator does (KIP-848). */
export const groupProtocols = ['classic', 'consumer'] as const;

/** One of `groupProtocols`. */
export type GroupProtocol = (typeof groupProtocols)[number];
