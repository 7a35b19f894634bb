import type { CliError } from '../errors.ts';
import { codeOf, noSuchFile } from '../files/fault.ts';
import type { NamedFile } from '../files/locations.ts';
import { commandText } from '../format/shell-word.ts';
import type { Host } from '../host/host.ts';
import type { Address } from '../net/address.ts';
import type { Config, SelectedProfile } from './config.ts';
import { collectErrors, configError, joinErrors, type Reading } from './layer.ts';
import { envName, settingKeys } from './options.ts';
import { faultsOf, faultyProfiles, type ProfileReading, readProfiles, type StoredProfile } from './profile/file.ts';
import { noSuchProfile, originInFile } from './profile/no-profile.ts';
import { findContradictions, remarkFallbacks, remarkMixedSources, settingOf } from './settings/checks.ts';
import { type addressKeys, mergeLayers, type Settings } from './settings/merge.ts';
import { maskedText } from './settings/provenance.ts';
import { type BrokerReading, readBrokerFile } from './sources/broker-file.ts';
import { readEnvironment, warnOfUnknownVariables } from './sources/environment.ts';
import { readFlags } from './sources/flags.ts';
import { type ConfigArguments, type ProfileSelection, selectProfile } from './sources/selection.ts';

/**
 * Resolves the configuration option by option: a flag overrides the environment, then the profile, the broker file
 * and the default. Files are read once, and the YAML package is loaded only if it is needed.
 * @throws CliError (exit 2) with all errors
 */
export async function resolveConfig(host: Host, args: ConfigArguments): Promise<Config> {
  const errors: CliError[] = [];
  const warnings: string[] = [];
  const flags = await readFlags(args.x, args.deprecated);
  const environment = readEnvironment(host.env);
  const selection = await collectErrors(errors, () => selectProfile(host, args));
  const profile = selection && (await collectErrors(errors, () => readSelected(selection, warnings)));
  const broker = selection && (await collectErrors(errors, () => readBroker(selection.brokerConfigFile)));
  const readings = [...flags, environment, profile?.options, broker?.reading].filter(isPresent);
  errors.unshift(
    ...[...flags, environment].flatMap((reading) => reading.errors),
    ...(profile?.faults ?? []),
    ...(broker?.reading?.errors ?? []),
  );
  const settings = mergeLayers(readings);
  errors.push(...findContradictions(settings, readings));
  if (errors.length > 0) throw joinErrors(errors);
  const unknown = await warnOfUnknownVariables(host.env);
  return makeConfig(settings, {
    profile: profile?.selected && { ...profile.selected, isAlone: args.profileOrigin !== undefined },
    unselected: profile?.unselected ?? [],
    warnings: [...unknown, ...warnings, ...(broker?.reading?.warnings ?? [])],
    remarks: [...remarkFallbacks(settings), ...remarkMixedSources(settings), ...(broker?.remarks ?? [])],
  });
}

function makeConfig(settings: Settings, rest: Pick<Config, 'profile' | 'unselected' | 'warnings' | 'remarks'>): Config {
  return {
    ...rest,
    settings: settingKeys.map((key) => settingOf(settings, key)),
    get: (key) => settingOf(settings, key).value,
    setting: (key) => settingOf(settings, key),
  };
}

interface SelectedReading {
  readonly options: Reading | undefined;
  readonly selected: SelectedProfile | undefined;
  readonly unselected: readonly string[];
  readonly faults: readonly CliError[];
}

async function readSelected(selection: ProfileSelection, warnings: string[]): Promise<SelectedReading> {
  const file = await readNamed(selection.configFile, readProfiles);
  const faults = file === undefined ? [] : faultsOf(file);
  if (file !== undefined && hasOpenSecrets(file)) {
    warnings.push(`${file.path} contains secrets and other users can read it: run chmod 600 ${file.path}`);
  }
  // In a file with errors, the profile may be missing because of them.
  const profile = faults.length > 0 ? undefined : await findSelected(selection, file);
  if (file !== undefined) warnings.push(...faultyProfiles(file, profile?.name));
  const selected = profile &&
    selection.configFile && {
      name: profile.name,
      description: profile.description,
      protected: profile.protected,
      file: selection.configFile,
    };
  const unselected = profile === undefined && file !== undefined ? file.profiles.map(({ name }) => name) : [];
  return { options: profile?.options, selected, unselected, faults: [...faults, ...(profile?.faults ?? [])] };
}

/** Reads a file; a file named by a flag or a variable must exist. */
async function readNamed<T>(
  file: NamedFile | undefined,
  read: (path: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const content = file && (await read(file.path));
  if (content === undefined && file?.origin !== undefined)
    throw configError(`unable to read ${file.path} (${file.origin}): ${noSuchFile}`, {
      target: file.origin,
      // Other tools set configs of topics with --config.
      hints: /[/\\][\w.-]+=[^/\\]*$/.test(file.path)
        ? ['set configs of topics with: topic create -c KEY=VALUE, topic alter-config --set KEY=VALUE']
        : [],
    });
  return content;
}

/**
 * Finds the profile named by the selection or by the file's `current_profile`; undefined if neither names one.
 * @throws CliError if the profile does not exist, naming the flag, variable or line that selects it
 */
async function findSelected(
  selection: Pick<ProfileSelection, 'profile'>,
  file: ProfileReading | undefined,
): Promise<StoredProfile | undefined> {
  const { profile } = selection;
  const name = profile?.name ?? file?.current?.name;
  if (name === undefined) return undefined;
  const found = file?.profiles.find((stored) => stored.name === name);
  if (found !== undefined) return found;
  throw await noSuchProfile({ name, origin: profile?.origin ?? originInFile(file) }, file);
}

function hasOpenSecrets(file: ProfileReading): boolean {
  const isSecret = ({ options }: StoredProfile) =>
    [...options.entries].some(([key, { value }]) => maskedText(key, value) !== undefined);
  return file.readableByOthers && file.profiles.some(isSecret);
}

interface FoundBroker {
  readonly reading: BrokerReading | undefined;
  readonly remarks: readonly string[];
}

/** Reads the broker file. Ordinary users often cannot read the default one; that is a remark and not an error. */
async function readBroker(file: NamedFile): Promise<FoundBroker> {
  try {
    return { reading: await readNamed(file, readBrokerFile), remarks: [] };
  } catch (error) {
    const denied = error instanceof Error && ['EACCES', 'EPERM'].includes(codeOf(error.cause) ?? '');
    if (file.origin === undefined && denied)
      return { reading: undefined, remarks: [`ignored ${file.path}: permission denied`] };
    throw error;
  }
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/**
 * Returns the addresses of one API.
 * @throws CliError (exit 2) if there are none because `globals.no_default_cluster` removes the default
 */
export function requireAddresses(config: Config, key: (typeof addressKeys)[number]): readonly Address[] {
  const addresses = config.get(key);
  if (addresses.length > 0) return addresses;
  const rule = config.setting('globals.no_default_cluster');
  throw configError(`no ${key} set, and ${rule.key} (${rule.origin}) disables the default`, {
    target: key,
    hints: [
      `set them with -X ${key}=HOST:PORT or ${envName(key)}`,
      commandText`or store them in a profile: weir profile create NAME --set ${key}=HOST:PORT`,
    ],
  });
}
