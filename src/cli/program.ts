import { nearest } from '../config/nearest.ts';
import { readOptionWords } from '../config/sources/flags.ts';
import { type CliError, CliErrors, type ExitCode, exitCodes, usageError } from '../errors.ts';
import { withoutValue } from '../format/without-value.ts';
import type { Host } from '../host/host.ts';
import { type Command, type Noun, shownCommands } from './command.ts';
import { globalsOf } from './globals.ts';
import { groupHelp, rootHelp } from './help/help.ts';
import { isOptionHelp, optionHelp, optionHelpFor, optionHelpIn } from './help/option-help.ts';
import { subjectOfTool } from './help/subject-names.ts';
import { walkTree } from './help/tree.ts';
import { createPrinter, type Printer } from './output/output.ts';
import { reportError } from './output/report.ts';
import { flagSet } from './parse/flag-set.ts';
import { foreignHints, usualVerbsOf } from './parse/habits.ts';
import { findCommand, type NamedCommand } from './parse/named-command.ts';
import { guessReportFlags, isHelp, parseLine, unknownFlag } from './parse/parse.ts';
import { readValues } from './parse/values.ts';
import { type Program, runCommand, type Session, versionLine } from './run.ts';

/** Runs one command line, prints its output, reports its errors and returns the exit code. */
export async function runLine(host: Host, program: Program): Promise<ExitCode> {
  const session: Session = { host, program, printer: createPrinter(host.stdout), startedAt: Date.now() };
  try {
    const exitCode = await dispatch(session);
    // Every failure has been reported already, including a failed write.
    if (exitCode === exitCodes.ok) await session.printer.flush();
    else await session.printer.flush().catch(() => undefined);
    return exitCode;
  } catch (error) {
    return await reportError(error, host, session.report ?? (await guessReportFlags(host.argv)));
  }
}

async function dispatch(session: Session): Promise<ExitCode> {
  const { program, printer } = session;
  const words = session.host.argv;
  if (words.length === 1 && words[0] === '--version') return await print(printer, versionLine(session));
  const asked = isOptionHelp(words);
  if (asked !== undefined) return await print(printer, await optionHelpFor(asked));
  const match = await findCommand(program.commands, words);
  if (match.unknown !== undefined) throw await unknownWord(match, program);
  if (match.target?.type !== 'command') return await runGroup(match.target, match, session);
  return await runCommand(session, match.target, match);
}

async function print(printer: Printer, text: string): Promise<ExitCode> {
  await printer.write(text);
  return exitCodes.ok;
}

/** Prints the help of the root or of a noun without a verb, or what a global flag asks for. */
async function runGroup(target: Noun | undefined, match: NamedCommand, session: Session): Promise<ExitCode> {
  const { commands } = session.program;
  const { columns } = session.host.stdout;
  const help = () => (target === undefined ? rootHelp(commands, columns) : groupHelp(target, match.path, columns));
  return await print(
    session.printer,
    match.rest.every(isHelp) ? help() : ((await answerOf(target, match, session)) ?? help()),
  );
}

/** What the words after a noun without a verb ask for; undefined for help. */
async function answerOf(target: Noun | undefined, match: NamedCommand, session: Session): Promise<string | undefined> {
  const entries = flagSet(target);
  const line = await parseLine(match.rest, entries);
  const [unknown] = line.unknown;
  if (unknown !== undefined) throw await unknownGroupFlag(unknown, match);
  readValues(entries, line.uses, {}, line.operands);
  const { configOpt, version, help, format } = globalsOf(entries, line);
  const helpKind = optionHelpIn(configOpt);
  if (helpKind !== undefined) return await optionHelp(helpKind, format, session.host.stdout.isTerminal);
  if (help) return undefined;
  const { errors } = await readOptionWords(configOpt);
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new CliErrors(errors);
  return version ? versionLine(session) : undefined;
}

