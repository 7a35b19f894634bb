import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { serviceAccount } from '../../../cloud/cloud-rows.ts';
import { readOne, serviceAccounts } from '../find-id.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud service-account get` */
export const get = getCommand({
  summary: 'Show a service account',
  examples: [
    ['By its id', 'cloud service-account get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud service-account get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the service account') },
  row: serviceAccount.row,
  read: (context, { id }) => readOne(context, serviceAccounts, id),
  text: detail,
});
