import { command, one } from '../../../cli/command.ts';
import { changeOutput, finish, plan, waitFlags } from '../change.ts';
import { identifier } from '../identifier.ts';
import { networkView } from '../views.ts';

/** `cloud network delete` */
export const deleteCommand = command({
  summary: 'Delete a network',
  description: 'Its cluster is deleted first (exit code 6). The command ends when the network is gone.',
  examples: [
    ['By its id', 'cloud network delete cjb5uh9c4vs1td8emmcg'],
    ['Without waiting', 'cloud network delete cjb5uh9c4vs1td8emmcg --no-wait'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the network') },
  flags: waitFlags,
  changes: 'destroys',
  async confirm(context, { id }) {
    const { name } = await (await context.cloud()).getNetwork(id);
    return { question: `delete the network "${name}" (${id})?`, name };
  },
  async run(context, { id, dryRun, ...values }) {
    const cloud = await context.cloud();
    if (dryRun) {
      const { name } = await cloud.getNetwork(id);
      return await plan(context, 'DELETE', `/v1/networks/${encodeURIComponent(id)}`, { target: name });
    }
    const operation = await cloud.deleteNetwork(id);
    return values.wait ? await finish(context, operation, `deleting the network ${id}`, values) : operation;
  },
  output: changeOutput(networkView),
});
