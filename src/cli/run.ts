import type { RequestEvent } from '../clients/parts.ts';
import { readOptionWords } from '../config/sources/flags.ts';
import type { ContextParts, GlobalFlags, Messages, OpenContext } from '../context.ts';
import {
  CliError,
  CliErrors,
  canceledError,
  type ExitCode,
  exitCodes,
  isCommandTimeout,
  rephrased,
  stoppedError,
  usageError,
  withHints,
} from '../errors.ts';
import type { Host } from '../host/host.ts';
import { type Command, type GivenValues, lastStep } from './command.ts';
import { globalFlagsOf, globalsOf, viewOf } from './globals.ts';
import { adviseHelp, needsHint, principalHint } from './help/advice.ts';
import { commandHelp } from './help/help.ts';
import { type OptionHelp, optionHelp, optionHelpIn } from './help/option-help.ts';
import { type Interruption, watchInterruption } from './interruption.ts';
import { createMessages, retryTeller } from './output/messages.ts';
import { printResult, toJson } from './output/render.ts';
import { reportError } from './output/report.ts';
import type { TraceFile } from './output/trace.ts';
import { deprecatedFor, warnDeprecated, warnVisible } from './parse/deprecation.ts';
import { type FlagEntry, flagSet } from './parse/flag-set.ts';
import { deprecatedUses, type ParsedLine, parseLine, unknownFlag } from './parse/parse.ts';
import type { Route } from './parse/route.ts';
import { readValues } from './parse/values.ts';
import { confirmDestruction } from './safety.ts';
import { type Program, type Session, versionLine } from './session.ts';

/** Runs a command: reads its flags, asks for confirmation, prints the result and closes the clients. */
export async function runCommand(session: Session, command: Command, found: Route): Promise<ExitCode> {
  try {
    return await readAndRun(session, command, found);
  } catch (error) {
    throw adviseHelp(error, found.path);
  }
}

async function readAndRun(session: Session, command: Command, found: Route): Promise<ExitCode> {
  const { host } = session;
  const entries = flagSet(command, deprecatedFor(command));
  const line = await parseLine(found.rest, entries);
  const early = globalsOf(entries, line);
  try {
    return await answer(session, command, { found, entries, line });
  } catch (error) {
    const { format, verbose: verbosity, color } = early;
    return await reportError(adviseHelp(error, found.path), host, { format, verbosity, color });
  }
}

/** Answers flags that need no context, such as `--help`; otherwise runs the command. */
async function answer(session: Session, command: Command, invocation: Invocation): Promise<ExitCode> {
  const { host, printer } = session;
  const { found, entries, line } = invocation;
  const early = globalsOf(entries, line);
  const asked = optionHelpIn(early.configOpt);
  if (asked !== undefined) {
    await printer.write(await optionHelp(asked, early.format, host.stdout.isTerminal));
    return exitCodes.ok;
  }
  if (early.help) {
    await printer.write(commandHelp(command, found.path, host.stdout.columns));
    return exitCodes.ok;
  }
  const [unknown] = line.unknown;
  if (unknown !== undefined && !command.passThrough) {
    throw await unknownFlag(unknown, ['weir', ...found.path].join(' '), entries);
  }
  if (early.version) {
    checkVersionAlone(entries, line, found);
    await printer.write(versionLine(session));
    return exitCodes.ok;
  }
  if (early.format === 'schema') {
    const { publishedSchema } = await import('./output/output-schema.ts');
    await printer.write(`${toJson(publishedSchema(found.path, command), host.stdout.isTerminal)}\n`);
    return exitCodes.ok;
  }
  return await execute(session, command, invocation);
}

/** Refuses `--version 2` where another flag is meant, such as `--schema-version`: the command would do nothing. */
function checkVersionAlone(entries: readonly FlagEntry[], { operands }: ParsedLine, { path }: Route): void {
  const meant = entries.find(({ name, scope }) => scope === 'own' && name.endsWith('-version'));
  if (meant === undefined || operands.length === 0) return;
  throw usageError('--version shows the version of weir and takes no arguments', {
    target: '--version',
    hints: [`did you mean --${meant.name}? see weir ${path.join(' ')} --help`],
  });
}

interface Invocation {
  readonly found: Route;
  readonly entries: readonly FlagEntry[];
  readonly line: ParsedLine;
}

