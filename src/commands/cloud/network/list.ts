import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { byName, placeFilters, placeFlags } from '../list-filters.ts';
import { listShow, networkView } from '../views.ts';

/** `cloud network list` */
export const list = command({
  summary: 'List the networks',
  examples: [
    ['All networks', 'cloud network list'],
    ['Networks in one region, as data', 'cloud network list --region us-central1 --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: placeFlags,
  changes: 'reads',
  result: listOf(networkView.row),
  async run(context, values) {
    return byName(await (await context.cloud()).listNetworks(await placeFilters(context, values)));
  },
  show: listShow(networkView),
});
