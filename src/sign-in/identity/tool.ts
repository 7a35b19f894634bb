import { CliError, exitCodes } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { parseJson } from '../../net/json.ts';
import { type Fields, isObject } from '../../shape/object.ts';
import type { Wanted } from './chain.ts';
import type { Machine } from './options.ts';

/** The tool of a cloud, and how a person logs in to it. */
export interface Tool {
  readonly file: string;
  readonly args: readonly string[];
  readonly logIn: string;
}

/** The object that the tool of a cloud prints, or why there is none. What it says is not shown: it may contain a token. */
export async function runTool(machine: Machine, what: Wanted, { file, args, logIn }: Tool): Promise<Fields | string> {
  const overdue = () =>
    new CliError(exitCodes.unreachable, `unable to get ${what.name}: ${file} did not end in time`, {
      hints: ['run it yourself to see what it waits for'],
    });
  try {
    const { exitCode, stdout } = await machine.run(file, args, overdue);
    if (exitCode !== 0) return `${file} failed with exit code ${exitCode} (log in with: ${logIn})`;
    const fields = parseJson(Buffer.from(stdout));
    return isObject(fields) ? fields : `${file} did not print a JSON object`;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return codeOf(error) === 'ENOENT' ? `there is no program "${file}"` : `${file}: ${faultOf(error)}`;
  }
}