async function unknownWord(match: NamedCommand, program: Program): Promise<CliError> {
  // The unknown word may be the value of a mistyped flag.
  if (match.strayFlag !== undefined) return await unknownGroupFlag(match.strayFlag, match);
  return await unknownCommand(match, program);
}

/** The error for a flag before a command's name that is not a global one. */
async function unknownGroupFlag(word: string, { path }: NamedCommand): Promise<CliError> {
  return await unknownFlag(word, ['weir', ...path].join(' '), flagSet(undefined));
}

/** The error for an unknown command, with the nearest known one as a hint. */
export async function unknownCommand(match: NamedCommand, program: Pick<Program, 'commands'>): Promise<CliError> {
  const above = ['weir', ...match.path].join(' ');
  const word = withoutValue(match.unknown ?? '');
  if (match.target === undefined && (subjectOfTool(word) !== undefined || word === 'kcl')) {
    const { otherToolError } = await import('./help/other-tools.ts');
    return await otherToolError(word, match.rest, async () => {
      const inner = await findCommand(program.commands, match.rest);
      return { ...inner, error: inner.unknown === undefined ? undefined : await unknownCommand(inner, program) };
    });
  }
  const longer = foreignHints(`${above} ${word}`, match.rest[0] ?? '');
  const foreign = longer.length > 0 ? longer : foreignHints(above, word);
  const unknown = (hints: readonly string[]) => {
    const details = { code: 'UNKNOWN_COMMAND', target: word, hints: [...foreign, ...hints] };
    return usageError(`unknown command "${word}" for "${above}"`, details);
  };
  // What weir does not have is not in its help either.
  const isNowhere = foreign.length > 0 && !foreign.some((hint) => hint.includes(': weir '));
  if (isNowhere) return unknown([]);
  if (foreign.length > 0) return unknown([`see ${above} --help`]);
  const names = commandNames(match.target, program);
  const meant =
    names.find((name) => usualVerbsOf(word).includes(name)) ??
    (match.target === undefined ? await deeper(word, program) : undefined) ??
    (await nearest(word, names));
  return unknown([`${didYouMean(meant)}see ${above} --help`]);
}

/** The error for one word after `weir help` that is neither a command nor a subject. */
export async function unknownSubject(
  word: string,
  program: Pick<Program, 'commands'>,
  subjects: readonly string[],
): Promise<CliError> {
  const foreign = foreignHints('weir', word);
  if (foreign.length > 0)
    return usageError(`unknown command "${withoutValue(word)}"`, {
      target: word,
      hints: [...foreign, 'see weir --help'],
    });
  const meant =
    (await deeper(word, program)) ?? (await nearest(word, [...commandNames(undefined, program), ...subjects]));
  const search = /^[\w-]+$/.test(word) && meant === undefined ? [`search all help with: weir help --find ${word}`] : [];
  return usageError(`unknown command "${withoutValue(word)}"`, {
    target: withoutValue(word),
    hints: [
      ...search,
      meant === undefined && subjects.length > 0
        ? `see weir --help, or choose a subject: ${subjects.join(', ')}`
        : `${didYouMean(meant)}see weir --help`,
    ],
  });
}

/** The first command or noun of this name below another noun, for example `topic consume`. */
async function deeper(word: string, { commands }: Pick<Program, 'commands'>): Promise<string | undefined> {
  const nodes = await walkTree(commands.filter(({ hidden }) => !hidden));
  const homonyms = nodes.filter(({ path }) => path.length > 1 && path.at(-1) === word);
  const visible = homonyms.filter((node) => !('command' in node ? node.command : node.noun).hidden);
  // A word that many nouns have, such as "list", says nothing.
  return visible.length > 2 ? undefined : visible[0]?.path.join(' ');
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : `did you mean "${name}"? `;
}

function commandNames(target: Command | Noun | undefined, program: Pick<Program, 'commands'>): readonly string[] {
  if (target === undefined) return program.commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  if (target.type === 'command') return [];
  return shownCommands(target).map(([name]) => name);
}
