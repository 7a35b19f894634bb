import { command, one } from '../../../cli/command.ts';
import { network, pathOfOne } from '../../../cloud/cloud-rows.ts';
import { commandText } from '../../../format/shell-word.ts';
import { sending } from '../../stopped.ts';
import { changed, changedText, finish, type Gone, waitFlags, wouldSend } from '../change.ts';
import { confirmDeletion, findDoomed, networks } from '../find-id.ts';
import { networkWord } from '../kinds.ts';

/** `cloud network delete` */
export const deleteCommand = command({
  summary: 'Delete a network',
  description: `Delete its cluster first; otherwise this fails with exit code 6. The command waits until the network is deleted.`,
  examples: [
    ['By its id', 'cloud network delete cjb5uh9c4vs1td8emmcg'],
    ['Without waiting', 'cloud network delete cjb5uh9c4vs1td8emmcg --no-wait'],
  ],
  apis: ['cloud'],
  args: { id: one(networkWord, 'ID', 'id or name of the network') },
  flags: waitFlags,
  changes: 'destroys',
  result: changed(network.row),
  plan: (context, { id }) => findDoomed(context, networks, id),
  confirm: (_context, _values, doomed) => confirmDeletion('network', doomed),
  dryRun: (context, _values, { id, name }) =>
    wouldSend(context, 'DELETE', pathOfOne(network, id), { target: name || id }),
  async run(context, values, { id, name }) {
    sending(context, `deleting the network ${id}`, commandText`weir cloud network get ${id}`);
    const operation = await (await context.cloud()).deleteNetwork(id);
    if (!values.wait) return operation;
    await finish(context, operation, `deleting the network ${id}`, values);
    return { id, name, state: 'DELETED' } satisfies Gone;
  },
  show: { text: changedText },
});
