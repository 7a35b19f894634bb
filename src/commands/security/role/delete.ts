import { RoleMember } from '../../../admin/access/access-rows.ts';
import { one, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { printable } from '../../../format/printable.ts';
import { plainView } from '../../../format/view.ts';
import { Acl } from '../../../kafka/cluster/access/acl-rows.ts';
import { listOf, maybe, row, string } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { roleText } from './describe.ts';
import { deleteRegistryAcls, readRoleAcls } from './role-acls.ts';
import { roleName } from './role-kinds.ts';
import { describeLine, requireMembers } from './role-members.ts';

/** `security role delete` */
export const deleteCommand = change({
  summary: 'Delete a role and its ACLs',
  description: `The members lose the permissions that they have through the role. The cluster deletes the ACLs of the principal
RedpandaRole:ROLE as well, unless --keep-acls is given, and weir those of the schema registry if registry.hosts is set. The
members and, if brokers is set, the ACLs are shown before the confirmation prompt. A role that does not exist is an error
(exit code 3).`,
  examples: [
    ['Show what would be deleted', 'security role delete readers --dry-run'],
    ['Without a prompt', 'security role delete readers --yes'],
    ['To create the role again with other members', 'security role delete readers --keep-acls'],
  ],
  apis: ['admin', 'kafka', 'registry'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { keepAcls: toggle({ help: 'keep the ACLs of the role' }) },
  changes: 'destroys',
  namesAll: true,
  noun: 'role',
  isOne: true,
  item: row({
    name: string,
    members: listOf(RoleMember),
    /** The ACLs that are deleted with it, none with `--keep-acls`; null if they are not known, as with `--yes`. */
    permissions: maybe(listOf(Acl)),
  }),
  async plan(context, { role, keepAcls, dryRun }) {
    const members = await requireMembers(context, role, 'delete');
    if (keepAcls) return [{ name: role, members, permissions: [] }];
    // With --yes nobody sees them, and the brokers, which may be unreachable, are not asked.
    const isShown = dryRun || !context.flags.yes;
    return [{ name: role, members, permissions: isShown ? (await readRoleAcls(context, role)).permissions : null }];
  },
  asks(roles, { role, keepAcls }) {
    const [{ members, permissions }] = roles as readonly [(typeof roles)[number]];
    const acls = permissions === null ? 'all its ACLs' : count(permissions.length, 'ACL');
    return {
      question: `Delete role "${role}" with ${count(members.length, 'member')}${keepAcls ? '' : ` and ${acls}`}`,
      preview: roleText({ members, permissions: keepAcls ? null : permissions }, plainView),
      api: 'admin',
    };
  },
  async applyEach(context, { name: role }, { keepAcls }) {
    sending(context, `deleting role "${role}"`, describeLine(role));
    // First, so that the command can be repeated if this fails.
    if (!keepAcls) await deleteRegistryAcls(context, role);
    await (await context.admin()).deleteRole(role, !keepAcls);
    context.onInterrupt(stoppedError(`role "${role}" has been deleted`, [], role));
    return {};
  },
  text(rows, view, { role, dryRun }) {
    const name = `role "${printable(role)}"`;
    const planned = rows.map((one) => roleText(one, view)).join('');
    return dryRun ? `${planned}OK (dry run: ${name} would be deleted)\n` : `deleted ${name}\n`;
  },
});
