import { RoleMember } from '../../../admin/access/access-rows.ts';
import { type CommonValues, command, one, toggle } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { printable } from '../../../format/printable.ts';
import { plainView, type View } from '../../../format/view.ts';
import { acl } from '../../../kafka/cluster/access/acl-rows.ts';
import { listOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { roleText } from './describe.ts';
import { aclWords, readRoleAcls } from './role-acls.ts';
import { roleName } from './role-kinds.ts';
import { describeLine, requireMembers } from './role-text.ts';

/** A role that was or would be deleted. */
const deletedRole = row({
  name: string,
  members: listOf(RoleMember),
  /** The ACLs that are deleted with it, none with `--keep-acls`; null if they are not known, as with `--yes`. */
  permissions: maybe(listOf(acl)),
});

type DeletedRole = RowOf<typeof deletedRole>;

/** `security role delete` */
export const deleteCommand = command({
  summary: 'Delete a role and its ACLs',
  description: `The members lose the permissions that they have through the role. The cluster deletes the ACLs of the principal
RedpandaRole:ROLE as well, unless --keep-acls is given. The members and, if brokers is set, the ACLs are shown before the
confirmation prompt. A role that does not exist is an error (exit code 3).`,
  examples: [
    ['Show what would be deleted', 'security role delete readers --dry-run'],
    ['Without a prompt', 'security role delete readers --yes'],
    ['To create the role again with other members', 'security role delete readers --keep-acls'],
  ],
  apis: ['admin', 'kafka'],
  args: { role: one(roleName, 'ROLE', 'name of the role') },
  flags: { keepAcls: toggle({ help: 'keep the ACLs of the role' }) },
  changes: 'destroys',
  result: deletedRole,
  namesAll: true,
  async plan(context, { role, keepAcls, dryRun }): Promise<DeletedRole> {
    const members = await requireMembers(context, role, 'delete');
    if (keepAcls) return { name: role, members, permissions: [] };
    // With --yes nobody sees them, and the brokers, which may be unreachable, are not asked.
    const isShown = dryRun || !context.flags.yes;
    return { name: role, members, permissions: isShown ? (await readRoleAcls(context, role)).permissions : null };
  },
  confirm(_context, { role, keepAcls }, plan) {
    const acls = keepAcls ? '' : ` and ${aclWords(plan)}`;
    return {
      question: `Delete role "${role}" with ${count(plan.members.length, 'member')}${acls}`,
      name: role,
      preview: roleText(keepAcls ? { ...plan, permissions: null } : plan, plainView),
      api: 'admin',
    };
  },
  dryRun: (_context, _values, plan) => plan,
  async run(context, { role, keepAcls }, plan) {
    sending(context, `deleting role "${role}"`, describeLine(role));
    await (await context.admin()).deleteRole(role, !keepAcls);
    context.onInterrupt(stoppedError(`role "${role}" has been deleted`, [], role));
    return plan;
  },
  show: { text: deletedText },
});

function deletedText(deleted: DeletedRole, view: View, { dryRun }: CommonValues): string {
  const name = `role "${printable(deleted.name)}"`;
  return dryRun ? `${roleText(deleted, view)}OK (dry run: would have deleted ${name})\n` : `deleted ${name}\n`;
}
