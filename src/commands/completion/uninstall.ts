import { rm } from 'node:fs/promises';
import { command, optional } from '../../cli/command.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { row, string, truth, word } from '../../shape/shape.ts';
import { foundAt } from './found.ts';
import { placeFor, shellName } from './place.ts';

/** `completion uninstall` */
export const uninstall = command({
  summary: 'Remove the completion script that install has written',
  description: 'Lines of start-up files that read the script are left to you. A file that weir has not written stays.',
  examples: [
    ['That of the shell in use', 'completion uninstall'],
    ['That of zsh, without a question', 'completion uninstall zsh --yes'],
  ],
  args: { shell: optional(shellName, 'SHELL', 'the shell') },
  changes: 'destroys',
  namesAll: ({ shell }) => shell !== undefined,
  result: row({ shell: word('bash', 'zsh', 'fish', 'powershell'), path: string, removed: truth, dry_run: truth }),
  async plan({ host }, { shell }) {
    const place = placeFor(host, shell);
    await checkOwn(place.path);
    return place;
  },
  confirm: (_context, _values, { path }) => ({ question: `Remove ${path}`, name: path }),
  dryRun: (_context, _values, { shell, path }) => ({ shell, path, removed: false, dry_run: true }),
  async run(_context, _values, { shell, path }) {
    // The file may have changed while the question was open.
    await checkOwn(path);
    await rm(path).catch((error: unknown) => {
      throw new CliError(exitCodes.failure, `unable to remove ${path}: ${faultOf(error)}`, { target: path });
    });
    return { shell, path, removed: true, dry_run: false };
  },
  show: { text: ({ path, removed }) => `${path}: ${removed ? 'removed' : 'would be removed'}\n` },
});

/** @throws CliError unless there is a script that weir has written */
async function checkOwn(path: string): Promise<void> {
  const found = await foundAt(path, '');
  if (found === 'none') {
    throw new CliError(exitCodes.notFound, `there is no completion script at ${path}`, { target: path });
  }
  if (found === 'foreign') {
    throw new CliError(exitCodes.conflict, `unable to remove ${path}: weir has not written it`, {
      code: 'FOREIGN_FILE',
      target: path,
    });
  }
}
