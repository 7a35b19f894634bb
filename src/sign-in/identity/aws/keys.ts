import { variable } from '../../../files/locations.ts';
import type { Fields } from '../../../shape/object.ts';
import { brokenStep, type Wanted } from '../chain.ts';
import type { IdentityOptions } from '../options.ts';
import type { Requests } from '../requests.ts';
import type { AwsKeys } from './sigv4.ts';

/** Keys, and where they come from. */
export interface AwsCredentials extends AwsKeys {
  /** When they expire, in milliseconds since the epoch; undefined if that is not known. */
  readonly expiresAt: number | undefined;
  /** The way to them, in words, without a secret. */
  readonly from: string;
}

/** What the steps of the chain need. */
export interface AwsParts {
  readonly options: IdentityOptions;
  readonly requests: Requests;
  /** The region of the services, unless a profile names another. */
  readonly region: string;
}

/** What errors call them. */
export const what: Wanted = {
  name: 'AWS credentials',
  compare: 'compare with what the AWS CLI finds: aws sts get-caller-identity',
  logIn: 'log in with: aws sso login --profile PROFILE, and set aws.profile=PROFILE',
};

/** The credentials of the environment, or why there are none. */
export function environmentCredentials({ options: { machine } }: AwsParts): AwsCredentials | string {
  const [accessKeyId, secretAccessKey] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) =>
    variable(machine, name),
  );
  if (accessKeyId === undefined && secretAccessKey === undefined) return 'AWS_ACCESS_KEY_ID is not set';
  if (accessKeyId === undefined) throw brokenStep(what, 'the environment', 'AWS_ACCESS_KEY_ID is not set');
  if (secretAccessKey === undefined) throw brokenStep(what, 'the environment', 'AWS_SECRET_ACCESS_KEY is not set');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: variable(machine, 'AWS_SESSION_TOKEN'),
    expiresAt: timeIn(variable(machine, 'AWS_CREDENTIAL_EXPIRATION')),
    from: 'the environment (AWS_ACCESS_KEY_ID)',
  };
}

/** Reads keys in the form of the credential endpoints and of `credential_process`. @throws CliError if some are missing */
export function keysIn(fields: Fields, from: string): AwsCredentials {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [accessKeyId, secretAccessKey] = [text('AccessKeyId'), text('SecretAccessKey')];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw brokenStep(what, from, 'the answer has no AccessKeyId and SecretAccessKey');
  }
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: text('Token') ?? text('SessionToken'),
    expiresAt: timeIn(text('Expiration')),
    from,
  };
}

/** Reads a time in ISO 8601; undefined for anything else. */
export function timeIn(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
