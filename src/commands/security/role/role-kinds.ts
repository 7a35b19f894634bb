import type { RoleMember } from '../../../admin/access/access-rows.ts';
import { list } from '../../../cli/command.ts';
import { usageError } from '../../../errors.ts';
import type { Kind } from '../../../kinds.ts';

/** The name of a new role, without the type of a principal. */
export const newRoleName: Kind<string> = {
  name: 'role',
  hint: 'ROLE',
  parse(value) {
    if (value === '') throw new Error('it is empty');
    if (value.startsWith('RedpandaRole:')) throw new Error('leave out "RedpandaRole:"');
    return value;
  },
  show: (value) => value,
};

/** The name of a role. */
export const roleName: Kind<string> = { ...newRoleName, completes: 'role' };

/** A member of a role: `User:NAME` or `NAME`. */
export const memberUser: Kind<string> = {
  name: 'principal',
  hint: 'PRINCIPAL',
  completes: 'user',
  parse(value) {
    const [, type, name] = /^(?:([A-Z][A-Za-z]*):)?(.*)$/s.exec(value) ?? [];
    if (name === undefined || name === '') throw new Error('the name is empty');
    if (type !== undefined && type !== 'User') throw new Error('members of a role are users: write NAME or User:NAME');
    return name;
  },
  show: (value) => value,
};

/** The flag for the members of a role to add or to remove. */
export function membersFlag(help: string) {
  return list(memberUser, { splits: true, help: `${help} (required)` });
}

/** The members that the flag names, each once. @throws CliError (exit 2) if there are none */
export function membersOf(names: readonly string[]): readonly RoleMember[] {
  if (names.length === 0) throw usageError('--principal is required', { target: '--principal' });
  return [...new Set(names)].sort().map((name) => ({ name, principal_type: 'User' }));
}
