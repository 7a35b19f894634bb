import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { operation } from '../../../cloud/cloud-rows.ts';
import { finish, waitTimeoutFlag } from '../change.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud operation wait` */
export const wait = getCommand({
  summary: 'Wait until an operation has completed',
  description: `If the operation fails, prints the server's error, with exit code 1. Ctrl-C only stops waiting.`,
  examples: [
    ['Until it is done', 'cloud operation wait cjb5uh9c4vs1td8emmcg'],
    ['For ten minutes at most', 'cloud operation wait cjb5uh9c4vs1td8emmcg --wait-timeout 10m'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the operation') },
  flags: { waitTimeout: waitTimeoutFlag() },
  row: operation.row,
  read: (context, { id, waitTimeout }) => finish(context, { id }, `operation ${id}`, { waitTimeout }),
  text: detail,
});
