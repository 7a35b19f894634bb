import { type Api, adapted } from './api.ts';
import { type ScramMechanism, scramMechanismCode } from './scram-mechanisms.ts';

/** A credential to delete. */
export interface ScramDeletion {
  readonly user: string;
  readonly mechanism: ScramMechanism;
}

/** A credential to create or to replace. */
export interface ScramUpsertion extends ScramDeletion {
  readonly iterations: number;
  readonly salt: Uint8Array;
  /** PBKDF2 of the password: brokers never see the password itself (KIP-554). */
  readonly saltedPassword: Uint8Array;
}

/** The changes to make; Kafka refuses a second change of the same user. */
export interface AlterUserScramCredentialsRequest {
  readonly deletions: readonly ScramDeletion[];
  readonly upsertions: readonly ScramUpsertion[];
}

/** The result for one user. */
export interface AlteredScramUser {
  readonly user: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One entry per user. */
export interface AlterUserScramCredentialsResponse {
  readonly users: readonly AlteredScramUser[];
}

/** AlterUserScramCredentials v0 (KIP-554). */
export const alterUserScramCredentials: Api<AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse> =
  adapted({
    name: 'AlterUserScramCredentials',
    key: 51,
    min: 0,
    max: 0,
    flexibleFrom: 0,
    target: 'controller',
    // A repeated deletion fails, because the credential no longer exists.
    repeatable: false,
    changes: true,
    encode(writer, request) {
      writer.array(request.deletions, ({ user, mechanism }) => {
        writer.string(user);
        writer.int8(scramMechanismCode(mechanism));
        writer.tags();
      });
      writer.array(request.upsertions, ({ user, mechanism, iterations, salt, saltedPassword }) => {
        writer.string(user);
        writer.int8(scramMechanismCode(mechanism));
        writer.int32(iterations);
        writer.bytes(salt);
        writer.bytes(saltedPassword);
        writer.tags();
      });
      writer.tags();
    },
    decode(reader) {
      const throttleMs = reader.int32();
      const users = reader.array(() => {
        const result = {
          user: reader.string(),
          errorCode: reader.int16(),
          errorMessage: reader.nullableString(),
        };
        reader.tags();
        return result;
      });
      reader.tags();
      return { throttleMs, users };
    },
  });
