import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';

/** Everybody may read and write the file, as far as the umask allows it. */
const mode = 0o666;

/**
 * Writes a plan or an undo file, which must be new, whole or not at all.
 * @throws CliError when the file exists (exit 6) or cannot be written
 */
export async function writeNewFile({ host }: Pick<Context, 'host'>, name: string, text: string): Promise<void> {
  const { resolve } = await import('node:path');
  const { createWhole } = await import('../../files/replace.ts');
  const file = await createWhole(resolve(host.cwd, name), text, mode).catch(async (error: Error) => {
    const { writeFaultOf } = await import('../../files/fault.ts');
    const message = `unable to write ${name}: ${writeFaultOf(error.cause ?? error, name)}`;
    throw new CliError(exitCodes.failure, message, { target: name, cause: error });
  });
  if (file !== undefined) return await file.close();
  throw new CliError(exitCodes.conflict, `unable to write ${name}: the file exists`, {
    target: name,
    code: 'FILE_EXISTS',
    hints: ['give the new file another name: the existing one may still be needed'],
  });
}
