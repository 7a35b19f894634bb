import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';

/** A shell that tests can start in a terminal. */
export type InteractiveShell = 'bash' | 'zsh' | 'fish';

/** The start-up file of each shell: a prompt to wait for, and Ctrl-T, which writes the typed line to a file. */
const startFiles: Readonly<Record<InteractiveShell, (setup: string, buffer: string) => readonly [string, string]>> = {
  bash: (setup, buffer) => [
    'bashrc',
    `${setup}
PS1='RE''ADY> '
bind 'set bell-style none'
bind 'set bracketed-paste off'
bind -x '"\\C-t": printf "%s\\n" "$READLINE_LINE" >> ${buffer}'
`,
  ],
  zsh: (setup, buffer) => [
    '.zshrc',
    `autoload -U compinit; compinit -u -D
${setup}
PS1='RE''ADY> '
show() { print -r -- $BUFFER >> ${buffer} }; zle -N show; bindkey -e; bindkey '^T' show
unsetopt beep
`,
  ],
  fish: (setup, buffer) => [
    '.config/fish/config.fish',
    `${setup}
function fish_prompt; echo -n 'REA''DY> '; end
function fish_greeting; end
function fish_user_key_bindings; bind \\ct 'commandline >> ${buffer}'; end
`,
  ],
};

const programs: Readonly<Record<InteractiveShell, (file: string) => readonly string[]>> = {
  bash: (file) => ['bash', '--noprofile', '--rcfile', file, '-i'],
  zsh: () => ['zsh', '-i'],
  fish: () => ['fish', '--private', '-i'],
};

/** The file that reads the completion of weir, as a line of each shell. */
const scripts: Readonly<Record<InteractiveShell, string>> = { bash: 'weir.bash', zsh: '_weir', fish: 'weir.fish' };

/** How keys are written in a `$'…'` of zsh, which sends them. */
function sent(keys: string): string {
  const escaped = keys.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `$'${escaped.replaceAll('<Tab>', '\\t').replaceAll('<Left>', '\\x02')}'`;
}

/**
 * Types keys (`<Tab>` and `<Left>` are one key) at the prompts of one shell in a terminal, and returns the line that the
 * shell has after each, with the whole screen. Nothing typed is run. The shell is in the directory `HOME`.
 * @param before lines of the shell before the completion of weir is read, for example aliases
 */
export async function typeIn(
  shell: InteractiveShell,
  lines: readonly string[],
  { env, before = '' }: { readonly env: Readonly<Record<string, string>>; readonly before?: string },
): Promise<{ readonly buffers: readonly string[]; readonly screen: string }> {
  const home = env.HOME ?? '';
  const buffer = join(home, `${shell}.buffer`);
  writeFileSync(buffer, '');
  const [name, text] = startFiles[shell](`${before}\nsource ${resolve('completions', scripts[shell])}`, buffer);
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  // Otherwise fish spends seconds of processor time on completions from all man pages, in the background.
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
  // The terminal of zsh's own module: it sends keys and waits for a text on the screen.
  const steps = lines.map(
    (line) => `zpty -w -n inner ${sent(line)}
zpty -w -n inner $'\\x14\\x05\\x15'
zpty -w -n inner ${sent('echo DO""NE')}$'\\r'
zpty -r -m inner out '*DONE*READY> *'; all+=$out`,
  );
  const script = `zmodload zsh/zpty
typeset out all
zpty -b inner ${programs[shell](file)
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ')}
zpty -r -m inner out '*READY> *'
${steps.join('\n')}
zpty -d inner
print -r -- $all`;
  const { stdout } = await execa('zsh', ['-f', '-c', script], {
    env: { ...env, ZDOTDIR: home, TERM: 'dumb', LC_ALL: 'C.UTF-8' },
    cwd: home,
    timeout: 120_000,
  });
  const buffers = existsSync(buffer) ? readFileSync(buffer, 'utf8').split('\n').slice(0, -1) : [];
  return { buffers, screen: stdout };
}
