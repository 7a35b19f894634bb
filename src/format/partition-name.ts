/** The name of a partition of the Kafka API: `topic/0`. Names of topics have no `/`, so it is a key, too. */
export function partitionName(place: { readonly topic: string; readonly partition: number | null }): string {
  return `${place.topic}/${place.partition}`;
}

/** The name of a topic: `topic`, or `namespace/topic` outside of the namespace of Kafka topics. */
export function showTopic({ namespace, topic }: { readonly namespace: string; readonly topic: string }): string {
  return namespace === 'kafka' ? topic : `${namespace}/${topic}`;
}

/** The name of a partition: `topic/0`, or `namespace/topic/0` outside of the namespace of Kafka topics. */
export function showPartition(name: {
  readonly namespace: string;
  readonly topic: string;
  readonly partition: number;
}): string {
  return `${showTopic(name)}/${name.partition}`;
}
