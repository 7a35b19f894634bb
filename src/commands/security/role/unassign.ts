import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { unassigning } from './membership.ts';
import { membersFlag, principalOf, roleName } from './role-kinds.ts';

/** `security role unassign` */
export const unassign = change({
  ...unassigning,
  summary: 'Take a role from users and groups',
  description: `The members lose the permissions that they have through the role. A member that does not have the role is not an error.`,
  examples: [
    ['Two users', 'security role unassign readers --principal ana,bea'],
    ['Show who would lose the role', 'security role unassign readers --principal ana --dry-run'],
  ],
  aliases: ['remove'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { principal: membersFlag('users, or Group:NAME, to take the role from') },
  guarded: 'because it can stop producers and consumers',
  asks: (members, { role }) => ({
    question: `Take role "${role}" from ${members.map(principalOf).join(', ')}`,
    name: role,
  }),
  would: 'lose the role',
  notNeeded: 'does not have the role',
});
