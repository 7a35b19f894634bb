import { usageError } from '../../../errors.ts';
import { announcedHint, type HostRule } from '../vendor.ts';

/** The addresses of the managed service: `bootstrap.CLUSTER.REGION.managedkafka.PROJECT.cloud.goog`. */
const ofGoogle = /^[a-z\d.-]+\.managedkafka\.[a-z\d.-]+\.cloud\.goog\.?$/i;

/** Whether a host is one of the managed service. */
export function isOfGoogle(host: string): boolean {
  return ofGoogle.test(host);
}

/** What the client library of the service requests; its brokers take no other tokens. */
const usualScope = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * The scope of a token for a broker. It allows everything that the identity may do in the cloud, so for any other address,
 * somebody must have decided what it may get.
 * @throws CliError (exit 2) if neither the address nor the option says it
 */
export function scopeFor(host: string, { option, freesOthers }: HostRule): string {
  if (freesOthers || isOfGoogle(host)) return option || usualScope;
  throw usageError(
    `unable to sign in to ${host} with a Google identity: it is not an address of Managed Service for Apache Kafka`,
    {
      code: 'NOT_OF_GOOGLE',
      target: 'oauth.scope',
      hints: [
        option === ''
          ? `if a token of yours may go there, say what for: -X oauth.scope=${usualScope}`
          : announcedHint('oauth.scope'),
        'whoever answers there could use the token as you until it expires',
      ],
    },
  );
}

/** An access token, and whose it is. */
export interface Access {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly email: string;
}

/** Makes the token that brokers take of an access token (GcpLoginCallbackHandler of managed-kafka-auth). */
export function kafkaToken({ text, expiresAt, email }: Access, now: number): string {
  const header = { typ: 'JWT', alg: 'GOOG_OAUTH2_TOKEN' };
  const claims = { exp: Math.floor(expiresAt / 1000), iat: Math.floor(now / 1000), scope: 'kafka', sub: email };
  return [JSON.stringify(header), JSON.stringify(claims), text]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
}
