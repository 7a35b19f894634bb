import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endedBy } from '../../cli/interruption.ts';
import { safeDirectory, withoutSecrets } from '../../config/child-process.ts';
import { maxFileBytes } from '../../config/yaml/file-text.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, exitCodes, usageError, withHints } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { readSmallFile } from '../../files/read.ts';
import type { Signal } from '../../host/host.ts';

/** An edited text, and the file that it was edited in. */
export interface EditedText {
  readonly text: string;
  /** In its own directory, both accessible only to their owner; remove it with `discardDraft`. */
  readonly draft: string;
}

/** What is edited. */
export interface DraftForm {
  /** The name of the draft's file; editors choose their mode by its ending. */
  readonly fileName: string;
  /** What to do without a terminal and without an editor. */
  readonly withoutEditor: string;
}

/**
 * Opens a text in an editor. The draft is kept, so that an invalid text is not lost.
 * @throws CliError when the editor cannot be started (the draft is removed, unless it has changed) or fails (it is kept)
 */
export async function editText(context: Context, text: string, form: DraftForm): Promise<EditedText> {
  const editor = chooseEditor(context, form);
  const draft = join(await mkdtemp(join(context.host.env.TMPDIR || tmpdir(), 'weir-')), form.fileName);
  try {
    await writeFile(draft, text, { mode: 0o600 });
  } catch (error) {
    await discardDraft(draft);
    throw new CliError(exitCodes.failure, `unable to write ${draft}: ${faultOf(error)}`, { cause: error });
  }
  const edited = await context.openEnded(() => runEditor(context, editor, draft));
  if (edited.signal === undefined && isMissing(edited.exitCode) && (await isUnchanged(context, draft, text))) {
    await discardDraft(draft);
    throw failed(editor, edited.exitCode);
  }
  return await keepingDraft(context, draft, async () => {
    if (edited.signal !== undefined) throw endedBy(edited.signal);
    if (edited.exitCode !== 0) throw failed(editor, edited.exitCode);
    return { text: await readDraft(context, draft), draft };
  });
}

/** Whether this is what a shell returns for a program that it cannot find or run. */
function isMissing(exitCode: number): boolean {
  return exitCode === 127 || exitCode === 126;
}

function failed(editor: string, exitCode: number): CliError {
  return new CliError(exitCodes.failure, `the editor ${editor} failed with exit code ${exitCode}`, {
    hints: isMissing(exitCode) ? ['set VISUAL or EDITOR to a program that can be run'] : [],
  });
}

/** Whether a draft is as weir wrote it; false if it cannot be read. */
async function isUnchanged(context: Context, draft: string, text: string): Promise<boolean> {
  return (await readDraft(context, draft).catch(() => undefined)) === text;
}

/** Removes a draft with its directory. */
export async function discardDraft(draft: string): Promise<void> {
  await rm(dirname(draft), { recursive: true, force: true });
}

/** The hint about a draft that was not saved. */
export function keptHint(draft: string): string {
  return `nothing was saved; your text is kept in ${draft}`;
}

/** Runs `work`; when it fails, the error names the file that keeps the edited text, unless the editor removed it. */
export async function keepingDraft<T>(
  context: Context,
  draft: string,
  work: () => Promise<T>,
  hint = keptHint(draft),
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!existsSync(draft)) {
      await discardDraft(draft);
      throw error;
    }
    if (error instanceof CliError) throw withHints(error, [hint]);
    context.warn(hint);
    throw error;
  }
}

async function readDraft({ signal }: Context, draft: string): Promise<string> {
  try {
    return (await readSmallFile(draft, maxFileBytes, signal)).toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    throw new CliError(exitCodes.failure, `unable to read ${draft}: ${faultOf(error)}`, { cause: error });
  }
}

function chooseEditor({ host, flags }: Context, { withoutEditor }: DraftForm): string {
  const chosen = host.env.VISUAL || host.env.EDITOR;
  if (!chosen && flags.noInput)
    throw usageError('unable to start an editor: there is no terminal', { hints: [withoutEditor] });
  return chosen || (host.platform === 'win32' ? 'notepad' : 'vi');
}

interface Edited {
  readonly exitCode: ExitCode;
  /** The signal to end weir that arrived while the editor ran. */
  readonly signal: Signal | undefined;
}

/**
 * Runs the editor until it exits. Like git, it passes the variable to a shell, so that it may contain arguments and
 * quotes. Ctrl-C belongs to the editor: the terminal sends it to both, and weir waits. Other signals are passed on.
 */
async function runEditor(context: Context, editor: string, draft: string): Promise<Edited> {
  const { host } = context;
  const [program, args] =
    host.platform === 'win32' ? [editor, [draft]] : ['sh', ['-c', `${editor} "$@"`, editor, draft]];
  // A path may be relative to the working directory.
  const place = /[/\\]/.test(editor) ? {} : safeDirectory(host);
  const sends: ((signal: Signal) => void)[] = [];
  let ending: Signal | undefined;
  const release = context.handSignals((signal) => {
    if (signal !== 'SIGINT') ending ??= signal;
    if (signal !== 'SIGINT' || !host.stdin.isTerminal) for (const send of sends) send(signal);
  });
  let isStopped = false;
  const releaseStop = context.onStop(() => {
    isStopped = true;
    for (const send of sends) send('SIGTERM');
    return undefined;
  });
  try {
    const onStart = (send: (signal: Signal) => void) => void sends.push(send);
    const { exitCode } = await host.spawn(program, args, { stdio: 'inherit', ...place, env: withoutSecrets, onStart });
    return { exitCode: isStopped ? exitCodes.terminated : exitCode, signal: ending };
  } catch (error) {
    await discardDraft(draft);
    throw usageError(`unable to start the editor ${editor}: ${faultOf(error)}`, { hints: ['set VISUAL or EDITOR'] });
  } finally {
    release();
    releaseStop();
  }
}
