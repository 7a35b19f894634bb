import { faultOf } from '../../config/file-text.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';

/**
 * Opens a file in $VISUAL or $EDITOR and waits for its end. Like git, it hands the variable to a shell,
 * so that it may hold arguments and quotes.
 * @throws CliError when there is no editor to start, or it fails
 */
export async function openEditor({ host, flags }: Context, file: string): Promise<void> {
  const chosen = host.env.VISUAL || host.env.EDITOR;
  if (!chosen && flags.noInput)
    throw usageError('there is no terminal to edit on', { hints: ['use: weir profile set key=value'] });
  const editor = chosen || (host.platform === 'win32' ? 'notepad' : 'vi');
  const [program, args] = host.platform === 'win32' ? [editor, [file]] : ['sh', ['-c', `${editor} "$@"`, editor, file]];
  const { exitCode } = await host.spawn(program, args, { stdio: 'inherit' }).catch((error: unknown) => {
    throw usageError(`unable to start the editor ${editor}: ${faultOf(error)}`, { hints: ['set VISUAL or EDITOR'] });
  });
  if (exitCode !== 0)
    throw new CliError(exitCodes.failure, `the editor ${editor} ended with exit code ${exitCode}: nothing was saved`);
}
