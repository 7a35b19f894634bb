import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { user } from '../../../cloud/cloud-rows.ts';
import { readOne, users } from '../find-id.ts';
import { identifier } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud user get` */
export const get = getCommand({
  summary: 'Show a user',
  examples: [
    ['By its id', 'cloud user get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud user get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id, name or email address of the user') },
  row: user.row,
  read: (context, { id }) => readOne(context, users, id),
  text: detail,
});
