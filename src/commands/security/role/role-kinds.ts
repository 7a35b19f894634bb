import type { RoleMember } from '../../../admin/access/access-rows.ts';
import { list } from '../../../cli/command.ts';
import { missingError } from '../../../errors.ts';
import type { Kind } from '../../../kinds.ts';
import { isDistinguishedName } from '../../distinguished-name.ts';

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

const memberTypes = ['User', 'Group'];

/** A member of a role: `User:NAME`, `Group:NAME`, or the `NAME` of a user. */
export const member: Kind<RoleMember> = {
  name: 'principal',
  hint: 'PRINCIPAL',
  completes: 'user',
  parse(value) {
    const [, type = 'User', name] = /^(?:([A-Z][A-Za-z]*):)?(.*)$/s.exec(value) ?? [];
    if (name === undefined || name === '') throw new Error('the name is empty');
    if (!memberTypes.includes(type))
      throw new Error('members of a role are users and groups: write User:NAME or Group:NAME');
    return { name, principal_type: type };
  },
  isWhole: (value) => isDistinguishedName(value),
  show: principalOf,
};

/** The flag for the members of a role to add or to remove. */
export function membersFlag(help: string) {
  return list(member, { splits: true, help: `${help} (required)` });
}

/** The members that the flag names, each once. @throws CliError (exit 2) if there are none */
export function membersOf(members: readonly RoleMember[]): readonly RoleMember[] {
  if (members.length === 0) throw missingError('--principal');
  const byPrincipal = new Map(members.map((one) => [principalOf(one), one]));
  return [...byPrincipal].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** A member as a principal, for example `User:ana`. */
export function principalOf({ name, principal_type: type }: RoleMember): string {
  return `${type}:${name}`;
}
