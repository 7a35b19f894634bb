import type { Cluster, MetadataImage, Partition, PartitionImage, Topic, TopicImage } from '../cluster-parts.ts';

/** The metadata images of all brokers; each change reaches each broker after its delay. */
export interface Images {
  /** Returns the current image of a broker. */
  of(broker: number): MetadataImage;
  /** Reports a change of a topic or, if undefined, of brokers or the controller. */
  changed(topic?: Topic): void;
}

const nothing: MetadataImage = { alive: new Set(), controller: -1, topics: new Map(), names: new Map() };

/** Creates the images of a new cluster. */
export function createImages(cluster: () => Cluster): Images {
  let latest = nothing;
  const images = new Map<number, { readonly image: MetadataImage; readonly version: number }>();
  const dirty = new Set<Topic>();
  let isScheduled = false;
  let version = 0;
  // A later image with a shorter delay can arrive first; it is not replaced by an older one.
  const learn = (broker: number, update: { readonly image: MetadataImage; readonly version: number }): void => {
    if (update.version > (images.get(broker)?.version ?? 0)) images.set(broker, update);
  };
  const refresh = (): void => {
    latest = nextImage(cluster(), latest, dirty);
    dirty.clear();
  };
  const spread = (): void => {
    isScheduled = false;
    refresh();
    version += 1;
    const update = { image: latest, version };
    for (const { id } of cluster().brokers) {
      const delay = cluster().metadataDelayMs(id);
      if (delay === 0) learn(id, update);
      else cluster().clock.after(delay, () => learn(id, update));
    }
  };
  return {
    of: (broker) => images.get(broker)?.image ?? latest,
    changed(topic) {
      if (topic !== undefined) dirty.add(topic);
      if (isScheduled) return;
      isScheduled = true;
      // Changes made together spread together.
      queueMicrotask(spread);
    },
  };
}

function nextImage(cluster: Cluster, before: MetadataImage, dirty: ReadonlySet<Topic>): MetadataImage {
  const alive = new Set(cluster.brokers.map(({ id }) => id).filter((id) => !cluster.isFenced(id)));
  if (dirty.size === 0) return { ...before, alive, controller: cluster.controller };
  const topics = new Map(before.topics);
  for (const topic of dirty) {
    if (cluster.topics.byId(topic.id) === topic) topics.set(topic.name, imageOf(topic));
    else if (topics.get(topic.name)?.id === topic.id) topics.delete(topic.name);
  }
  const names = new Map([...topics.values()].map(({ id, name }) => [id, name] as const));
  return { alive, controller: cluster.controller, topics, names };
}

function imageOf({ name, id, isInternal, partitions }: Topic): TopicImage {
  return { name, id, isInternal, partitions: partitions.map(partitionImage) };
}

function partitionImage({ index, leader, leaderEpoch, replicas, isr }: Partition): PartitionImage {
  return { index, leader, leaderEpoch, replicas, isr };
}
