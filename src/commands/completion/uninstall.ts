import { rm } from 'node:fs/promises';
import { command, optional } from '../../cli/command.ts';
import { CliError, exitCodes } from '../../errors.ts';
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
    const found = await foundAt(place.path, '');
    if (found === 'none') {
      throw new CliError(exitCodes.notFound, `there is no completion script at ${place.path}`, { target: place.path });
    }
    if (found === 'foreign') {
      throw new CliError(exitCodes.conflict, `unable to remove ${place.path}: weir has not written it`, {
        code: 'FOREIGN_FILE',
        target: place.path,
      });
    }
    return place;
  },
  confirm: (_context, _values, { path }) => ({ question: `Remove ${path}`, name: path }),
  dryRun: (_context, _values, { shell, path }) => ({ shell, path, removed: false, dry_run: true }),
  async run(_context, _values, { shell, path }) {
    await rm(path);
    return { shell, path, removed: true, dry_run: false };
  },
  show: { text: ({ path, removed }) => `${path}: ${removed ? 'removed' : 'would be removed'}\n` },
});
