import { at, listOf, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { enumName, timestamp } from '../client/proto-json.ts';

/** A member of a role. */
export const RoleMember = row({
  name: string,
  /** `User` or, from Redpanda 26.1 on, `Group`: a group of the identity provider. */
  principal_type: string,
});
export type RoleMember = RowOf<typeof RoleMember>;

/** The SCRAM credential of a user, of which it has one; null for what the server does not tell. */
export const ScramCredential = row({
  name: string,
  /** `SCRAM_SHA_256` or `SCRAM_SHA_512`. */
  mechanism: enumName('SCRAM_MECHANISM_'),
  /** When the password was set; null for one of a release before 26.1. */
  password_set_at: at('passwordSetAt', timestamp),
});

/** Who the requests come from, as far as the server tells. */
export const CurrentUser = row({
  /** Null without credentials. */
  user: maybe(string),
  /** The roles that have the user as a member. */
  roles: listOf(string),
  /** The groups in the token; null for a user with a password. */
  groups: maybe(listOf(string)),
  /** RFC 3339; null for a user with a password. */
  token_expires_at: maybe(string),
});
export type CurrentUser = RowOf<typeof CurrentUser>;

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
