import { command, one } from '../../../cli/command.ts';
import { changedMembers, changedTable, changeMembers, changes } from './membership.ts';
import { membersFlag, membersOf, principalOf, roleName } from './role-kinds.ts';

const words = { unchanged: 'does not have the role', planned: 'would lose the role' };

/** `security role unassign` */
export const unassign = command({
  summary: 'Take a role from users and groups',
  description: `The members lose the permissions that they have through the role. A member that does not have the role is not an error.`,
  examples: [
    ['Two users', 'security role unassign readers --principal ana,bea'],
    ['Show who would lose the role', 'security role unassign readers --principal ana --dry-run'],
  ],
  aliases: ['remove'],
  apis: ['admin'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { principal: membersFlag('users, or Group:NAME, to take the role from') },
  changes: 'alters',
  guarded: 'because it can stop producers and consumers',
  result: changedMembers,
  confirm: (_context, { role, principal }) => ({
    question: `Take role "${role}" from ${membersOf(principal).map(principalOf).join(', ')}`,
    name: role,
  }),
  run: (context, values) => changeMembers(context, changes.unassigning, values),
  show: { text: (rows, view) => changedTable(rows, view, words) },
});
