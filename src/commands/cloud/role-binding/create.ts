import { command } from '../../../cli/command.ts';
import { pathOfAll, roleBinding } from '../../../cloud/cloud-rows.ts';
import { bodyFlags, fileFlag, readBody, withIds } from '../body.ts';
import { changed, changedText, wouldSend } from '../change.ts';
import { roleBindingShape } from '../shapes.ts';

/** `cloud role-binding create` */
export const create = command({
  summary: 'Give an account a role on a resource',
  examples: [
    [
      'Read access to a cluster',
      'cloud role-binding create --role-name Reader --account-id cjb5uh9c4vs1td8emmcg --resource-id cjb5vehc4vs19qc11pjg --resource-type cluster',
    ],
    ['From a file', 'cloud role-binding create --file binding.yaml'],
  ],
  apis: ['cloud'],
  flags: { ...bodyFlags(roleBindingShape), file: fileFlag },
  changes: 'creates',
  result: changed(roleBinding.row),
  plan: async (context, values) =>
    withIds(context, roleBindingShape, await readBody(context, roleBindingShape, values)),
  dryRun: (context, _values, body) => wouldSend(context, 'POST', pathOfAll(roleBinding), { body }),
  run: async (context, _values, body) => (await context.cloud()).createRoleBinding(body),
  show: { text: changedText },
});
