import type { RoleMember } from '../../../admin/access/access-rows.ts';
import type { Context } from '../../../context.ts';
import { type CliError, notFoundError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';

/** Reads the members of a role that a command is about. @throws CliError (exit 3) if there is no such role */
export async function requireMembers(context: Context, role: string, doing: string): Promise<readonly RoleMember[]> {
  const members = await (await context.admin()).roleMembers(role, 'leader');
  if (members === undefined) throw noRole(role, doing);
  return members;
}

/** The error for a role that does not exist. @param doing the action, for example `describe` */
export function noRole(role: string, doing: string): CliError {
  return notFoundError(`unable to ${doing} role "${role}": the role does not exist`, {
    code: 'ROLE_NOT_FOUND',
    target: role,
    hints: ['see all roles with: weir security role list'],
  });
}

/** The command that shows a role. */
export function describeLine(role: string): string {
  return `weir security role describe ${shellWord(role)}`;
}