async function execute(session: Session, command: Command, invocation: Invocation): Promise<ExitCode> {
  const { host, program, printer, startedAt } = session;
  const { found, entries, line } = invocation;
  const values = valuesOf(command, invocation);
  const globals = globalsOf(entries, line);
  const flags = globalFlagsOf(globals, host);
  const messages = createMessages(host, flags);
  warnDeprecated(line.uses, flags, messages);
  warnVisible(globals.configOpt, flags, messages);
  const trace =
    globals.trace === undefined ? undefined : (await import('./output/trace.ts')).openTrace(globals.trace, host);
  const context = program.openContext({
    host,
    flags,
    given: {
      x: globals.configOpt,
      deprecated: deprecatedUses(line.uses),
      profile: globals.profile,
      configFile: globals.config,
      brokerConfigFile: globals.brokerConfig,
    },
    command: ['weir', ...found.path].join(' '),
    messages,
    startedAt,
    trace: tracer(trace, messages, flags),
    onChange() {
      if (context.interruptReport() === untouched) context.onInterrupt(undefined);
    },
    onFailure: retryTeller(host, flags, messages),
    askPassword: async (what) => await (await import('./secret.ts')).askPassword(context, what),
  });
  const interruption = watchInterruption(host, context);
  const needs = neededBy(program, command, found.path);
  printer.onFailure(interruption.outputFailed);
  trace?.onFailure(interruption.outputFailed);
  let exitCode: ExitCode;
  try {
    const work = runAndPrint(session, command, { context, path: found.path, values, needs });
    exitCode = (await Promise.race([work, interruption.overdue])) || (interruption.signalCode() ?? exitCodes.ok);
    const timeout = interruption.timeout();
    if (timeout !== undefined) throw timeout;
  } catch (error) {
    if (!isBrokenPipe(error)) context.printNoticesAfter();
    exitCode = await failed(await adviseAccess(adviseHelp(error, found.path), context, needs), context, interruption);
  } finally {
    interruption.stop();
    await context.close();
  }
  exitCode = await closeTrace(trace, exitCode, { host, flags });
  // Output that nobody reads must not keep the command from ending.
  const outputMs = interruption.outputMs();
  if (outputMs !== undefined) host.abandonOutput(exitCode, outputMs);
  else if (isTimedOut(context)) host.abandonOutput(exitCode);
  return exitCode;
}

/** Whether the reader of standard output went away, after which nothing more is said. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.brokenPipe;
}

/** Whether the command timed out. */
function isTimedOut({ signal }: OpenContext): boolean {
  return signal.reason instanceof CliError && signal.reason.code === 'COMMAND_TIMEOUT';
}

/** Closes the trace. A command that succeeded fails when its trace is incomplete. */
async function closeTrace(
  trace: TraceFile | undefined,
  exitCode: ExitCode,
  { host, flags }: { host: Host; flags: GlobalFlags },
): Promise<ExitCode> {
  try {
    await trace?.close();
    return exitCode;
  } catch (error) {
    return exitCode === exitCodes.ok ? await reportError(error, host, flags) : exitCode;
  }
}

/** Reports requests to the file of `--trace` and, with `-vv`, on stderr. */
function tracer(file: TraceFile | undefined, messages: Messages, { verbosity }: GlobalFlags): ContextParts['trace'] {
  if (verbosity < 2) return file?.write;
  return (event) => {
    file?.write(event);
    const { milliseconds, sentBytes, receivedBytes, error } = event;
    const outcome = error === undefined ? `${receivedBytes} bytes received` : error;
    messages.detail(`${requestName(event)}: ${milliseconds.toFixed(1)} ms, ${sentBytes} bytes sent, ${outcome}`);
  };
}

function requestName(event: RequestEvent): string {
  if ('version' in event) return `${event.api} v${event.version} to ${event.node}`;
  return `${event.method} ${event.url}${event.status === undefined ? '' : ` (${event.status})`}`;
}

/** What a signal reports until something is changed. */
const untouched = stoppedError('stopped before anything was changed', ['repeat the command']);
/** The same for a command that changes only files: it has asked everything before it writes one, and then says nothing. */
const untouchedHere = stoppedError('stopped', []);

interface Run {
  readonly context: OpenContext;
  readonly path: readonly string[];
  readonly values: GivenValues;
  readonly needs: Needs;
}

/** The hint that says what a command needs; undefined if that is not known. */
type Needs = (error?: CliError) => Promise<string | undefined>;

function neededBy({ neededFor }: Program, command: Command, path: readonly string[]): Needs {
  return async (error) => {
    const needs = command.apis.includes('kafka') ? await neededFor?.(path) : undefined;
    return needs === undefined ? undefined : needsHint(path, needs, error);
  };
}

async function runAndPrint({ printer }: Session, command: Command, run: Run): Promise<ExitCode> {
  const { context, path, values, needs } = run;
  const { flags, host } = context;
  await checkOptionWords(context);
  const mayChange = command.changes !== 'reads';
  context.onInterrupt(mayChange ? untouched : undefined);
  const plan = await command.plan?.(context, values);
  await confirmDestruction(command, { context, path, values }, plan);
  // Until a client sends a change, or the command says more.
  if (mayChange) context.onInterrupt(command.apis.length > 0 ? untouched : untouchedHere);
  const result = await lastStep(command, values)(context, values, plan);
  const format = flags.format === 'schema' ? 'json' : flags.format;
  const exitCode = await printResult(result, command, printer, {
    format,
    view: viewOf(flags, host),
    isTerminal: host.stdout.isTerminal,
    redraws: host.stdout.isTerminal && host.env.TERM !== 'dumb',
    values,
  });
  await printer.flush();
  context.printNoticesAfter();
  if (exitCode === exitCodes.auth && command.apis.includes('kafka')) {
    for (const hint of [await principalHint(context), await needs()]) {
      if (hint !== undefined) context.notice(`hint: ${hint}`);
    }
  }
  if (values.dryRun) context.notice('dry run: nothing was changed');
  return exitCode;
}

