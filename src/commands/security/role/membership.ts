import { type MemberChange, RoleMember } from '../../../admin/access/access-rows.ts';
import type { Context } from '../../../context.ts';
import { stoppedError } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { always, described, leftOut, listOf, type RowOf, row, truth } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { membersOf, principalOf } from './role-kinds.ts';
import { describeLine, requireMembers } from './role-text.ts';

/** A principal that a command assigns a role to, or takes it from. */
const changedMember = row({
  ...RoleMember.fields,
  changed: described(
    truth,
    'whether the command changes the principal; false if it has the role already, or does not have it',
  ),
  dry_run: leftOut(always(true)),
});

type ChangedMember = RowOf<typeof changedMember>;

/** The principals that a command assigns a role to, or takes it from. */
export const changedMembers = listOf(changedMember);

/** What `assign` and `unassign` differ in. */
interface Change {
  readonly doing: 'assign' | 'unassign';
  /** For reports of a signal, for example `assigning role`. */
  readonly during: string;
  /** Whether the members are in the role afterwards. */
  readonly isMember: boolean;
  body(members: readonly RoleMember[]): MemberChange;
}

const assigning: Change = {
  doing: 'assign',
  during: 'assigning',
  isMember: true,
  body: (add) => ({ add }),
};

const unassigning: Change = {
  doing: 'unassign',
  during: 'unassigning',
  isMember: false,
  body: (remove) => ({ remove }),
};

/** The two changes of the members of a role. */
export const changes = { assigning, unassigning } as const;

/** Which members to change. */
interface Asked {
  readonly role: string;
  readonly principal: readonly RoleMember[];
  readonly dryRun: boolean;
}

/** Changes the members of a role; sends nothing if all of them are as they should be. */
export async function changeMembers(context: Context, change: Change, asked: Asked): Promise<readonly ChangedMember[]> {
  const { role, principal, dryRun } = asked;
  const wanted = membersOf(principal);
  const before = await requireMembers(context, role, change.doing);
  const has = new Set(before.map(principalOf));
  const rows = wanted.map((one) => ({ ...one, changed: has.has(principalOf(one)) !== change.isMember }));
  if (dryRun) return rows.map((one): ChangedMember => ({ ...one, dry_run: true }));
  const changed = wanted.filter((one) => has.has(principalOf(one)) !== change.isMember);
  if (changed.length > 0) {
    sending(context, `${change.during} role "${role}"`, describeLine(role));
    await (await context.admin()).changeMembers(role, change.body(changed));
    context.onInterrupt(stoppedError(`the members of role "${role}" have been changed`, [], role));
  }
  return rows;
}

/** The changed members as a table. @param words the status of those that were as they should be, and of a dry run */
export function changedTable(
  rows: readonly ChangedMember[],
  view: View,
  words: { readonly unchanged: string; readonly planned: string },
): string {
  const statusOf = ({ changed, dry_run: isDryRun }: ChangedMember): string => {
    if (!changed) return `OK (${words.unchanged})`;
    return isDryRun ? `OK (dry run: ${words.planned})` : 'OK';
  };
  return table(
    ['name', 'principal type', 'status'],
    rows.map((one) => [one.name, one.principal_type, statusOf(one)]),
    view,
  );
}
