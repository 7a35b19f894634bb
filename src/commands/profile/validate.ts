import { optional } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { checkProfileFile } from '../../config/profile/check.ts';
import { readProfileFile } from '../../config/profile/file.ts';
import { noSuchProfile } from '../../config/profile/no-profile.ts';
import { CliError, CliErrors, exitCodes } from '../../errors.ts';
import { healthCell } from '../../format/style.ts';
import { maybe, row, string, word } from '../../shape/shape.ts';
import { profilePath } from './profile-file.ts';
import { profileName } from './profile-name.ts';

/** `profile validate` */
export const validate = listCommand({
  summary: 'Check the profile file and the profiles in it',
  description: `Checks the file, every option, whether mTLS and SASL are complete, and the prompt. Certificates and keys
are loaded as the clients load them. No connection is made. The exit code is 10 if a check fails.`,
  examples: [
    ['Everything', 'profile validate'],
    ['One profile', 'profile validate prod'],
  ],
  args: { name: optional(profileName, 'NAME', 'profile to check (default: all)') },
  row: row({ profile: maybe(string), check: string, status: word('ok', 'warning', 'failed'), message: string }),
  async read(context, { name }) {
    const path = profilePath(context);
    try {
      const file = await readProfileFile(path);
      if (name !== undefined && !file?.profiles.some((profile) => profile.name === name))
        throw await noSuchProfile({ name }, file);
      const { readTls } = await import('../../net/tls.ts');
      return await checkProfileFile(
        { host: context.host, loadTls: (tls) => readTls(tls, context.signal) },
        { path, file, only: name },
      );
    } catch (error) {
      if (!(error instanceof CliError) || error.code === 'NO_PROFILE') throw error;
      const errors = error instanceof CliErrors ? error.errors : [error];
      return errors.map(({ message }) => ({ profile: null, check: 'file', status: 'failed' as const, message }));
    }
  },
  columns: [
    'profile',
    'check',
    ['status', ({ status }) => healthCell(status, health[status])],
    ['message', ({ message }) => message || '-'],
  ],
  exitCode: (rows) => (rows.some(({ status }) => status === 'failed') ? exitCodes.checkFailed : exitCodes.ok),
});

const health = { ok: 'good', warning: 'pending', failed: 'bad' } as const;
