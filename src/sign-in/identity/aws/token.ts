import type { AwsCredentials } from './keys.ts';
import { presigned, queryText } from './sigv4.ts';

/** How long a signature is valid, in seconds. The signers of the vendor use the same. */
const lifetimeS = 900;

const service = 'kafka-cluster';
const secretParts = ['X-Amz-Signature', 'X-Amz-Security-Token'];
const action = ['Action', 'kafka-cluster:Connect'] as const;

/** A signature for a cluster, and when it expires, in milliseconds since the epoch. */
export interface Signed {
  readonly text: string;
  readonly expiresAt: number;
  /** What must not be shown of it. */
  readonly secrets: readonly string[];
}

/** What is signed. */
export interface Signing {
  readonly credentials: AwsCredentials;
  readonly region: string;
  readonly now: number;
  readonly userAgent: string;
}

/**
 * Makes the token for SASL OAUTHBEARER: a signed URL of the regional endpoint, as the signers of the vendor make it
 * (aws-msk-iam-sasl-signer).
 */
export function bearerToken(signing: Signing): Signed {
  const host = `kafka.${signing.region}.amazonaws.com`;
  const { pairs, ...signed } = sign(host, signing);
  const url = `https://${host}/?${queryText(pairs)}&User-Agent=${encodeURIComponent(signing.userAgent)}`;
  return { text: Buffer.from(url).toString('base64url'), ...signed };
}

/** Makes the message of SASL AWS_MSK_IAM: the signed request of one broker as a JSON object (aws-msk-iam-auth, README). */
export function iamMessage(host: string, signing: Signing): Signed {
  const { pairs, ...signed } = sign(host, signing);
  const fields = [
    ['version', '2020_10_22'],
    ['host', host],
    ['user-agent', signing.userAgent],
    ...pairs.map(([key, value]) => [key.toLowerCase(), value] as const),
  ];
  return { text: JSON.stringify(Object.fromEntries(fields)), ...signed };
}

function sign(host: string, { credentials, region, now }: Signing) {
  // Keys that expire before make it useless then.
  const leftS = Math.floor(((credentials.expiresAt ?? Number.POSITIVE_INFINITY) - now) / 1000);
  const expiresS = Math.max(1, Math.min(lifetimeS, leftS));
  const pairs = presigned({ host, query: [action], expiresS }, credentials, { region, service, now });
  const secrets = pairs.filter(([key]) => secretParts.includes(key)).map(([, value]) => value);
  return { pairs, expiresAt: now + expiresS * 1000, secrets };
}
