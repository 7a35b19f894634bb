import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { SeekPlan } from '../../kafka/group-admin/seek-rows.ts';

/** The lines of an undo file: the offsets that are committed before a seek, as `group seek --to-file` reads them. */
export function undoLines({ group, moves }: SeekPlan): string {
  const lines = moves.map(({ topic, partition, prior_offset: prior }) => `${topic} ${partition} ${prior ?? '-'}`);
  return [
    `# committed offsets of group ${JSON.stringify(group)} before a seek: topic, partition, offset`,
    ...lines,
    '',
  ].join('\n');
}

/** Writes an undo file. @throws CliError when the file exists (exit 6) or cannot be written */
export async function writeUndoFile({ host }: Pick<Context, 'host'>, path: string, plan: SeekPlan): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  try {
    await writeFile(resolve(host.cwd, path), undoLines(plan), { flag: 'wx' });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const { faultOf } = await import('../../files/fault.ts');
    const reason = exists ? 'the file exists' : faultOf(cause);
    throw new CliError(exists ? exitCodes.conflict : exitCodes.failure, `unable to write ${path}: ${reason}`, {
      target: path,
      ...(exists && { code: 'FILE_EXISTS', hints: ['give the undo file another name: it may still be needed'] }),
      cause,
    });
  }
}
