import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve.ts';
import { isGiven } from '../config/settings/secret-rule.ts';
import type { Deadline } from '../deadline.ts';
import { absolutePath } from '../files/locations.ts';
import type { IdentityOptions, Machine, Provider } from '../sign-in/identity/options.ts';
import { proxySettings, usesMechanism, usesTokens } from './kafka.ts';
import type { ClientParts } from './parts.ts';

const providers: readonly Provider[] = ['aws', 'azure', 'google'];

/** The cloud whose identity signs in to the brokers; undefined if none does. */
export function identityOf(config: Config): Provider | undefined {
  if (usesMechanism(config, 'AWS_MSK_IAM')) return 'aws';
  const grant = config.get('oauth.grant');
  if (!usesTokens(config) || isGiven(config.setting('oauth.token'))) return undefined;
  return providers.find((one) => one === grant);
}

/** What the options of a cloud identity are made from. */
interface IdentityParts {
  readonly parts: Pick<ClientParts, 'host' | 'messages' | 'mayRun'>;
  readonly config: Config;
  readonly deadline: Deadline;
  readonly run: Machine['run'];
}

/** Builds the options of a cloud identity from the configuration. */
export function identityOptions(provider: Provider, given: IdentityParts): IdentityOptions {
  const { parts, config, deadline, run } = given;
  const { env, home, platform } = parts.host;
  const file = config.get('oauth.assertion.key');
  return {
    provider,
    brokers: requireAddresses(config, 'brokers'),
    aws: { profile: config.get('aws.profile'), region: config.get('aws.region'), roleArn: config.get('aws.role_arn') },
    scope: config.get('oauth.scope'),
    clientId: config.get('oauth.client_id'),
    credentialsFile: file === '' ? undefined : absolutePath(parts.host, file),
    machine: { env, home, platform, run },
    mayRenew: parts.mayRun !== false,
    proxy: proxySettings(config, parts.host),
    userAgent: 'weir',
    deadline,
    warn: parts.messages.warnOnce,
  };
}
