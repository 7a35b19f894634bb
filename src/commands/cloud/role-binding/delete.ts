import { command, one } from '../../../cli/command.ts';
import { pathOfOne, roleBinding } from '../../../cloud/cloud-rows.ts';
import { changed, changedText, type Gone, wouldSend } from '../change.ts';
import { identifier } from '../kinds.ts';

/** `cloud role-binding delete` */
export const deleteCommand = command({
  summary: 'Take a role away from an account',
  examples: [
    ['By its id', 'cloud role-binding delete cjb5uh9c4vs1td8emmcg'],
    ['Without a prompt', 'cloud role-binding delete cjb5uh9c4vs1td8emmcg --yes'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the role binding') },
  changes: 'destroys',
  result: changed(roleBinding.row),
  plan: async (context, { id }) => ({ ...(await (await context.cloud()).getRoleBinding(id)), id }),
  confirm: (_context, _values, { id, role_name: role, account_id: account, scope }) => ({
    question: `Delete the role binding "${id}" (${role} for ${account} on ${scope.resource_id})`,
    name: id,
  }),
  dryRun: (context, _values, { id, role_name: role }) =>
    wouldSend(context, 'DELETE', pathOfOne(roleBinding, id), { target: role }),
  async run(context, _values, { id, role_name: name }) {
    await (await context.cloud()).deleteRoleBinding(id);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  show: { text: changedText },
});
