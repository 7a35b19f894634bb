import { command, one } from '../../../cli/command.ts';
import { pathOfOne, serviceAccount } from '../../../cloud/cloud-rows.ts';
import { changed, changedText, type Gone, wouldSend } from '../change.ts';
import { confirmDeletion, findDoomed, serviceAccounts } from '../find-id.ts';
import { identifier } from '../kinds.ts';

/** `cloud service-account delete` */
export const deleteCommand = command({
  summary: 'Delete a service account',
  description: 'Its client secret and its role bindings stop working at once.',
  examples: [
    ['By its name', 'cloud service-account delete pipeline'],
    ['By its id, without a prompt', 'cloud service-account delete cjb5uh9c4vs1td8emmcg --yes'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the service account') },
  changes: 'destroys',
  result: changed(serviceAccount.row),
  plan: (context, { id }) => findDoomed(context, serviceAccounts, id),
  confirm: (_context, _values, doomed) => confirmDeletion('service account', doomed),
  dryRun: (context, _values, { id, name }) =>
    wouldSend(context, 'DELETE', pathOfOne(serviceAccount, id), { target: name || id }),
  async run(context, _values, { id, name }) {
    await (await context.cloud()).deleteServiceAccount(id);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  show: { text: changedText },
});
