import { isAbsolute } from 'node:path';
import { wayKey } from '../../config/options.ts';
import { checkProgram } from '../../config/programs.ts';
import { exitCodes } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { expandHome } from '../../files/locations.ts';
import { excerpt } from '../../format/excerpt.ts';
import { mostSecretBytes, secretLine } from '../../format/secret-line.ts';
import { splitWords } from '../../format/shell-word.ts';
import type { SpawnResult } from '../../host/host.ts';
import { programLimitMs, runForOutput } from './limited-run.ts';
import { type SecretParts, said, secretFault, type WantedSecret } from './parts.ts';

/**
 * Runs a command for the secret that it prints. No shell is involved, the terminal belongs to the program, and the secret is
 * not shown: not in errors either. Without a terminal, an error has the last line of its messages.
 * @throws CliError (exit 4; 5 when it takes too long) if the command fails or prints something else than one line
 */
export async function runSecretCommand(parts: SecretParts, wanted: WantedSecret): Promise<string> {
  const { exitCode, stdout, stderr, isTooLong } = await run(parts, wanted);
  const advice = adviceFor(parts, stderr);
  if (isTooLong) throw secretFault(wanted, `it printed more than ${mostSecretBytes / 1024} KiB`);
  if (exitCode !== 0) throw secretFault(wanted, `it failed with exit code ${exitCode}${lastLine(stderr)}`, advice);
  if (stdout === '') throw secretFault(wanted, `it printed nothing${lastLine(stderr)}`, advice);
  try {
    const secret = secretLine(stdout);
    warnOfShell(parts, wanted);
    return secret;
  } catch (error) {
    throw secretFault(wanted, `its output is not a secret: ${faultOf(error)}`, advice);
  }
}

async function run({ host, config, deadline }: SecretParts, secret: WantedSecret): Promise<SpawnResult> {
  if (secret.option !== undefined) await checkProgram(host, config, secret.option, wayKey(secret.option, 'command'));
  const [first = '', ...args] = splitWords(secret.from.text);
  const file = expandHome(host.home, first);
  // It would be another program in every directory.
  if (/[/\\]/.test(file) && !isAbsolute(file))
    throw secretFault(secret, 'the path of the program is relative', relative);
  const done = deadline.waitingFor(`the command that prints ${secret.key}${said(secret.origin)}`);
  const overdue = () =>
    secretFault(secret, `it did not end within ${programLimitMs / 1000}s`, { exitCode: exitCodes.unreachable });
  try {
    return await runForOutput({ host, deadline }, { file, args }, overdue);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw secretFault(secret, startFault(error, file), { exitCode: exitCodes.usage, cause: error });
  } finally {
    done();
  }
}

const relative = {
  exitCode: exitCodes.usage,
  hints: ['use an absolute path, ~/…, or the name of a program in PATH'],
};

function startFault(error: unknown, program: string): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `there is no program "${program}"`;
  if (code === 'EACCES' || code === 'ENOEXEC') return `${program} is not a program that can be run`;
  return faultOf(error);
}

/** What a shell would act on, and a program gets as an argument. */
const ofShell = /^(?:[|&;]+|\d?[<>].*)$|\$[({\w]|`/;

const shellAdvice = "for pipes and variables, write sh -c '…'";

/** What a program such as echo prints then is not the secret, and the server says no more than that it is wrong. */
function warnOfShell({ warnOnce }: SecretParts, { key, option, from, origin }: WantedSecret): void {
  const words = splitWords(from.text);
  const word = words.find((one) => ofShell.test(one));
  if (word !== undefined && !words.includes('-c'))
    warnOnce(
      `no shell runs ${option === undefined ? `the command for ${key}` : `${key}.command`}${said(origin)}, so "${excerpt(word)}" is an argument: ${shellAdvice}`,
    );
}

function adviceFor({ host }: SecretParts, messages: string): { readonly hints: readonly string[] } {
  const run = `run the command yourself to see ${host.stderr.isTerminal ? 'what it prints' : 'its messages'}`;
  return {
    hints: [`no shell runs it, so ~, * and $NAME are not expanded: ${shellAdvice}`, ...(messages === '' ? [run] : [])],
  };
}

/** The end of what a program has said, for an error. */
function lastLine(messages: string): string {
  const line = messages.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${excerpt(line.trim())}`;
}
