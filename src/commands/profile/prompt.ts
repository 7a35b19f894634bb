import { command, flag, toggle } from '../../cli/command.ts';
import { nullable, object, string } from '../../cli/output/schema.ts';
import { renderPrompt } from '../../config/profile/prompt-format.ts';
import { resolveConfig } from '../../config/resolve/resolve.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { oneOf } from '../../kinds.ts';

interface Prompt {
  readonly profile: string | null;
  readonly prompt: string;
}

const shells = oneOf('shell', ['bash', 'zsh', 'fish']);

/** `profile prompt` */
export const prompt = command({
  summary: "Print the profile's prompt, for a shell prompt",
  description: `The format is the option globals.prompt: words for colours (red, hi-red, bg-red, bg-hi-red and so on) and
bold, faint, underline or invert, and one text in double quotes where %n is the name of the profile. Groups in
parentheses have colours of their own. Without a profile in use, and for a format that is wrong, nothing is printed,
so that a shell prompt never breaks; --validate tells what is wrong.`,
  examples: [
    ['In bash', `profile prompt --shell bash`],
    ['Try a format', `profile prompt --validate -X 'globals.prompt=hi-white, bg-blue, "[%n]"'`],
  ],
  flags: {
    validate: toggle({ help: 'say what is wrong with the format' }),
    shell: flag(shells, { help: "put that shell's markers around what takes no room on the line" }),
  },
  changes: 'reads',
  async run(context, { validate, shell }): Promise<Prompt> {
    try {
      return await makePrompt(context, shell);
    } catch (error) {
      if (validate || !(error instanceof CliError)) throw error;
      return { profile: null, prompt: '' };
    }
  },
  output: {
    schema: object({ profile: nullable(string), prompt: string }),
    text: (row) => row.prompt,
    literal: true,
  },
});

async function makePrompt(context: Context, shell: 'bash' | 'zsh' | 'fish' | undefined): Promise<Prompt> {
  // Not context.config(): its warnings would stand in front of every command line.
  const config = await resolveConfig(context.host, context.given);
  const format = config.get('globals.prompt');
  const name = config.profile?.name;
  const text = renderPrompt(format, name ?? '', { color: isColored(context), shell });
  return { profile: name ?? null, prompt: name === undefined ? '' : text };
}

/** A prompt is nearly always captured, so that whether a terminal is there says nothing. */
function isColored({ flags, host: { env } }: Context): boolean {
  if (flags.color !== 'auto') return flags.color === 'always';
  if (env.FORCE_COLOR) return true;
  return !env.NO_COLOR && env.TERM !== 'dumb';
}
