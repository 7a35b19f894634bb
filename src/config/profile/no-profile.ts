import { CliError, exitCodes } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { nearest } from '../nearest.ts';
import type { ProfileReading } from './file.ts';

/** A profile as it was named. */
interface NamedProfile {
  readonly name: string;
  /** `--profile`, `WEIR_PROFILE`, `prod:` for the topic `prod:orders`, or the place of `current_profile`; undefined: an argument. */
  readonly origin?: string | undefined;
}

/**
 * The error for a profile that does not exist: the configuration is wrong (exit 2), or what an argument names is missing
 * (exit 3).
 */
export async function noSuchProfile(named: NamedProfile, file: ProfileReading | undefined): Promise<CliError> {
  const { name, origin } = named;
  const names = file?.profiles.map((profile) => profile.name) ?? [];
  const meant = await nearest(name, names);
  const none = names.length === 0;
  const exitCode = origin === undefined ? exitCodes.notFound : exitCodes.usage;
  return new CliError(exitCode, `${placeOf(named)}: no such profile${none ? ' (you have none yet)' : ''}`, {
    code: 'NO_PROFILE',
    target: name,
    hints: [
      ...(meant === undefined ? [] : [`did you mean "${meant}"?`]),
      ...(none ? [] : ['see the profiles with: weir profile list']),
      ...(none || origin !== undefined ? [commandText`create it with: weir profile create ${name}`] : []),
    ],
  });
}

/** Where a file names its current profile. */
export function originInFile(file: ProfileReading | undefined): string {
  return `${file?.path}:${file?.current?.line}, current_profile`;
}

/** `--profile prod`, `WEIR_PROFILE=prod`, `weir.yaml:1, current_profile prod`, or the name itself. */
function placeOf({ name, origin }: NamedProfile): string {
  const shown = excerpt(name);
  if (origin === undefined || origin === `${name}:`) return shown;
  return `${origin}${origin.startsWith('WEIR_') ? '=' : ' '}${shown}`;
}
