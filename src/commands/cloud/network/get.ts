import { command, one } from '../../../cli/command.ts';
import { network } from '../../../cloud/cloud-rows.ts';
import { networks, readOne } from '../find-id.ts';
import { networkWord } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud network get` */
export const get = command({
  summary: 'Show a network',
  examples: [
    ['By its id', 'cloud network get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud network get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(networkWord, 'ID', 'id or name of the network') },
  changes: 'reads',
  result: network.row,
  run: (context, { id }) => readOne(context, networks, id),
  show: { text: detail },
});
