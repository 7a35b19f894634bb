import type { Config, SecretSource } from '../config/config.ts';
import type { OptionKey, ProofFileKey, SecretKey } from '../config/options.ts';
import { isGiven } from '../config/resolve/secret-rule.ts';
import {
  cloudTokenName,
  cloudTokenSending,
  filledIn,
  type Gap,
  gapsOfKept,
  givenSending,
  isOfWay,
  keptSending,
  loginSending,
  proofFilesIn,
  type Recipient,
  type Sending,
  sendingOf,
  sendingsOfTokens,
} from '../config/routes.ts';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import { type NamedFile, variable } from '../files/locations.ts';
import type { Host } from '../host.ts';

/** What secrets are read with. */
export interface SecretParts {
  readonly host: Host;
  readonly config: Config;
  readonly deadline: Deadline;
  /** Prints a warning once. */
  warnOnce(line: string): void;
  /** Whether programs may be run, which may ask the person: not for completion. */
  readonly mayRun: boolean;
}

/** A secret that is somewhere else than in the source itself. */
export interface WantedSecret {
  /** The secret option, or the option that names the file of an assertion or a certificate. */
  readonly key: OptionKey;
  readonly from: SecretSource;
  readonly origin: string;
  /** The profile file, if that says where the secret is. */
  readonly file: NamedFile | undefined;
}

/** The values of the secret options. Nothing else may be used to sign in, because a value may be somewhere else. */
export interface Secrets {
  /**
   * The value of a secret option; empty if no source gives one. A command runs once, also if several ask at the same time;
   * a file is read each time.
   * @param to who gets it; `tokens` if each of its recipients calls `mayUseTokens`
   * @throws CliError if the value cannot be read, or if a file that may be of someone else decides who gets it
   */
  get(key: SecretKey, to: Recipient | 'tokens'): Promise<string>;
  /** The same, but a command runs again and the keychain is asked again: the last value was refused, or has expired. */
  renew(key: SecretKey, to: Recipient | 'tokens'): Promise<string>;
  /** The token in `WEIR_CLOUD_TOKEN`, for the APIs of the control plane; undefined if it is not set. */
  readonly cloudToken: (() => Promise<string>) | undefined;
  /**
   * Ensures that something which no option has, but the person gives the command, may be sent to a recipient.
   * @param how it is given
   * @throws CliError (exit 2) if a file that may be of someone else fills in what the person has not chosen
   */
  mayGive(what: string, to: Recipient, how?: 'typed' | 'given'): Promise<void>;
  /** Ensures that a login of the person, and the tokens for it, may be sent to recipients. */
  mayLogIn(to: readonly Recipient[]): Promise<void>;
  /**
   * Ensures that a login to the control plane which is kept on this machine may be used. Its addresses are bound to it, the way
   * there is not.
   * @param by the option that it was made with, if that is set now: its own rule holds
   * @throws CliError (exit 2) if a file that may be of someone else decides the way
   */
  mayUseKept(by: 'cloud.client_secret' | undefined): Promise<void>;
  /**
   * Whether what is kept for the control plane may be used, and something be kept: not if a file that may be of someone else
   * decides the way.
   */
  sharesKept(): Promise<boolean>;
  /**
   * Ensures that a program may be run that the control plane names.
   * @throws CliError (exit 2) if a file that may be of someone else says which control plane that is, or for whose account
   */
  mayRunPlugin(): Promise<void>;
  /**
   * Ensures that something may be kept in a profile beside the addresses in use, with which nothing tells any more who has
   * chosen them. A profile file may keep what it says itself.
   * @param to who decides about it, or gets it later
   * @throws CliError (exit 2) if a broker configuration file that may be of someone else has a part in the addresses, the way, or
   * whose account the control plane answers for
   */
  mayKeep(what: string, to: readonly Recipient[]): Promise<void>;
  /** Ensures the same of the tokens of the cluster, also of one that is kept from before. */
  mayUseTokens(to: Recipient): Promise<void>;
  /**
   * Ensures that a file may be used by which an issuer recognizes the client, which is read elsewhere.
   * @throws CliError if a file that may be of someone else names it, or chooses where the proof is sent
   */
  mayUse(key: ProofFileKey): Promise<void>;
  /**
   * Ensures that the identity that this machine has in a cloud may be used as the configuration says.
   * @throws CliError (exit 2) if a file that may be of someone else chooses where its proof is sent
   */
  mayIdentify(): Promise<void>;
  /** What must not get into a profile of the person, because a file that may be of someone else says it. */
  refusals(): Promise<Refusals>;
}

/** What must not get into a profile of the person. */
export interface Refusals {
  /** What would be refused if all credentials were used with it, those that are configured and those that may still be given. */
  readonly ways: readonly OptionKey[];
  /** What names a file of the person, or would be used instead of a login. */
  readonly credentials: readonly OptionKey[];
}

