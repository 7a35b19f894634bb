import { join } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { readRecord, writeRecord } from '../files/record.ts';
import { isObject } from '../shape/object.ts';

/** The error code for a state file that cannot be parsed. */
export const brokenState = 'SANDBOX_STATE_BROKEN';

/** The file in a part's directory that records what was started. */
interface StateFile<State extends object> {
  /**
   * Reads the stored state; undefined when there is no file.
   * @throws CliError (`brokenState`) when the content is not a state that weir wrote
   */
  read(directory: string): Promise<State | undefined>;
  /** Replaces the whole file atomically. */
  write(directory: string, state: State): Promise<void>;
}

/** The name, subject and validity check of one kind of state file. */
interface StateKind<State extends object> {
  readonly fileName: string;
  /** The subject in messages, for example `a broker`. */
  readonly what: string;
  isWhole(state: Partial<State>): boolean;
}

/** Creates the reader and writer of one kind of state file. */
export function stateFile<State extends object>({ fileName, what, isWhole }: StateKind<State>): StateFile<State> {
  const fileIn = (directory: string): string => join(directory, fileName);
  return {
    async read(directory) {
      const file = fileIn(directory);
      return readRecord(file, (value) => {
        if (isObject(value) && isWhole(value as Partial<State>)) return value as State;
        throw new CliError(exitCodes.failure, `unable to read ${file}: it is not a valid state file`, {
          code: brokenState,
          target: file,
          hints: [`remove the sandbox with "weir sandbox purge"; if ${what} is still running, stop it by hand`],
        });
      });
    },
    write: (directory, state) => writeRecord(fileIn(directory), state),
  };
}
