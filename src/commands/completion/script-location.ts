import { existsSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { completionFiles, type Shell } from '../../cli/completion/completion.ts';
import { usageError } from '../../errors.ts';
import { configDirectory, variable } from '../../files/locations.ts';
import { readOwnFile } from '../../files/read.ts';
import { shellWord } from '../../format/shell-word.ts';
import type { Host } from '../../host/host.ts';
import { oneOf } from '../../kinds.ts';

const shells = Object.keys(completionFiles) as Shell[];

/** The name of a shell that has a completion script. */
export const shellName = oneOf('shell', shells);

/** A line that a start-up file needs, so that a shell finds the script. */
export interface StartupLine {
  readonly file: string;
  readonly line: string;
  /** What the line must come before; null for any place. */
  readonly before: string | null;
}

/** Where the script of a shell goes, and what makes the shell read it. */
export interface ScriptLocation {
  readonly shell: Shell;
  readonly path: string;
  /** Undefined if the shell finds the script by itself. */
  readonly startup: StartupLine | undefined;
  /** What to type in a shell that is running; undefined if it finds the script by itself. */
  readonly now: string | undefined;
}

/** Determines where the completion script of the named shell goes, or that of the shell in use. */
export function scriptLocationFor(host: Host, named: Shell | undefined): ScriptLocation {
  const shell = named ?? shellInUse(host);
  const { home } = host;
  if (home === undefined) {
    throw usageError('unable to find a place for the completion script: there is no home directory', {
      hints: [`write it to a file of your own with: weir completion ${shell} > FILE`],
    });
  }
  return { shell, ...places[shell](host, home) };
}

type At = (host: Host, home: string) => Omit<ScriptLocation, 'shell'>;

const places: Readonly<Record<Shell, At>> = {
  bash(host, home) {
    const [user] = (variable(host, 'BASH_COMPLETION_USER_DIR') ?? '').split(':', 1);
    const base = user || join(xdg(host, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'bash-completion');
    const path = join(base, 'completions', 'weir');
    const line = `. ${shellWord(path)}`;
    const startup = { file: join(home, '.bashrc'), line, before: null };
    return { path, startup: loadsCompletions(home) ? undefined : missing(startup, path), now: line };
  },
  zsh(host, home) {
    const path = join(home, '.zfunc', '_weir');
    const file = join(variable(host, 'ZDOTDIR') ?? home, '.zshrc');
    const add = 'fpath=(~/.zfunc $fpath)';
    const start = 'autoload -Uz compinit && compinit';
    // Without compinit there is no completion; where it is called, only what comes before it counts.
    const startup = textOf(file).includes('compinit')
      ? { file, line: add, before: 'compinit' }
      : { file, line: `${add}; ${start}`, before: null };
    return { path, startup: missing(startup, '.zfunc'), now: `${add}; ${start}` };
  },
  fish(host, home) {
    const base = xdg(host, 'XDG_CONFIG_HOME') ?? join(home, '.config');
    return { path: join(base, 'fish', 'completions', 'weir.fish'), startup: undefined, now: undefined };
  },
  powershell(host, home) {
    const isWindows = host.platform === 'win32';
    const unix = join(xdg(host, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'powershell');
    const path = join((isWindows ? configDirectory(host) : undefined) ?? unix, 'weir.ps1');
    const line = `. '${path.replaceAll("'", "''")}'`;
    // On Windows, the folder of the profile may be anywhere.
    const file = isWindows ? '$PROFILE' : join(unix, 'Microsoft.PowerShell_profile.ps1');
    return { path, startup: missing({ file, line, before: null }, path), now: line };
  },
};

/** An absolute directory of XDG; a relative one is ignored, as XDG specifies. */
function xdg(host: Host, name: string): string | undefined {
  const value = variable(host, name);
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** The line, unless its file already has `mark`. */
function missing(startup: StartupLine, mark: string): StartupLine | undefined {
  return textOf(startup.file).includes(mark) ? undefined : startup;
}

function textOf(path: string): string {
  try {
    return readOwnFile(path, 4 << 20);
  } catch {
    return ''; // missing, or not for us
  }
}

const bashCompletions = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/usr/local/etc/profile.d/bash_completion.sh',
];

/**
 * Whether bash loads the package bash-completion, which reads the scripts of programs on their first Tab: it is installed,
 * and a start-up file has a line for it.
 */
function loadsCompletions(home: string): boolean {
  if (!bashCompletions.some((path) => existsSync(path))) return false;
  return [join(home, '.bashrc'), '/etc/bash.bashrc', '/etc/bashrc'].some((file) =>
    /^[^#\n]*(?:bash[_-]completion|profile\.d)/m.test(textOf(file)),
  );
}

/** The shell that started weir, otherwise the login shell. */
function shellInUse({ env, platform }: Host): Shell {
  const windows = platform === 'win32' ? 'powershell' : undefined;
  const shell = shellCalled(parentName()) ?? shellCalled(env.SHELL) ?? windows;
  if (shell !== undefined) return shell;
  throw usageError('unable to tell which shell is in use', {
    hints: [`name it: weir completion install ${shells.join('|')}`],
  });
}

function shellCalled(program = ''): Shell | undefined {
  const name = basename(program.trim()).replace(/^-/, '');
  return name === 'pwsh' ? 'powershell' : shells.find((shell) => shell === name);
}

/** The name of the process that started this one; undefined where the system has no such files. */
function parentName(): string | undefined {
  try {
    const [, parent] = /\) \w (\d+) /.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    return readFileSync(`/proc/${parent}/comm`, 'utf8');
  } catch {
    return undefined;
  }
}
