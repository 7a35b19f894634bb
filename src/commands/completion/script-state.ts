import { CliError, exitCodes } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { ReadRefusal, readOwnFile } from '../../files/read.ts';

/** What is at the place of a completion script: nothing, this script, another one of weir, or a file of somebody else. */
export type ScriptState = 'none' | 'same' | 'own' | 'foreign';

/** The first or second line of every script. */
const mark = /^(?:#compdef weir\n)?# Completion of weir for /;

/**
 * Reads what is at the place of a completion script.
 * @throws CliError if it cannot be read
 */
export async function scriptStateAt(path: string, script: string): Promise<ScriptState> {
  try {
    const text = readOwnFile(path, 16 << 20);
    if (text === script) return 'same';
    return mark.test(text) ? 'own' : 'foreign';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'none';
    const reason = error instanceof ReadRefusal ? error.message : faultOf(error);
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${reason}`, { target: path });
  }
}
