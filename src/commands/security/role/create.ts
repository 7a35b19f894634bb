import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { CliError, exitCodes, stoppedError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { row, string } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { newRoleName } from './role-kinds.ts';
import { describeLine } from './role-members.ts';

/** `security role create` */
export const create = change({
  summary: 'Create a role',
  description: `A new role has no permissions and no members. Grant permissions to it with weir security acl create --allow-role, and
add members with weir security role assign. A role that exists already is an error (exit code 6).`,
  examples: [
    ['A role for those who read', 'security role create readers'],
    ['Show what would happen', 'security role create readers --dry-run'],
  ],
  apis: ['admin'],
  args: { role: one(newRoleName, 'ROLE', 'name of the role') },
  changes: 'creates',
  noun: 'role',
  isOne: true,
  item: row({ name: string }),
  async plan(context, { role }) {
    // The server would accept the creation of a role that has no members yet.
    if ((await (await context.admin()).roleMembers(role, 'leader')) !== undefined) throw exists(role);
    return [{ name: role }];
  },
  async applyEach(context, { name: role }) {
    const admin = await context.admin();
    sending(context, `creating role "${role}"`, describeLine(role));
    await admin.createRole(role);
    context.onInterrupt(stoppedError(`role "${role}" has been created`, [], role));
    context.noticeAfter(`grant it permissions with: weir security acl create --allow-role ${shellWord(role)}`);
    context.noticeAfter(`add members with: weir security role assign ${shellWord(role)} --principal NAME`);
    return {};
  },
  text: (_rows, _view, { role, dryRun }) =>
    dryRun ? `OK (dry run: role "${printable(role)}" would be created)\n` : `created role "${printable(role)}"\n`,
});

function exists(role: string): CliError {
  return new CliError(exitCodes.conflict, `unable to create role "${role}": the role already exists`, {
    code: 'ROLE_ALREADY_EXISTS',
    target: role,
    hints: [`see what it has with: ${describeLine(role)}`],
  });
}
