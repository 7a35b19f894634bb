import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';

/** Writes a plan or an undo file, which must be new. @throws CliError when the file exists (exit 6) or cannot be written */
export async function writeNewFile({ host }: Pick<Context, 'host'>, path: string, text: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  try {
    await writeFile(resolve(host.cwd, path), text, { flag: 'wx' });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const { writeFaultOf } = await import('../../files/fault.ts');
    const reason = exists ? 'the file exists' : writeFaultOf(cause, path);
    throw new CliError(exists ? exitCodes.conflict : exitCodes.failure, `unable to write ${path}: ${reason}`, {
      target: path,
      ...(exists && {
        code: 'FILE_EXISTS',
        hints: ['give the new file another name: the existing one may still be needed'],
      }),
      cause,
    });
  }
}
