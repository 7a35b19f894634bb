import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';

/** A text as it came back from the editor, and the file it was edited in. */
export interface EditedText {
  readonly text: string;
  /** In a directory of its own, both for their owner only; remove it with `discardDraft`. */
  readonly draft: string;
}

/**
 * Has a person edit a text. The draft stays, so that a text that turns out wrong is not lost.
 * @throws CliError when there is no editor to start, or it fails; the draft is gone then
 */
export async function editText(context: Context, text: string): Promise<EditedText> {
  const draft = join(await mkdtemp(join(context.host.env.TMPDIR || tmpdir(), 'weir-')), 'profile.yaml');
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await openEditor(context, draft);
    return { text: await readFile(draft, 'utf8'), draft };
  } catch (error) {
    await discardDraft(draft);
    throw error;
  }
}

/** Removes a draft with its directory. */
export async function discardDraft(draft: string): Promise<void> {
  await rm(dirname(draft), { recursive: true, force: true });
}

/** Like git, it hands the variable to a shell, so that it may hold arguments and quotes. */
async function openEditor({ host, flags }: Context, file: string): Promise<void> {
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
