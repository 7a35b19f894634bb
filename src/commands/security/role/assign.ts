import { command, one } from '../../../cli/command.ts';
import { changedMembers, changedTable, changeMembers, changes } from './membership.ts';
import { membersFlag, roleName } from './role-kinds.ts';

const words = { unchanged: 'already has the role', planned: 'would get the role' };

/** `security role assign` */
export const assign = command({
  summary: 'Assign a role to users',
  description: `The users get the permissions of the role. A user who has the role already is not an error. The cluster does not check
that the users exist.`,
  examples: [
    ['Two users', 'security role assign readers --principal ana,bea'],
    ['Show who would get the role', 'security role assign readers --principal ana --dry-run'],
  ],
  aliases: ['add'],
  apis: ['admin'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { principal: membersFlag('users to assign the role to') },
  changes: 'alters',
  result: changedMembers,
  run: (context, values) => changeMembers(context, changes.assigning, values),
  show: { text: (rows, view) => changedTable(rows, view, words) },
});
