import { command, one } from '../../../cli/command.ts';
import { roleBinding } from '../../../cloud/cloud-rows.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud role-binding get` */
export const get = command({
  summary: 'Show a role binding',
  examples: [
    ['By its id', 'cloud role-binding get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud role-binding get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the role binding') },
  changes: 'reads',
  result: roleBinding.row,
  async run(context, { id }) {
    return await (await context.cloud()).getRoleBinding(id);
  },
  show: { text: detail },
});
