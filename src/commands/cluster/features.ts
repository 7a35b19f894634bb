import { command } from '../../cli/command.ts';
import { table } from '../../format/table.ts';
import { ClusterFeature } from '../../kafka/cluster/brokers/feature-rows.ts';
import { listOf } from '../../shape/shape.ts';

/** `cluster features` */
export const features = command({
  summary: 'List the features of the cluster with their supported and finalized levels',
  description: `The supported levels are those of the broker that answers. The finalized level is what the whole cluster uses; it
is "-" for a feature that is not in use. Brokers before Kafka 2.7 report no features.`,
  examples: [
    ['All features', 'cluster features'],
    ['For a script', 'cluster features --format json'],
  ],
  apis: ['kafka'],
  changes: 'reads',
  result: listOf(ClusterFeature),
  async run(context) {
    const kafka = await context.kafka();
    const rows = await kafka.clusterFeatures();
    if (rows.length === 0) context.notice('the broker reports no features');
    return rows;
  },
  show: {
    text: (rows, view) =>
      table(
        ['feature', 'supported min', 'supported max', 'finalized level', 'epoch'],
        rows.map((row) => [row.feature, row.supported_min, row.supported_max, row.finalized_level, row.epoch]),
        view,
      ),
  },
});
