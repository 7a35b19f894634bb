import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { byName } from '../list-filters.ts';
import { listShow, resourceGroupView } from '../views.ts';

/** `cloud resource-group list` */
export const list = command({
  summary: 'List the resource groups',
  examples: [
    ['All resource groups', 'cloud resource-group list'],
    ['As data', 'cloud resource-group list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  changes: 'reads',
  result: listOf(resourceGroupView.row),
  async run(context) {
    return byName(await (await context.cloud()).listResourceGroups());
  },
  show: listShow(resourceGroupView),
});
