import { rm } from 'node:fs/promises';
import { optional } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { row, string, word } from '../../shape/shape.ts';
import { scriptLocationFor, shellName } from './script-location.ts';
import { scriptStateAt } from './script-state.ts';

/** `completion uninstall` */
export const uninstall = change({
  summary: 'Remove the completion script that install has written',
  description: 'Lines of start-up files that read the script are left to you. A file that weir has not written stays.',
  examples: [
    ['That of the shell in use', 'completion uninstall'],
    ['That of zsh, without a question', 'completion uninstall zsh --yes'],
  ],
  args: { shell: optional(shellName, 'SHELL', 'the shell') },
  changes: 'destroys',
  namesAll: ({ shell }) => shell !== undefined,
  noun: 'file',
  isOne: true,
  item: row({ shell: word('bash', 'zsh', 'fish', 'powershell'), path: string }),
  async plan({ host }, { shell }) {
    const location = scriptLocationFor(host, shell);
    await checkOwn(location.path);
    return [location];
  },
  asks: ([file]) => (file === undefined ? null : { question: `Remove ${file.path}`, name: file.path }),
  async applyEach(_context, { path }) {
    // The file may have changed while the question was open.
    await checkOwn(path);
    await rm(path).catch((error: unknown) => {
      throw new CliError(exitCodes.failure, `unable to remove ${path}: ${faultOf(error)}`, { target: path });
    });
    return {};
  },
  text: (rows) =>
    rows.map(({ path, dry_run: isDryRun }) => `${path}: ${isDryRun ? 'would be removed' : 'removed'}\n`).join(''),
});

/** @throws CliError unless there is a script that weir has written */
async function checkOwn(path: string): Promise<void> {
  const state = await scriptStateAt(path, '');
  if (state === 'none') {
    throw new CliError(exitCodes.notFound, `there is no completion script at ${path}`, { target: path });
  }
  if (state === 'foreign') {
    throw new CliError(exitCodes.conflict, `unable to remove ${path}: weir has not written it`, {
      code: 'FOREIGN_FILE',
      target: path,
    });
  }
}
