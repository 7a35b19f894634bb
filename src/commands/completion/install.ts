import { type Entry, optional } from '../../cli/command.ts';
import { completionScript } from '../../cli/completion/completion.ts';
import { change } from '../../cli/forms/change.ts';
import { notNeededIf, type Outcome } from '../../cli/forms/outcome.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { followLinks, makeDirectory, replaceFile } from '../../files/replace.ts';
import { commandText } from '../../format/shell-word.ts';
import { described, maybe, type RowOf, row, string, truth, word } from '../../shape/shape.ts';
import { scriptLocationFor, shellName } from './script-location.ts';
import { type ScriptState, scriptStateAt } from './script-state.ts';

const InstalledScript = row({
  shell: word('bash', 'zsh', 'fish', 'powershell'),
  path: string,
  replaced: described(truth, 'whether another file was there'),
  startup: described(
    maybe(row({ file: string, line: string, before: maybe(string) })),
    'the line to add, unless the shell finds the script',
  ),
  now: described(maybe(string), 'what makes a running shell read the script, unless it does so by itself'),
});
type InstalledScript = RowOf<typeof InstalledScript>;

/** `completion install` */
export const install = (commands: readonly Entry[]) =>
  change({
    summary: 'Install the completion script where the shell looks for it',
    description: `Without a name, the shell that started weir, otherwise the one in $SHELL. Shows the file and asks before it is
written. No start-up file of the shell is changed: if one needs a line, it is printed.

    bash        completions/weir in $BASH_COMPLETION_USER_DIR
                or in $XDG_DATA_HOME/bash-completion
    zsh         ~/.zfunc/_weir
    fish        $XDG_CONFIG_HOME/fish/completions/weir.fish
    powershell  weir.ps1 beside the profile (on Windows in %APPDATA%\\weir)

A file that weir has not written is replaced only after a question.`,
    examples: [
      ['For the shell in use', 'completion install'],
      ['For zsh, without a question', 'completion install zsh --yes'],
      ['Where it would go', 'completion install fish --dry-run'],
    ],
    args: { shell: optional(shellName, 'SHELL', 'the shell') },
    changes: 'destroys',
    noun: 'file',
    isOne: true,
    item: InstalledScript,
    async plan(context, { shell }) {
      const location = scriptLocationFor(context.host, shell);
      const { path, startup = null, now = null } = location;
      const script = await completionScript(location.shell, commands);
      const state = await scriptStateAt(path, script);
      if (state === 'foreign' && context.flags.yes) throw foreignFile(path);
      const status = notNeededIf(state === 'same');
      return [{ shell: location.shell, path, replaced: isOther(state), startup, now, script, state, status }];
    },
    asks: ([file]) => (file === undefined ? null : { question: question(file.path, file.state), name: file.path }),
    async applyEach(_context, file) {
      await write(file);
      return {};
    },
    text: (rows) => rows.map(installedText).join(''),
  });

function installedText({ path, status, replaced, startup, now, dry_run: isDryRun }: InstalledScript & Outcome): string {
  const done = replaced ? 'replaced' : 'created';
  const lines = [`${path}: ${status === 'NOT_NEEDED' ? 'unchanged' : `${isDryRun ? 'would be ' : ''}${done}`}`];
  if (startup !== null) {
    const { file, line, before } = startup;
    lines.push(`add this line to ${file}${before === null ? '' : `, before ${before}`}:`, `  ${line}`);
  }
  if (now !== null) lines.push('in a shell that is running, type:', `  ${now}`);
  return `${lines.join('\n')}\n`;
}

function isOther(state: ScriptState): boolean {
  return state === 'own' || state === 'foreign';
}

function question(path: string, state: ScriptState): string {
  if (state === 'foreign') return `Replace ${path}, which weir has not written`;
  return `${state === 'none' ? 'Create' : 'Replace'} ${path}`;
}

/** A script, and where it goes. */
interface ScriptFile {
  readonly path: string;
  readonly script: string;
  readonly state: ScriptState;
}

/** Writes the whole script or nothing, unless the file has changed since it was shown. */
async function write({ path, script, state }: ScriptFile): Promise<void> {
  await makeDirectory(path);
  const target = await followLinks(path);
  const isAsShown = async () => {
    const now = await scriptStateAt(path, script);
    // The same: somebody else has just installed it.
    return now === state || now === 'same';
  };
  if (await replaceFile(target, script, isAsShown, 0o644)) return;
  throw new CliError(exitCodes.conflict, `unable to write ${path}: it has changed in the meantime`, {
    code: 'FILE_CHANGED',
    target: path,
  });
}

function foreignFile(path: string): CliError {
  return new CliError(exitCodes.conflict, `unable to replace ${path}: weir has not written it`, {
    code: 'FOREIGN_FILE',
    target: path,
    hints: [commandText`look at it with: cat ${path}`, 'remove it, or answer the question without --yes'],
  });
}
