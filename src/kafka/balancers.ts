/** The ways to share partitions, by the names that Java's and librdkafka's consumers use on the wire. */
export const balancers = ['range', 'roundrobin', 'sticky', 'cooperative-sticky'] as const;

/** One of `balancers`. */
export type Balancer = (typeof balancers)[number];
