import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { byName } from '../list-filters.ts';
import { listShow, userView } from '../views.ts';

/** `cloud user list` */
export const list = command({
  summary: 'List the users of the organization',
  examples: [
    ['All users', 'cloud user list'],
    ['As data', 'cloud user list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  changes: 'reads',
  result: listOf(userView.row),
  async run(context) {
    return byName(await (await context.cloud()).listUsers());
  },
  show: listShow(userView),
});
