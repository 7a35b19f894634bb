import { checkPlace, checkUnchanged } from '../files/trust.ts';
import type { Host } from '../host/host.ts';
import type { Config } from './config.ts';
import { configError } from './layer.ts';
import { type OptionKey, secretPartOf } from './options.ts';

/** Whether an option names a program that weir starts. */
export function namesProgram(key: OptionKey): boolean {
  return secretPartOf(key)?.way === 'command';
}

/**
 * Ensures that a program may be started that an option names: one of a flag, of a variable, or of a profile file that nobody
 * else can write.
 * @param program what the option is about, for example `pass.command`
 * @throws CliError (exit 2) for one of a broker configuration file, (exit 6) for a profile file that others can write
 */
export async function checkProgram(
  host: Host,
  { setting, profile }: Pick<Config, 'setting' | 'profile'>,
  key: OptionKey,
  program: string = key,
): Promise<void> {
  const { source, origin } = setting(key);
  if (source === 'broker') {
    throw configError(`unable to start ${program}: a broker configuration file chooses it, with ${key} (${origin})`, {
      target: key,
      hints: [`set ${key} in a profile, or with -X ${key}=VALUE`],
    });
  }
  const { uid } = host.runtime;
  if (source !== 'profile' || profile === undefined || uid === undefined) return;
  const { path } = profile.file;
  const files = {
    uid,
    what: `the profile file, which chooses ${program}`,
    code: 'PROFILE',
    again: 'create it anew',
    elsewhere: 'keep the file in a directory of your own',
  };
  await checkUnchanged(path, files);
  await checkPlace(path, files);
}
