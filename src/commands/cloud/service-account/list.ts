import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { byName } from '../list-filters.ts';
import { listShow, serviceAccountView } from '../views.ts';

/** `cloud service-account list` */
export const list = command({
  summary: 'List the service accounts',
  examples: [
    ['All service accounts', 'cloud service-account list'],
    ['As data', 'cloud service-account list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  changes: 'reads',
  result: listOf(serviceAccountView.row),
  async run(context) {
    return byName(await (await context.cloud()).listServiceAccounts());
  },
  show: listShow(serviceAccountView),
});
