import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { roleBinding } from '../../../cloud/cloud-rows.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud role-binding get` */
export const get = getCommand({
  summary: 'Show a role binding',
  examples: [
    ['By its id', 'cloud role-binding get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud role-binding get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the role binding') },
  row: roleBinding.row,
  async read(context, { id }) {
    return await (await context.cloud()).getRoleBinding(id);
  },
  text: detail,
});
