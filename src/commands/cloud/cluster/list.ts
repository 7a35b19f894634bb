import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { byName, placeFilters, placeFlags } from '../list-filters.ts';
import { clusterView, listShow } from '../views.ts';

/** `cloud cluster list` */
export const list = command({
  summary: 'List the clusters',
  examples: [
    ['All clusters', 'cloud cluster list'],
    ['Clusters in one region, as data', 'cloud cluster list --region us-central1 --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: placeFlags,
  changes: 'reads',
  result: listOf(clusterView.row),
  async run(context, values) {
    return byName(await (await context.cloud()).listClusters(await placeFilters(context, values)));
  },
  show: listShow(clusterView),
});
