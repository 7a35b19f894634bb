import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { operation } from '../../../cloud/cloud-rows.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud operation get` */
export const get = getCommand({
  summary: 'Show an operation',
  examples: [
    ['By its id', 'cloud operation get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud operation get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the operation') },
  row: operation.row,
  async read(context, { id }) {
    return await (await context.cloud()).getOperation(id);
  },
  text: detail,
});
