import { command, one } from '../../../cli/command.ts';
import { serviceAccount } from '../../../cloud/cloud-rows.ts';
import { readOne, serviceAccounts } from '../find-id.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud service-account get` */
export const get = command({
  summary: 'Show a service account',
  examples: [
    ['By its id', 'cloud service-account get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud service-account get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the service account') },
  changes: 'reads',
  result: serviceAccount.row,
  run: (context, { id }) => readOne(context, serviceAccounts, id),
  show: { text: detail },
});
