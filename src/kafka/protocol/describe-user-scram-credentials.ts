import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';
import { scramMechanismOf } from './scram-mechanisms.ts';

/** The users to describe. */
export interface DescribeUserScramCredentialsRequest {
  /**
   * Undefined (null) or empty for all users with a SCRAM credential. Kafka 4.1 does not answer a request with null at all if the
   * principal is not authorized; the fake cluster of franz-go describes nobody if it is empty.
   */
  readonly users: readonly string[] | undefined;
}

/** A credential of a user, without its secrets. */
export interface ScramCredential {
  /** For example `SCRAM-SHA-256`. */
  readonly mechanism: string;
  readonly iterations: number;
}

/** The credentials of one user, or the reason why there are none. */
export interface DescribedScramUser {
  readonly user: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly credentials: readonly ScramCredential[];
}

/** One entry per user. */
export interface DescribeUserScramCredentialsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly users: readonly DescribedScramUser[];
}

/** DescribeUserScramCredentials v0 (KIP-554). */
export const describeUserScramCredentials: Api<
  DescribeUserScramCredentialsRequest,
  DescribeUserScramCredentialsResponse
> = adapted({
  name: 'DescribeUserScramCredentials',
  key: 50,
  min: 0,
  max: 0,
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  encode(writer, request) {
    writer.nullableArray(request.users, (user) => {
      writer.string(user);
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
    const users = reader.array(() => readUser(reader));
    reader.tags();
    return { throttleMs, ...error, users };
  },
  errorCode: (response) => response.errorCode,
  errorMessage: ({ errorMessage }) => errorMessage,
});

function readUser(reader: Reader): DescribedScramUser {
  const user = reader.string();
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  const credentials = reader.array(() => {
    const credential = { mechanism: scramMechanismOf(reader.int8()), iterations: reader.int32() };
    reader.tags();
    return credential;
  });
  reader.tags();
  return { user, ...error, credentials };
}
