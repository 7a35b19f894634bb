import { join } from 'node:path';
import { usageError } from '../../errors.ts';
import { absolutePath, configDirectory, type NamedFile, variable } from '../../files/locations.ts';
import type { Host } from '../../host/host.ts';
import type { DeprecatedUse } from './flags.ts';

/** The configuration part of the command line, unparsed. */
export interface ConfigArguments {
  /** The words after each `-X`, in order. */
  readonly x: readonly string[];
  /** The deprecated flags, in order. */
  readonly deprecated: readonly DeprecatedUse[];
  /** `--profile` */
  readonly profile?: string | undefined;
  /** What has named the profile, if not `--profile`. */
  readonly profileOrigin?: string;
  /** `--config` */
  readonly configFile?: string | undefined;
  /** `--broker-config` */
  readonly brokerConfigFile?: string | undefined;
}

/** A profile named for this command only. */
export interface NamedProfile {
  readonly name: string;
  /** `--profile`, `WEIR_PROFILE`, or an argument. */
  readonly origin: string;
}

/** The files and the profile that a command uses, before anything is read. */
export interface ProfileSelection {
  /** The profile file; undefined if there is no home directory and no file is named. */
  readonly configFile: NamedFile | undefined;
  /** The broker configuration file. */
  readonly brokerConfigFile: NamedFile;
  /** The profile named by a flag or a variable; undefined means the file's `current_profile`. */
  readonly profile: NamedProfile | undefined;
}

/** The broker configuration file of this machine, which is its administrator's. */
export const systemBrokerFile = '/etc/redpanda/redpanda.yaml';

/**
 * Determines which files and which profile the command line and the environment name.
 * @throws CliError for a flag with an empty value
 */
export function selectProfile(host: Host, args: ConfigArguments): ProfileSelection {
  const directory = configDirectory(host);
  const configFile = fileFrom(host, ['--config', args.configFile], 'WEIR_CONFIG');
  const brokerConfigFile = fileFrom(host, ['--broker-config', args.brokerConfigFile], 'WEIR_BROKER_CONFIG');
  return {
    configFile:
      configFile ?? (directory === undefined ? undefined : { path: join(directory, 'weir.yaml'), origin: undefined }),
    brokerConfigFile: brokerConfigFile ?? { path: systemBrokerFile, origin: undefined },
    profile: nameFrom(host, [args.profileOrigin ?? '--profile', args.profile], 'WEIR_PROFILE'),
  };
}

function fileFrom(host: Host, flag: readonly [string, string | undefined], name: string): NamedFile | undefined {
  const file = nameFrom(host, flag, name);
  return file && { path: absolutePath(host, file.name), origin: file.origin };
}

function nameFrom(
  host: Host,
  [flag, value]: readonly [string, string | undefined],
  name: string,
): NamedProfile | undefined {
  if (value === '') throw usageError(`${flag} is empty`, { code: 'CONFIG_INVALID', target: flag });
  if (value !== undefined) return { name: value, origin: flag };
  const fromEnvironment = variable(host, name);
  return fromEnvironment === undefined ? undefined : { name: fromEnvironment, origin: name };
}
