import { command, one } from '../../../cli/command.ts';
import { operation } from '../../../cloud/cloud-rows.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud operation get` */
export const get = command({
  summary: 'Show an operation',
  examples: [
    ['By its id', 'cloud operation get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud operation get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the operation') },
  changes: 'reads',
  result: operation.row,
  async run(context, { id }) {
    return await (await context.cloud()).getOperation(id);
  },
  show: { text: detail },
});
