import { flag } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { row, string } from '../../../shape/shape.ts';
import { member, roleName } from './role-kinds.ts';

/** `security role list` */
export const list = listCommand({
  summary: 'List the roles of the cluster',
  description: 'Lists the names of the roles. To see the members and the ACLs of one, use weir security role describe.',
  examples: [
    ['All roles', 'security role list'],
    ['The roles of one user', 'security role list --principal ana'],
    ['The roles whose names begin with "app-"', 'security role list --prefix app-'],
  ],
  aliases: ['ls'],
  apis: ['admin'],
  flags: {
    prefix: flag(roleName, { help: 'only roles whose names begin with ROLE' }),
    principal: flag(member, { help: 'only roles with this user, or Group:NAME, as a member' }),
  },
  row: row({ name: string }),
  async read(context, { prefix, principal }) {
    const names = await (await context.admin()).roles({ prefix, member: principal });
    return names.map((name) => ({ name }));
  },
  columns: ['name'],
});
