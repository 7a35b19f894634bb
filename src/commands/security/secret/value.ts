import { flag, toggle, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { path, text } from '../../../kinds.ts';
import { readTextFile } from '../../text-file.ts';

/** The flags that say where the value of a secret comes from. */
export const valueFlags = {
  valueStdin: toggle({ help: 'read the value from standard input' }),
  valueFile: flag(path, { help: 'read the value from FILE' }),
  value: flag(
    { ...text, mayHoldSecret: true },
    { hidden: true, help: 'deprecated: use --value-stdin or --value-file' },
  ),
};

/**
 * Reads a value, which may have several lines, from the flags or a prompt. A line end after it is removed.
 * @throws CliError (exit 2) if it is missing, empty, or named twice
 */
export async function readValue(context: Context, values: ValuesOf<typeof valueFlags>): Promise<string> {
  const { value, valueStdin, valueFile } = values;
  const given = [value !== undefined, valueStdin, valueFile !== undefined].filter(Boolean);
  if (given.length > 1) throw usageError('--value-stdin and --value-file are mutually exclusive');
  if (value !== undefined)
    context.warn('other users of this machine can see a value on the command line; use --value-stdin or --value-file');
  const secret = value ?? (await textOf(context, valueStdin ? '-' : valueFile));
  if (secret === '') throw usageError('the value of the secret is empty');
  return secret;
}

async function textOf(context: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return (await readTextFile(context, file)).replace(/\r?\n$/, '');
  const { askPassword } = await import('../../../cli/secret.ts');
  const typed = await askPassword(context, 'value of the secret');
  if (typed !== undefined) return typed;
  throw usageError('the value of the secret is missing, and there is no terminal to prompt for it', {
    hints: ['add --value-stdin or --value-file FILE'],
  });
}
