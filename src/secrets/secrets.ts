import type { Config, SecretSource } from '../config/config.ts';
import type { OptionKey, SecretKey } from '../config/options.ts';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import type { NamedFile } from '../files/locations.ts';
import type { Host } from '../host.ts';
import type { Fault } from './own-profile.ts';

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
  /** The secret option, or the option that names the file of an assertion. */
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
   * @throws CliError if the value cannot be read
   */
  get(key: SecretKey): Promise<string>;
  /** The same, but a command runs again and the keychain is asked again: the last value was refused, or has expired. */
  renew(key: SecretKey): Promise<string>;
  /**
   * Ensures that the file of an assertion may be used, which is read elsewhere.
   * @throws CliError if a profile file that may be of someone else names it, and chooses where the assertion is sent
   */
  mayUse(key: 'oauth.assertion.key' | 'oauth.assertion.file'): Promise<void>;
  /**
   * Ensures that the identity that this machine has in a cloud may be used as the configuration says.
   * @throws CliError (exit 2) if a file that may be of someone else chooses where its proof is sent
   */
  mayIdentify(): Promise<void>;
}

/** The secrets of a configuration. Nothing is read yet. */
export function openSecrets(parts: SecretParts): Secrets {
  const known = new Map<SecretKey, Promise<string>>();
  const renew = (key: SecretKey): Promise<string> => {
    const { value, source, origin, from } = parts.config.setting(key);
    if (from === undefined) return warned(parts, key).then(() => value);
    const file = source === 'profile' ? parts.config.profile?.file : undefined;
    const read = warned(parts, key).then(() => look(parts, { key, from, origin, file }));
    known.set(key, read);
    return read;
  };
  return {
    get(key) {
      const isFile = parts.config.setting(key).from?.way === 'file';
      return (isFile ? undefined : known.get(key)) ?? renew(key);
    },
    renew,
    async mayUse(key) {
      const { value, source, origin } = parts.config.setting(key);
      const file = source === 'profile' ? parts.config.profile?.file : undefined;
      if (file === undefined) return;
      await checkProfile(parts, { key, from: { way: 'file', text: value }, origin, file }, file);
    },
    mayIdentify: () => checkIdentity(parts),
  };
}

/** Warns before a secret is used, if it may be sent to an address of someone else. */
async function warned(parts: SecretParts, key: SecretKey): Promise<void> {
  const { host, config } = parts;
  if (config.setting(key).source !== 'env' || !host.stderr.isTerminal) return;
  await (await import('./foreign-address.ts')).warnOfForeignAddress(parts, key);
}

async function checkProfile({ host }: SecretParts, wanted: WantedSecret, file: NamedFile): Promise<void> {
  const [{ checkOwnProfile }, { secretFault }] = await Promise.all([import('./own-profile.ts'), import('./fault.ts')]);
  await checkOwnProfile(host, (reason, details) => secretFault(wanted, reason, details), file);
}

/** What decides where the proof of an identity goes, and who could read it on the way. */
const identityKeys = [
  'brokers',
  'sasl.mechanism',
  'oauth.grant',
  'oauth.scope',
  'oauth.client_id',
  'oauth.assertion.key',
  'aws.profile',
  'aws.role_arn',
  'aws.region',
  'globals.proxy',
  'tls.enabled',
  'tls.insecure_skip_verify',
  'tls.ca',
  'tls.server_name',
] as const;

/** An identity of a cloud is there without anybody having configured it, so nobody else may say where it is used. */
async function checkIdentity({ host, config }: SecretParts): Promise<void> {
  const settings = identityKeys.map((key) => config.setting(key));
  const faultOf =
    ({ key, origin }: (typeof settings)[number]): Fault =>
    (reason, { exitCode, ...details }) =>
      new CliError(exitCode, `unable to use a cloud identity with ${key} (${origin}): ${reason}`, {
        code: 'IDENTITY_REFUSED',
        target: key,
        ...details,
      });
  const [ofBroker, ofProfile] = (['broker', 'profile'] as const).map((source) =>
    settings.find((one) => one.source === source),
  );
  if (ofBroker !== undefined) {
    throw faultOf(ofBroker)('the broker configuration file is not one of yours alone', {
      exitCode: exitCodes.usage,
      hints: [`set ${ofBroker.key} in a profile of your own, or with -X`],
    });
  }
  const file = config.profile?.file;
  if (ofProfile === undefined || file === undefined) return;
  await (await import('./own-profile.ts')).checkOwnProfile(host, faultOf(ofProfile), file);
}

async function look(parts: SecretParts, wanted: WantedSecret): Promise<string> {
  if (wanted.file !== undefined) await checkProfile(parts, wanted, wanted.file);
  if (wanted.from.way === 'file') return await (await import('./secret-file.ts')).readSecretFile(parts, wanted);
  if (!parts.mayRun) throw (await import('./fault.ts')).secretFault(wanted, 'programs are not run here');
  if (wanted.from.way === 'command') return await (await import('./command.ts')).runSecretCommand(parts, wanted);
  return await (await import('./keychain.ts')).readKeychain(parts, wanted);
}
