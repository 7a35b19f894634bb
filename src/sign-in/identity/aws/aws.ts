import { CliError } from '../../../errors.ts';
import { variable } from '../../../files/locations.ts';
import type { BearerToken } from '../../../net/bearer.ts';
import { brokenStep, type CredentialSource, firstOf } from '../chain.ts';
import { hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { type AwsCredentials, type AwsParts, environmentCredentials, what } from './keys.ts';
import { containerCredentials, instanceCredentials } from './metadata.ts';
import { profileCredentials } from './profile-credentials.ts';
import { isOfMsk, type Region, regionOf } from './region.ts';
import { presigned, queryText } from './sigv4.ts';
import { assumeRole, assumeRoleWithWebIdentity, callerArn } from './sts.ts';

/** Credentials that expire sooner are replaced, as the SDKs do. */
const leastLeftMs = 5 * 60_000;

/** Opens the identities of AWS. */
export function openAws({ options, requests }: VendorParts): Vendor {
  const { brokers, aws, deadline, userAgent } = options;
  const now = (): number => deadline.clock.wallTime();
  let current: AwsCredentials | undefined;
  let pending: Promise<AwsCredentials> | undefined;
  const partsFor = ({ name }: Region): AwsParts => ({ options, requests, region: name });

  /** Connections that open at the same time share one walk through the chain. */
  async function credentialsFor(region: Region, isRefused: boolean): Promise<AwsCredentials> {
    if (current !== undefined && !isRefused && (current.expiresAt ?? Number.POSITIVE_INFINITY) - now() > leastLeftMs)
      return current;
    pending ??= findCredentials(partsFor(region)).finally(() => {
      pending = undefined;
    });
    current = await pending;
    return current;
  }
  async function made(region: Region, sign: (signing: Signing) => Signed, isRefused: boolean): Promise<BearerToken> {
    const credentials = await credentialsFor(region, isRefused);
    const signed = sign({ credentials, region: region.name, now: now(), userAgent });
    return { ...signed, about: aboutOf(credentials, region, signed.expiresAt) };
  }
  const rule = hostRule(brokers, aws.region, isOfMsk);
  const ofCluster = (): Region => regionOf(brokers[0]?.host ?? '', rule);
  return {
    token: async (isRefused) => await made(ofCluster(), bearerToken, isRefused),
    sign: async (host) => await made(regionOf(host, rule), (signing) => iamMessage(host, signing), false),
    async identify() {
      const region = ofCluster();
      const credentials = await credentialsFor(region, false);
      const who = await callerArn(partsFor(region), credentials).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        return `access key ${credentials.accessKeyId} (${error.message})`;
      });
      const until = credentials.expiresAt === undefined ? '' : `, until ${timeText(credentials.expiresAt)}`;
      return `${who}, from ${credentials.from}${until}; region ${region.name} (from ${region.from})`;
    },
    checkHost: (host) => void regionOf(host, rule),
  };
}

/**
 * Finds credentials where the SDKs of AWS look, in the order of the one for Java, which MSK's own library uses. A profile
 * that the options name is the only place. The role of the options is assumed with what was found.
 * @throws CliError (exit 4 or 5) that names the place that does not work, or all places, and why they have none
 */
async function findCredentials(parts: AwsParts): Promise<AwsCredentials> {
  const { profile, roleArn } = parts.options.aws;
  const credentials = profile === '' ? await fromChain(parts) : await namedProfile(parts, profile);
  if (roleArn === '') return checked(credentials, parts);
  return await assumeRole(parts, checked(credentials, parts), { roleArn, region: parts.region });
}

async function namedProfile(parts: AwsParts, name: string): Promise<AwsCredentials> {
  const credentials = await profileCredentials(parts, name);
  if (typeof credentials !== 'string') return credentials;
  throw brokenStep(what, `the profile "${name}" (aws.profile)`, credentials, [
    'see the profiles with: aws configure list-profiles',
  ]);
}

function fromChain(parts: AwsParts): Promise<AwsCredentials> {
  const { machine } = parts.options;
  const steps: readonly CredentialSource<AwsCredentials>[] = [
    { name: 'environment', find: async () => environmentCredentials(parts) },
    { name: 'web identity', find: () => webIdentity(parts) },
    { name: 'profile', find: () => profileCredentials(parts, variable(machine, 'AWS_PROFILE') ?? 'default') },
    { name: 'container', find: () => containerCredentials(parts) },
    { name: 'instance', find: () => instanceCredentials(parts) },
  ];
  return firstOf(what, steps);
}

async function webIdentity(parts: AwsParts): Promise<AwsCredentials | string> {
  const { machine } = parts.options;
  const tokenFile = variable(machine, 'AWS_WEB_IDENTITY_TOKEN_FILE');
  if (tokenFile === undefined) return 'AWS_WEB_IDENTITY_TOKEN_FILE is not set';
  const roleArn = variable(machine, 'AWS_ROLE_ARN');
  if (roleArn === undefined) throw brokenStep(what, 'the web identity', 'AWS_ROLE_ARN is not set');
  const sessionName = variable(machine, 'AWS_ROLE_SESSION_NAME');
  return await assumeRoleWithWebIdentity(parts, { roleArn, sessionName, tokenFile, region: parts.region });
}

/** Refuses credentials that cannot be used, before anything is signed with them. */
function checked(credentials: AwsCredentials, { options }: AwsParts): AwsCredentials {
  const now = options.deadline.clock.wallTime();
  if (credentials.expiresAt !== undefined && credentials.expiresAt <= now) {
    const when = new Date(credentials.expiresAt).toISOString().replace(/\.\d+/, '');
    throw brokenStep(what, credentials.from, `they expired at ${when}`, [
      'get new ones, or compare the clock of this machine',
    ]);
  }
  const isKey = (text: string | undefined): boolean => text === undefined || /^[\x21-\x7e]+$/.test(text);
  if ([credentials.accessKeyId, credentials.secretAccessKey, credentials.sessionToken].every(isKey)) return credentials;
  throw brokenStep(what, credentials.from, 'they contain spaces, control characters or other characters than ASCII');
}

function aboutOf({ accessKeyId, from }: AwsCredentials, region: Region, expiresAt: number): string {
  return `it was signed with the access key ${accessKeyId} from ${from}, for the region ${region.name} (from ${region.from}), until ${timeText(expiresAt)}`;
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}

/** How long a signature is valid, in seconds. The signers of the vendor use the same. */
const lifetimeS = 900;

const service = 'kafka-cluster';
const secretParts = ['X-Amz-Signature', 'X-Amz-Security-Token'];
const action = ['Action', 'kafka-cluster:Connect'] as const;

/** A signature for a cluster, and when it expires, in milliseconds since the epoch. */
interface Signed {
  readonly text: string;
  readonly expiresAt: number;
  /** What must not be shown of it. */
  readonly secrets: readonly string[];
}

/** What is signed. */
interface Signing {
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