/** The secrets of a configuration. Nothing is read yet. */
export function openSecrets(parts: SecretParts): Secrets {
  const known = new Map<SecretKey, Promise<string>>();
  const check = async (sending: Sending): Promise<void> => await checkSending(parts, sending);
  const checkOf = (key: OptionKey, to: Recipient): Promise<void> => check(sendingOf(parts.config, key, to));
  const mayLogIn = async (to: readonly Recipient[]): Promise<void> => {
    for (const one of to) await check(loginSending(one));
  };
  const cloudToken = variable(parts.host, cloudTokenName);
  const read = (key: SecretKey): Promise<string> => {
    const { value, source, origin, from } = parts.config.setting(key);
    // Only here, where it is known who gets it, is the value of a secret option text.
    if (from === undefined) return Promise.resolve(String(value));
    const file = source === 'profile' ? parts.config.profile?.file : undefined;
    const found = look(parts, { key, from, origin, file });
    known.set(key, found);
    return found;
  };
  const checked = async (key: SecretKey, to: Recipient | 'tokens'): Promise<void> => {
    if (to !== 'tokens') await checkOf(key, to);
  };
  return {
    async get(key, to) {
      await checked(key, to);
      const isFile = parts.config.setting(key).from?.way === 'file';
      return await ((isFile ? undefined : known.get(key)) ?? read(key));
    },
    async renew(key, to) {
      await checked(key, to);
      return await read(key);
    },
    cloudToken:
      cloudToken === undefined
        ? undefined
        : async () => {
            await check(cloudTokenSending);
            return cloudToken;
          },
    mayGive: (what, to, how = 'typed') => check(givenSending(what, how, to)),
    mayLogIn,
    async mayUseKept(by) {
      if (by !== undefined) {
        await checkOf(by, 'cloud');
        await checkNamed(parts, by);
        return;
      }
      await checkAllKept(parts);
    },
    async sharesKept() {
      try {
        await checkAllKept(parts);
        return true;
      } catch (error) {
        if (error instanceof CliError) return false;
        throw error;
      }
    },
    mayRunPlugin: async () => (await import('./foreign-address.ts')).checkPluginOwner(parts),
    async mayKeep(what, to) {
      for (const one of to) {
        const sending = keptSending(what, one);
        const gaps = gapsOfKept(sending, parts.config).filter(({ source }) => source === 'broker');
        await checkGaps(parts, sending, gaps);
      }
    },
    async mayUseTokens(to) {
      for (const sending of sendingsOfTokens(parts.config, to)) await check(sending);
      if (isGiven(parts.config.setting('oauth.token'))) return;
      for (const key of ['oauth.client_secret', ...proofFilesIn(parts.config)] as const) await checkNamed(parts, key);
    },
    async mayUse(key) {
      await checkOf(key, 'issuer');
      await checkNamed(parts, key);
    },
    mayIdentify: async () => (await import('./foreign-address.ts')).checkIdentity(parts),
    refusals: async () => (await import('./foreign-address.ts')).refusals(parts),
  };
}

/**
 * Checks who would get credentials.
 * @throws CliError (exit 2) if a file that may be of someone else would decide that
 */
async function checkSending(parts: SecretParts, sending: Sending): Promise<void> {
  const found = filledIn(sending, parts.config);
  // Of the token for the control plane, its client warns.
  const warns = found.address !== undefined && sending !== cloudTokenSending && parts.host.stderr.isTerminal;
  if (found.gaps.length === 0 && !warns) return;
  await (await import('./foreign-address.ts')).checkFilledIn(parts, sending, found);
}

async function checkAllKept(parts: SecretParts): Promise<void> {
  for (const to of ['cloud', 'cloud-api'] as const) await checkKept(parts, to);
}

async function checkKept(parts: SecretParts, to: Recipient): Promise<void> {
  const sending = keptSending('a kept login', to, 'cloud login');
  const gaps = filledIn(sending, parts.config).gaps.filter(({ key }) => isOfWay(key));
  await checkGaps(parts, sending, gaps);
}

/** Checks only these gaps, and warns of no address. @throws CliError (exit 2) if a file that may be of someone else has one */
async function checkGaps(parts: SecretParts, sending: Sending, gaps: readonly Gap[]): Promise<void> {
  if (gaps.length === 0) return;
  await (await import('./foreign-address.ts')).checkFilledIn(parts, sending, { gaps, address: undefined });
}

/**
 * Checks who says where a secret or a proof is, if the option does not have it itself.
 * @throws CliError if that is a file that may be of someone else
 */
async function checkNamed(parts: SecretParts, key: SecretKey | ProofFileKey): Promise<void> {
  const { config } = parts;
  const { value, origin, from = { way: 'file', text: String(value) } } = config.setting(key);
  if (config.setting(key).from === undefined && !proofFilesIn(config).some((one) => one === key)) return;
  const { source } = sendingOf(config, key, 'issuer').by;
  const file = source === 'profile' ? config.profile?.file : undefined;
  if (file !== undefined) await checkProfile(parts, { key, from, origin, file }, file);
  if (source !== 'broker' || config.brokerFile === undefined) return;
  const { secretFault } = await import('./fault.ts');
  throw secretFault(
    { key, from, origin, file },
    `${config.brokerFile.origin} names a file that may be of someone else`,
    {
      exitCode: exitCodes.usage,
      hints: [`set ${key} in a profile of your own, or with -X`],
    },
  );
}

async function checkProfile({ host }: SecretParts, wanted: WantedSecret, file: NamedFile): Promise<void> {
  const [{ checkOwnProfile }, { secretFault }] = await Promise.all([
    import('../config/profile/ownership.ts'),
    import('./fault.ts'),
  ]);
  await checkOwnProfile(host, (reason, details) => secretFault(wanted, reason, details), file);
}

async function look(parts: SecretParts, wanted: WantedSecret): Promise<string> {
  if (wanted.file !== undefined) await checkProfile(parts, wanted, wanted.file);
  if (wanted.from.way === 'file') return await (await import('./secret-file.ts')).readSecretFile(parts, wanted);
  if (!parts.mayRun) throw (await import('./fault.ts')).secretFault(wanted, 'programs are not run here');
  if (wanted.from.way === 'command') return await (await import('./command.ts')).runSecretCommand(parts, wanted);
  return await (await import('./keychain.ts')).readKeychain(parts, wanted);
}