/** Rejects an invalid `-X`, even for a command that resolves no configuration. */
async function checkOptionWords(context: OpenContext): Promise<void> {
  if (context.given.x.length === 0) return;
  const { errors } = await readOptionWords(context.given.x);
  // Resolving reports it together with all other errors in the configuration.
  if (errors.length > 0) await context.config();
}

async function failed(error: unknown, context: OpenContext, interruption: Interruption): Promise<ExitCode> {
  const { host, flags } = context;
  const signalCode = interruption.signalCode() ?? codeOfSignal(error);
  const saysMore = error instanceof CliError && error.exitCode === signalCode && error.hints.length > 0;
  const report = context.interruptReport();
  const isUntouched = report === untouched || report === untouchedHere;
  if (isUntouched && signalCode !== undefined && interruption.signalCode() === undefined && !saysMore)
    return await reportError(canceledError(signalCode), host, flags);
  if (signalCode !== undefined && report !== undefined && !(isUntouched && saysMore)) {
    const ended = { exitCode: signalCode, cause: error };
    return await reportError(rephrased(report, report.message, ended), host, flags);
  }
  if (signalCode === undefined) {
    const timeout = interruption.timeout() ?? context.signal.reason;
    return await reportError(isCommandTimeout(timeout) ? timedOut(timeout, error, report) : error, host, flags);
  }
  // The user knows that the command was stopped. Its error is printed only if it has hints.
  if (saysMore) await reportError(error, host, flags);
  return signalCode;
}

/** The error of a command that timed out, with what it says about its own end: what was reached, and how to continue. */
function timedOut(timeout: CliError, error: unknown, report: CliError | undefined): CliError {
  if (error instanceof CliError && isCommandTimeout(error) && error !== timeout) return error;
  const own = error !== timeout && error instanceof CliError ? error : report === untouched ? undefined : report;
  if (own === undefined) return timeout;
  return rephrased(timeout, `${timeout.message}; ${own.message}`, { hints: [...timeout.hints, ...own.hints] });
}

/** The exit code of a signal that a prompt or a child process took instead of the command; undefined for other errors. */
function codeOfSignal(error: unknown): ExitCode | undefined {
  return error instanceof CliError && error.code === 'INTERRUPTED' ? error.exitCode : undefined;
}

/** Adds the refused user and what the command needs to an authorization error. */
async function adviseAccess(error: unknown, context: OpenContext, needs: Needs): Promise<unknown> {
  if (!(error instanceof CliError) || !error.code.endsWith('_AUTHORIZATION_FAILED')) return error;
  const hints = [await principalHint(context), await needs(error)];
  const known = hints.filter((hint) => hint !== undefined);
  return known.length === 0 ? error : withHints(error, known);
}

/** The error for a flag before a command's name that is not a global one. */
export async function unknownGroupFlag(word: string, found: Route): Promise<CliError> {
  return await unknownFlag(word, ['weir', ...found.path].join(' '), flagSet(undefined));
}

/** What a line without a verb asks for: the options, the version, or otherwise help. */
export interface GroupWords {
  readonly optionHelp: OptionHelp | undefined;
  readonly isVersion: boolean;
  readonly format: GlobalFlags['format'];
}

/** Reads the words after a noun without a verb: only global flags are allowed there. */
export async function readGroupWords(found: Route): Promise<GroupWords> {
  const entries = flagSet(undefined);
  const line = await parseLine(found.rest, entries);
  const [unknown] = line.unknown;
  if (unknown !== undefined) throw await unknownGroupFlag(unknown, found);
  readValues(entries, line.uses, {}, line.operands);
  const { configOpt, version, help, format } = globalsOf(entries, line);
  const optionHelp = optionHelpIn(configOpt);
  if (optionHelp === undefined && !help) await refuseOptionWords(configOpt);
  return { optionHelp, isVersion: version && !help, format };
}

/** @throws CliError for an invalid `-X`, where nothing else reads the options */
async function refuseOptionWords(words: readonly string[]): Promise<void> {
  const { errors } = await readOptionWords(words);
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new CliErrors(errors);
}

function valuesOf(command: Command, { entries, line }: Invocation): GivenValues {
  const count = command.passThrough ? Object.keys(command.args).length : line.operands.length;
  const values = readValues(entries, line.uses, command.args, line.operands.slice(0, count));
  const own: Record<string, unknown> & { dryRun: boolean } = { dryRun: false };
  for (const { key, scope } of entries) if (scope === 'own') own[key] = values[key];
  for (const key of Object.keys(command.args)) own[key] = values[key];
  if (command.passThrough) own.rest = [...line.operands.slice(count), ...line.unknown];
  return own;
}
