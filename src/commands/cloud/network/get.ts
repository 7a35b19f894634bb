import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { network } from '../../../cloud/cloud-rows.ts';
import { networks, readOne } from '../find-id.ts';
import { networkWord } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud network get` */
export const get = getCommand({
  summary: 'Show a network',
  examples: [
    ['By its id', 'cloud network get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud network get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(networkWord, 'ID', 'id or name of the network') },
  row: network.row,
  read: (context, { id }) => readOne(context, networks, id),
  text: detail,
});
