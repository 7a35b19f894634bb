import { command, flag, toggle } from '../../cli/command.ts';
import { wantsColor } from '../../cli/output/color.ts';
import { renderPrompt } from '../../config/profile/prompt-format.ts';
import { resolveConfig } from '../../config/resolve.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { oneOf } from '../../kinds.ts';
import { maybe, type RowOf, row, string } from '../../shape/shape.ts';

const shownPrompt = row({ profile: maybe(string), prompt: string });

const shells = oneOf('shell', ['bash', 'zsh', 'fish']);

/** `profile prompt` */
export const prompt = command({
  summary: 'Print the profile in use for a shell prompt',
  description: `The option globals.prompt sets the format: words for colors (red, hi-red, bg-red, bg-hi-red and so on) and
for bold, faint, underline or invert, and one text in double quotes, where %n is the name of the profile. Groups in
parentheses have their own colors. Without a profile in use, or with an invalid format, nothing is printed, so that a
shell prompt never breaks; --validate reports what is wrong.`,
  examples: [
    ['In bash', `profile prompt --shell bash`],
    ['Try a format', `profile prompt --validate -X 'globals.prompt=hi-white, bg-blue, "[%n]"'`],
  ],
  flags: {
    validate: toggle({ help: 'report what is wrong with the format' }),
    shell: flag(shells, { help: 'mark escape sequences as zero-width for this shell' }),
  },
  changes: 'reads',
  result: shownPrompt,
  async run(context, { validate, shell }) {
    try {
      return await makePrompt(context, shell);
    } catch (error) {
      if (validate || !(error instanceof CliError)) throw error;
      return { profile: null, prompt: '' };
    }
  },
  show: {
    text: ({ prompt: text }) => text,
    literal: true,
  },
});

async function makePrompt(
  context: Context,
  shell: 'bash' | 'zsh' | 'fish' | undefined,
): Promise<RowOf<typeof shownPrompt>> {
  // Not context.config(): its warnings would appear before every command line.
  const config = await resolveConfig(context.host, context.given);
  const format = config.get('globals.prompt');
  const name = config.profile?.name;
  const text = renderPrompt(format, name ?? '', { color: isColored(context), shell });
  return { profile: name ?? null, prompt: name === undefined ? '' : text };
}

/** Whether the prompt is colored. Standard output and CI do not matter: a shell captures the text and shows it. */
function isColored({ flags, host: { env } }: Context): boolean {
  return wantsColor(flags.color, { ...env, CI: undefined }, { isTerminal: true });
}
