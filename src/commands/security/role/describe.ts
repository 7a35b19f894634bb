import { RoleMember } from '../../../admin/access/access-rows.ts';
import { one, toggle } from '../../../cli/command.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { type Section, sections } from '../../../format/sections.ts';
import type { View } from '../../../format/view.ts';
import { Acl } from '../../../kafka/cluster/access/acl-rows.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { aclTable } from '../acl/acl-text.ts';
import { readRoleAcls, unknownAcls } from './role-acls.ts';
import { roleName } from './role-kinds.ts';
import { requireMembers } from './role-members.ts';

/** A role with its ACLs and members; null is what was not read. */
const DescribedRole = row({
  name: string,
  permissions: maybe(listOf(Acl)),
  /** Why the permissions could not be read. */
  error: itemError,
  members: maybe(listOf(RoleMember)),
});
type DescribedRole = RowOf<typeof DescribedRole>;

/** `security role describe` */
export const describe = getCommand({
  summary: 'Show the permissions and the members of a role',
  description: `The members are read from the Admin API; the permissions are ACLs of the principal RedpandaRole:ROLE, which are read from
the brokers and, if registry.hosts is set, from the schema registry. If brokers is not set, only the members are shown. If
ACLs cannot be read, the members are printed nevertheless, and the exit code is that of the failure.`,
  examples: [
    ['Permissions and members', 'security role describe readers'],
    ['Members only', 'security role describe readers --print-members'],
    ['For a script', 'security role describe readers --format json'],
  ],
  aliases: ['info'],
  apis: ['admin', 'kafka', 'registry'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: {
    printPermissions: toggle({ short: 'p', help: 'print only the permissions, or both with --print-members' }),
    printMembers: toggle({ short: 'm', help: 'print only the members, or both with --print-permissions' }),
    printAll: toggle({ short: 'a', help: 'print both (default)' }),
  },
  row: DescribedRole,
  async read(context, { role, printPermissions, printMembers, printAll }) {
    const isAll = printAll || printPermissions === printMembers;
    const members = await requireMembers(context, role, 'describe');
    const acls = isAll || printPermissions ? await readRoleAcls(context, role) : unknownAcls;
    return { name: role, ...acls, members: isAll || printMembers ? members : null };
  },
  text: (role, view) => roleText(role, view),
});

/** The parts of a role that are known, with titles. */
export function roleText({ permissions, members }: Pick<DescribedRole, 'permissions' | 'members'>, view: View): string {
  const parts: readonly Section[] = [
    ...(permissions === null ? [] : [{ title: 'permissions', body: aclTable(permissions, view) }]),
    ...(members === null
      ? []
      : [
          {
            title: `principals (${members.length})`,
            body: tableOf(members, ['name', ['type', (one) => one.principal_type]], view),
          },
        ]),
  ];
  return sections(parts, view, 'always');
}
