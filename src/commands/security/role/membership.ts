import { type MemberChange, RoleMember } from '../../../admin/access/access-rows.ts';
import type { Planned } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { stoppedError } from '../../../errors.ts';
import { sending } from '../../interruption.ts';
import { membersOf, principalOf } from './role-kinds.ts';
import { describeLine, requireMembers } from './role-members.ts';

/** What `assign` and `unassign` differ in. */
interface Membership {
  readonly verb: 'assign' | 'unassign';
  /** Whether the members are in the role afterwards. */
  readonly isMember: boolean;
  body(members: readonly RoleMember[]): MemberChange;
}

interface MemberValues {
  readonly role: string;
  readonly principal: readonly RoleMember[];
}

/** What the declarations of `assign` and `unassign` have in common. */
function memberChange({ verb, isMember, body }: Membership) {
  return {
    apis: ['admin'],
    changes: 'alters',
    noun: 'principal',
    item: RoleMember,
    async plan(context: Context, { role, principal }: MemberValues): Promise<readonly Planned<RoleMember>[]> {
      const principals = membersOf(principal);
      const members = new Set((await requireMembers(context, role, verb)).map(principalOf));
      return principals.map((one) =>
        members.has(principalOf(one)) === isMember ? { ...one, status: 'NOT_NEEDED' } : one,
      );
    },
    async apply(context: Context, members: readonly RoleMember[], { role }: MemberValues) {
      sending(context, `${verb}ing role "${role}"`, describeLine(role));
      await (await context.admin()).changeMembers(role, body(members));
      context.onInterrupt(stoppedError(`the members of role "${role}" have been changed`, [], role));
      return members.map(() => ({}));
    },
  } as const;
}

/** What `security role assign` does. */
export const assigning = memberChange({ verb: 'assign', isMember: true, body: (add) => ({ add }) });

/** What `security role unassign` does. */
export const unassigning = memberChange({ verb: 'unassign', isMember: false, body: (remove) => ({ remove }) });
