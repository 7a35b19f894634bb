import { type RowOf, row, string } from '../../shape/shape.ts';

/** A member of a role. */
export const RoleMember = row({
  name: string,
  /** `User` or, from Redpanda 26.1 on, `Group`: a group of the identity provider. */
  principal_type: string,
});
export type RoleMember = RowOf<typeof RoleMember>;

/** Which roles to list. */
export interface RoleQuery {
  /** Only roles whose names begin with this text. */
  readonly prefix?: string | undefined;
  /** Only roles with this member. */
  readonly member?: RoleMember | undefined;
}

/** The members to add to a role, or to remove from it. */
export type MemberChange =
  | { readonly add: readonly RoleMember[]; readonly remove?: never }
  | { readonly remove: readonly RoleMember[]; readonly add?: never };

/** A call that sets the password of a user. */
export interface AdminPassword {
  readonly user: string;
  readonly password: string;
  /** A user has one credential: its mechanism replaces the one that the user has. */
  readonly mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
}

/** Which node to read from: any one, which may not know the latest changes yet, or the leader of the controller. */
export type ReadFrom = 'any' | 'leader';
