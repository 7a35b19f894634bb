import type { ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { described, listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import type { ScramMechanism } from './scram-words.ts';

/**
 * A SCRAM credential of a user; its mechanism is for example `SCRAM-SHA-256`. The Kafka API does not tell when the password
 * was set, and the Admin API not how often it is hashed (null).
 */
export const Credential = row({
  mechanism: string,
  iterations: maybe(whole),
  password_set_at: described(maybe(string), 'RFC 3339; null if the cluster does not tell'),
});
export type Credential = RowOf<typeof Credential>;

/** A user with its SCRAM credentials, which the Admin API shows from Redpanda 26.1 on (null before). */
export const ListedUser = row({ user: string, credentials: maybe(listOf(Credential)), error: itemError });
export type ListedUser = RowOf<typeof ListedUser>;

/** A user as the brokers list it. */
export interface KafkaUser extends ListedUser {
  readonly credentials: readonly Credential[];
}

/** A user with the mechanisms of the credentials to delete, or of those that were deleted. */
export interface UserDeletion {
  readonly user: string;
  readonly mechanisms: readonly ScramMechanism[];
  readonly error: ItemError | null;
}

/** A credential to create or to replace. */
export interface NewCredential {
  readonly user: string;
  readonly password: string;
  readonly mechanism: ScramMechanism;
  /** How often the password is hashed. */
  readonly iterations: number;
}

/** A call to set the password of a user. */
export interface SetPasswordCall {
  readonly user: string;
  readonly password: string;
  /** The credentials to create or to replace. */
  readonly mechanisms: readonly ScramMechanism[];
  /** How often the password is hashed. */
  readonly iterations: number;
  /** Whether nobody else knows the password: the error tells it if it was set for some of the mechanisms. */
  readonly isGenerated?: boolean;
}
