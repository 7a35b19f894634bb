import { type RowOf, row, string } from '../../shape/shape.ts';

/** A member of a role. */
export const roleMember = row({
  name: string,
  /** The only type so far is `User`. */
  principal_type: string,
});

/** A member of a role. */
export type RoleMember = RowOf<typeof roleMember>;

/** Which roles to list. */
export interface RoleQuery {
  /** Only roles whose names begin with this text. */
  readonly prefix?: string | undefined;
  /** Only roles with this user as a member. */
  readonly user?: string | undefined;
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

/** The calls of the Admin API about roles and users. */
export interface AccessCalls {
  /**
   * The names of the roles, sorted.
   * @throws CliError (exit 1) if the version of the server has no roles
   */
  roles(query?: RoleQuery): Promise<readonly string[]>;
  /** The members of a role, sorted; undefined if there is no such role. */
  roleMembers(role: string, from?: ReadFrom): Promise<readonly RoleMember[] | undefined>;
  /** Creates a role without members; a role without members that exists already is no error. */
  createRole(role: string): Promise<void>;
  /** Deletes a role, and if asked to, its ACLs; a role that does not exist is no error. */
  deleteRole(role: string, deletesAcls: boolean): Promise<void>;
  /** Adds or removes members; those that are there, or not there, already are no error. */
  changeMembers(role: string, change: MemberChange): Promise<void>;
  /** The names of the users with SCRAM credentials, sorted. */
  users(from?: ReadFrom): Promise<readonly string[]>;
  /** Creates a user; one that exists with the same password and mechanism is no error. */
  createUser(call: AdminPassword): Promise<void>;
  /** Replaces the credential of a user. */
  updateUser(call: AdminPassword): Promise<void>;
  /** Deletes a user; one that does not exist is no error. */
  deleteUser(user: string): Promise<void>;
}
