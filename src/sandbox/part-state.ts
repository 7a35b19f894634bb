import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { makeDirectory, replaceFile } from '../files/replace.ts';

/** The error code for a state file that cannot be parsed. */
export const brokenState = 'SANDBOX_STATE_BROKEN';

/** The file in a part's directory that records what was started. */
interface StateFile<State> {
  /**
   * Reads the stored state; undefined when there is no file.
   * @throws CliError (`brokenState`) when the content is not a state that weir wrote
   */
  read(directory: string): Promise<State | undefined>;
  /** Replaces the whole file atomically. */
  write(directory: string, state: State): Promise<void>;
}

/** The name, subject and validity check of one kind of state file. */
interface StateKind<State> {
  readonly fileName: string;
  /** The subject in messages, for example `a broker`. */
  readonly what: string;
  isWhole(state: Partial<State>): boolean;
}

/** Creates the reader and writer of one kind of state file. */
export function stateFile<State>({ fileName, what, isWhole }: StateKind<State>): StateFile<State> {
  return {
    async read(directory) {
      const file = join(directory, fileName);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const state = parse(text) as Partial<State> | null | undefined;
      if (state !== null && state !== undefined && isWhole(state)) return state as State;
      throw new CliError(exitCodes.failure, `unable to read ${file}: it is not a valid state file`, {
        code: brokenState,
        target: file,
        hints: [`remove the sandbox with "weir sandbox purge"; if ${what} is still running, stop it by hand`],
      });
    },
    async write(directory, state) {
      const file = join(directory, fileName);
      await makeDirectory(file);
      await replaceFile(file, `${JSON.stringify(state, undefined, 2)}\n`, async () => true);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
