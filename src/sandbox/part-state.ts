import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { makeDirectory, replaceFile } from '../files/replace.ts';

/** The code of the error about a state file that cannot be understood. */
export const brokenState = 'SANDBOX_STATE_BROKEN';

/** The file in a part's directory in which it is kept what was started. */
export interface StateFile<State> {
  /**
   * What was kept; undefined when there is nothing.
   * @throws CliError (`brokenState`) when it is not what weir wrote
   */
  read(directory: string): Promise<State | undefined>;
  /** Replaces it whole. */
  write(directory: string, state: State): Promise<void>;
}

/** What a kind of state file is called, what it tells of, and how its content is known again. */
export interface StateKind<State> {
  readonly fileName: string;
  /** For example `a broker`. */
  readonly what: string;
  isWhole(state: Partial<State>): boolean;
}

/** A state file of that kind. */
export function stateFile<State>({ fileName, what, isWhole }: StateKind<State>): StateFile<State> {
  return {
    async read(directory) {
      const file = join(directory, fileName);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const state = parse(text) as Partial<State> | null | undefined;
      if (state !== null && state !== undefined && isWhole(state)) return state as State;
      throw new CliError(exitCodes.failure, `unable to read ${file}: it is not what weir wrote there`, {
        code: brokenState,
        target: file,
        hints: [`"weir sandbox purge" removes the sandbox; ${what} of it that still runs must be ended by hand`],
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
