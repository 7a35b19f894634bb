import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { assigning } from './membership.ts';
import { membersFlag, roleName } from './role-kinds.ts';

/** `security role assign` */
export const assign = change({
  ...assigning,
  summary: 'Assign a role to users and groups',
  description: `The members get the permissions of the role. A member that has the role already is not an error. Write Group:NAME for a
group of the identity provider (Redpanda 26.1 or newer). The cluster does not check that users and groups exist.`,
  examples: [
    ['Two users', 'security role assign readers --principal ana,bea'],
    ['A group of the identity provider', 'security role assign readers --principal Group:analytics'],
    ['Show who would get the role', 'security role assign readers --principal ana --dry-run'],
  ],
  aliases: ['add'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { principal: membersFlag('users, or Group:NAME, to assign the role to') },
  would: 'get the role',
  notNeeded: 'already has the role',
});
