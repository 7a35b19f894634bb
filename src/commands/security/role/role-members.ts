import type { RoleMember } from '../../../admin/access/access-rows.ts';
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';

/**
 * Reads the members of a role that a command is about.
 * @param doing the action, for example `describe`
 * @throws CliError (exit 3) if there is no such role
 */
export async function requireMembers(context: Context, role: string, doing: string): Promise<readonly RoleMember[]> {
  const members = await (await context.admin()).roleMembers(role, 'leader');
  if (members !== undefined) return members;
  throw notFoundError(`unable to ${doing} role "${role}": the role does not exist`, {
    code: 'ROLE_NOT_FOUND',
    target: role,
    hints: ['see all roles with: weir security role list'],
  });
}

/** The command that shows a role. */
export function describeLine(role: string): string {
  return `weir security role describe ${shellWord(role)}`;
}
