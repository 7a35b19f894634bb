import type { Config } from '../config/config.ts';
import { hintToSet } from '../config/hint-to-set.ts';
import type { SecretKey } from '../config/options.ts';
import { requireAddresses } from '../config/resolve.ts';
import { warnOfTwoClusters } from '../config/settings/checks.ts';
import { placeOf } from '../config/settings/provenance.ts';
import { isGiven } from '../config/settings/secret-rule.ts';
import { type HttpApi, type SignIn, signInOf } from '../config/settings/sign-in.ts';
import type { Deadline } from '../deadline.ts';
import { usageError } from '../errors.ts';
import { cacheDirectory } from '../files/locations.ts';
import type { BearerSource } from '../net/bearer.ts';
import type { Credentials } from '../net/json-api/credentials.ts';
import type { Secret } from '../net/secret.ts';
import type { RegistryOptions } from '../registry/open.ts';
import { identityOf } from './identity.ts';
import { firstContactOf, proxySettings, tlsOptions, usesTokens } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** What the options of an HTTP API of the cluster are made from. */
export interface HttpApiParts {
  readonly parts: Pick<ClientParts, 'host' | 'messages'>;
  readonly config: Config;
  readonly deadline: Deadline;
  /** Gives a secret, from the terminal if no source sets it; empty if there is none. */
  secretOf(key: SecretKey, to: HttpApi): Promise<Secret>;
  /** Opens the source of OAuth tokens. */
  tokens(): Promise<BearerSource>;
  /** The tokens of an option, which its command, file or keychain gives again if one is refused or expires. */
  tokensOf(key: SecretKey): Promise<BearerSource>;
}

/**
 * Builds what the clients of the Admin API and the schema registry have in common.
 * @throws CliError if there is no address, or if the credentials are only half configured
 */
export async function httpApiOptions(api: HttpApi, given: HttpApiParts) {
  const { parts, config, deadline } = given;
  const { host, messages } = parts;
  const addresses = requireAddresses(config, `${api}.hosts`);
  const doubt = warnOfTwoClusters(config.setting, api);
  if (doubt !== undefined) messages.warnOnce(doubt);
  return {
    addresses,
    usesTls: config.get(`${api}.tls.enabled`),
    tls: tlsOptions(config, `${api}.tls`, host),
    credentials: await credentialsOf(api, given),
    firstContact: firstContactOf(config),
    proxy: proxySettings(config, host),
    userAgent: 'weir',
    deadline,
    warn: messages.warnOnce,
  };
}

/**
 * What a client signs in with to an HTTP API of the cluster; undefined without credentials.
 * @throws CliError if they are only half configured
 */
export async function credentialsOf(
  api: HttpApi,
  { config, secretOf, tokens, tokensOf }: Pick<HttpApiParts, 'config' | 'secretOf' | 'tokens' | 'tokensOf'>,
): Promise<Credentials | undefined> {
  const signIn = signInOf(api, config.setting);
  if (signIn === 'none') return undefined;
  // The proof of a cloud identity is for brokers of that cloud.
  const hasTokens = usesTokens(config) && identityOf(config) === undefined;
  if (hasTokens && (signIn === undefined || signIn.by.key === 'user')) {
    const setting = config.setting(isGiven(config.setting('oauth.token')) ? 'oauth.token' : 'oauth.issuer');
    const whenRefused = `the OAuth token of the brokers was refused (${setting.key} is from ${placeOf(setting)}): see what it claims with weir cluster auth status, or set ${ownOf(api)}`;
    return bearer(await tokens(), setting.key, whenRefused);
  }
  if (signIn === undefined) return undefined;
  const { user, secret, by } = signIn;
  const whenRefused = whenRefusedOf(api, signIn, config);
  if (user === undefined && config.setting(secret).from !== undefined) {
    const source = await tokensOf(secret);
    // A program may ask the person, before anything is dialed.
    await source.get();
    return bearer(source, secret, whenRefused);
  }
  const text = await secretOf(secret, api);
  if (text !== '') return { ...signedIn(signIn, text), whenRefused };
  // Without a password, the user of the brokers is not one of this API.
  if (by.key === 'user') return undefined;
  throw usageError(`${by.key} is set, but ${secret} is not`, {
    code: 'CONFIG_INVALID',
    target: secret,
    hints: [hintToSet(config, secret)],
  });
}

function bearer(tokens: BearerSource, option: string, whenRefused: string): Credentials {
  return {
    token: async () => (await tokens.get()).text,
    renew: async (refused) => (await tokens.renew(refused))?.text,
    option,
    whenRefused,
  };
}

function signedIn({ user, secret: option }: SignIn, secret: Secret): Credentials {
  if (user === undefined) return { token: secret, option };
  return { user, pass: secret, ...(option === 'pass' ? {} : { option }) };
}

function whenRefusedOf(api: HttpApi, { by, user, secret }: SignIn, config: Config): string {
  const place = placeOf(config.setting(secret));
  if (user === undefined) return `the token was refused: check ${secret}, which is from ${place}`;
  const sources = `${by.key} is from ${placeOf(by)}, ${secret} from ${isGiven(config.setting(secret)) ? place : 'the prompt'}`;
  const hint = by.key === 'user' ? `, or set ${ownOf(api)} for this API` : '';
  return `user "${user}" was refused: check that they belong together, ${sources}${hint}`;
}

function ownOf(api: HttpApi): string {
  return `${api}.user and ${api}.pass`;
}

/**
 * Builds the options of the schema registry client from the configuration.
 * @throws CliError if there is no address
 */
export async function registryOptions(given: HttpApiParts): Promise<RegistryOptions> {
  return { ...(await httpApiOptions('registry', given)), cacheDirectory: cacheDirectory(given.parts.host) };
}
