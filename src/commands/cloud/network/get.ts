import { command, one } from '../../../cli/command.ts';
import { network } from '../../../cloud/cloud-rows.ts';
import { idOf } from '../find-id.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud network get` */
export const get = command({
  summary: 'Show a network',
  examples: [
    ['By its id', 'cloud network get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud network get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id or name of the network') },
  changes: 'reads',
  result: network.row,
  async run(context, { id }) {
    return await (await context.cloud()).getNetwork(await idOf(context, 'network', id));
  },
  show: { text: detail },
});
