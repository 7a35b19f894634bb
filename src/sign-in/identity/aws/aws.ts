import { CliError } from '../../../errors.ts';
import type { BearerToken } from '../../../net/bearer.ts';
import { hostRule, type Vendor, type VendorParts } from '../vendor.ts';
import { findCredentials } from './credentials.ts';
import type { AwsCredentials, AwsParts } from './keys.ts';
import { isOfMsk, type Region, regionOf } from './region.ts';
import { callerArn } from './sts.ts';
import { bearerToken, iamMessage, type Signed, type Signing } from './token.ts';

/** Credentials that expire sooner are replaced, as the SDKs do. */
const leastLeftMs = 5 * 60_000;

/** Opens the identities of AWS. */
export function openAws({ options, requests }: VendorParts): Vendor {
  const { brokers, aws, deadline, userAgent } = options;
  const now = (): number => deadline.clock.wallTime();
  let known: AwsCredentials | undefined;
  let pending: Promise<AwsCredentials> | undefined;
  const partsFor = ({ name }: Region): AwsParts => ({ options, requests, region: name });

  /** Connections that open at the same time share one walk through the chain. */
  async function credentialsFor(region: Region, isRefused: boolean): Promise<AwsCredentials> {
    if (known !== undefined && !isRefused && (known.expiresAt ?? Number.POSITIVE_INFINITY) - now() > leastLeftMs)
      return known;
    pending ??= findCredentials(partsFor(region)).finally(() => {
      pending = undefined;
    });
    known = await pending;
    return known;
  }
  async function made(region: Region, sign: (signing: Signing) => Signed, isRefused: boolean): Promise<BearerToken> {
    const credentials = await credentialsFor(region, isRefused);
    const signed = sign({ credentials, region: region.name, now: now(), userAgent });
    return { ...signed, about: aboutOf(credentials, region, signed.expiresAt) };
  }
  const rule = hostRule(brokers, aws.region, isOfMsk);
  const ofCluster = (): Region => regionOf(brokers[0]?.host ?? '', rule);
  return {
    name: 'AWS identity',
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

function aboutOf({ accessKeyId, from }: AwsCredentials, region: Region, expiresAt: number): string {
  return `it was signed with the access key ${accessKeyId} from ${from}, for the region ${region.name} (from ${region.from}), until ${timeText(expiresAt)}`;
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}
