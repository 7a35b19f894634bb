import { listCommand } from '../../cli/forms/read.ts';
import { ClusterFeature } from '../../kafka/cluster/brokers/feature-rows.ts';

/** `cluster features` */
export const features = listCommand({
  summary: 'List the features of the cluster with their supported and finalized levels',
  description: `The supported levels are those of the broker that answers. The finalized level is what the whole cluster uses; it
is "-" for a feature that is not in use. Brokers before Kafka 2.7 report no features.`,
  examples: [
    ['All features', 'cluster features'],
    ['For a script', 'cluster features --format json'],
  ],
  apis: ['kafka'],
  row: ClusterFeature,
  async read(context) {
    const kafka = await context.kafka();
    const rows = await kafka.clusterFeatures();
    if (rows.length === 0) context.notice('the broker reports no features');
    return rows;
  },
  columns: ['feature', 'supported_min', 'supported_max', 'finalized_level', 'epoch'],
});
