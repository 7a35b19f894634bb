import type { RequestEvent } from '../clients/parts.ts';
import { readOptionWords } from '../config/sources/flags.ts';
import type { ContextParts, GlobalFlags, Messages, OpenContext } from '../context.ts';
import {
  CliError,
  canceledError,
  type ExitCode,
  exitCodes,
  isCommandTimeout,
  rephrased,
  stoppedError,
  usageError,
  withHints,
} from '../errors.ts';
import type { Host, OutputStream } from '../host/host.ts';
import type { Command, Entry, GivenValues } from './command.ts';
import { type Globals, globalFlagsOf, globalsOf, viewOf } from './globals.ts';
import { accessHints, adviseAccess, adviseConnection, adviseHelp, type Needs, needsHint } from './help/advice.ts';
import { commandHelp } from './help/help.ts';
import { optionHelp, optionHelpIn } from './help/option-help.ts';
import { type Interruption, watchInterruption } from './interruption.ts';
import { failedItems } from './output/failed-items.ts';
import { createMessages, retryTeller } from './output/messages.ts';
import type { Printer } from './output/output.ts';
import { printResult, toJson } from './output/render.ts';
import { type ReportFlags, reportError } from './output/report.ts';
import type { TraceFile } from './output/trace.ts';
import { deprecatedFor, warnDeprecated, warnVisible } from './parse/deprecation.ts';
import { type FlagEntry, flagSet } from './parse/flag-set.ts';
import type { NamedCommand } from './parse/named-command.ts';
import { deprecatedUses, type ParsedLine, parseLine, unknownFlag } from './parse/parse.ts';
import { readValues } from './parse/values.ts';
import { confirmDestruction, refuseForRpk } from './safety.ts';

/** What `main` gives the framework, which imports neither commands nor clients. */
export interface Program {
  readonly commands: readonly Entry[];
  readonly version: string;
  openContext(parts: ContextParts): OpenContext;
  /** What a command needs of the brokers, in words; undefined if nobody has said so. */
  readonly neededFor?: (path: readonly string[]) => Promise<string | undefined>;
}

/** The run of one command line. */
export interface Session {
  readonly host: Host;
  readonly program: Program;
  readonly printer: Printer;
  /** Start time, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** How an error is written, once the line is parsed. */
  report?: ReportFlags;
}

/** The line that `--version` prints. */
export function versionLine({ program }: Session): string {
  return `weir ${program.version}\n`;
}

/** The line of a command, parsed. */
interface Invocation {
  readonly path: readonly string[];
  readonly entries: readonly FlagEntry[];
  readonly line: ParsedLine;
  readonly globals: Globals;
}

/** Runs the command of a line: reads its flags and prints what it returns, or what a flag such as `--help` asks for. */
export async function runCommand(session: Session, command: Command, { path, rest }: NamedCommand): Promise<ExitCode> {
  try {
    const entries = flagSet(command, deprecatedFor(command));
    const line = await parseLine(rest, entries);
    const globals = globalsOf(entries, line);
    session.report = { format: globals.format, verbosity: globals.verbose, color: globals.color };
    const invocation = { path, entries, line, globals };
    const answer = await answerOf(session, command, invocation);
    if (answer === undefined) return await execute(session, command, invocation);
    await session.printer.write(answer);
    return exitCodes.ok;
  } catch (error) {
    throw adviseHelp(error, command, path);
  }
}

/** What flags such as `--help` print, which need no context; undefined if the command is to run. */
async function answerOf(session: Session, command: Command, invocation: Invocation): Promise<string | undefined> {
  const { host } = session;
  const { path, entries, line, globals } = invocation;
  const helpKind = optionHelpIn(globals.configOpt);
  if (helpKind !== undefined) return await optionHelp(helpKind, globals.format, host.stdout.isTerminal);
  if (globals.help) return commandHelp(command, path, host.stdout.columns);
  const [unknown] = line.unknown;
  if (unknown !== undefined && !command.passThrough) {
    throw await unknownFlag(unknown, ['weir', ...path].join(' '), entries);
  }
  if (globals.version) {
    checkVersionAlone(invocation);
    return versionLine(session);
  }
  if (globals.format !== 'schema') return undefined;
  const { publishedSchema } = await import('./output/output-schema.ts');
  return `${toJson(publishedSchema(path, command), host.stdout.isTerminal)}\n`;
}

/** Refuses `--version 2` where another flag is meant, such as `--schema-version`: the command would do nothing. */
function checkVersionAlone({ entries, line: { operands }, path }: Invocation): void {
  const meant = entries.find(({ name, scope }) => scope === 'own' && name.endsWith('-version'));
  if (meant === undefined || operands.length === 0) return;
  throw usageError('--version shows the version of weir and takes no arguments', {
    target: '--version',
    hints: [`did you mean --${meant.name}? see weir ${path.join(' ')} --help`],
  });
}

/** Runs a command in a context of its own, reports its error and closes everything. */
async function execute(session: Session, command: Command, invocation: Invocation): Promise<ExitCode> {
  const { host, printer } = session;
  const { path, entries, line, globals } = invocation;
  const values = valuesOf(command, entries, line);
  const flags = globalFlagsOf(globals, host);
  const messages = createMessages(host, flags);
  warnDeprecated(line.uses, flags, messages);
  warnVisible(globals.configOpt, flags, messages);
  const trace =
    globals.trace === undefined ? undefined : (await import('./output/trace.ts')).openTrace(globals.trace, host);
  const context = openContext(session, invocation, { flags, messages, trace: tracer(trace, messages, flags) });
  const interruption = watchInterruption(host, context);
  printer.onFailure(interruption.outputFailed);
  trace?.onFailure(interruption.outputFailed);
  const needs = neededBy(session.program, command, path);
  let exitCode: ExitCode;
  try {
    const work = runAndPrint(session, command, { context, path, values, needs });
    exitCode = await Promise.race([work, interruption.overdue]);
    // Items that a signal left as they were have the code of Ctrl-C.
    if (exitCode === exitCodes.ok || exitCode === exitCodes.interrupted)
      exitCode = interruption.signalCode() ?? exitCode;
    const timeout = interruption.timeout();
    if (timeout !== undefined) throw timeout;
  } catch (error) {
    if (!isBrokenPipe(error)) context.printNoticesAfter();
    const connected = await adviseConnection(adviseHelp(error, command, path), context);
    const advised = await adviseAccess(connected, context, needs);
    exitCode = await reportError(lastError(advised, context, interruption), host, flags);
  } finally {
    interruption.stop();
    await context.close();
  }
  await closeTrace(trace, exitCode);
  // Output that nobody reads must not keep the command from ending.
  const outputMs = interruption.outputMs();
  if (outputMs !== undefined) host.abandonOutput(exitCode, outputMs);
  else if (isCommandTimeout(context.signal.reason)) host.abandonOutput(exitCode);
  return exitCode;
}

function valuesOf(command: Command, entries: readonly FlagEntry[], line: ParsedLine): GivenValues {
  const count = command.passThrough ? Object.keys(command.args).length : line.operands.length;
  const values = readValues(entries, line.uses, command.args, line.operands.slice(0, count));
  const input: Record<string, unknown> & { dryRun: boolean } = { dryRun: false };
  for (const { key, scope } of entries) if (scope === 'own') input[key] = values[key];
  for (const key of Object.keys(command.args)) input[key] = values[key];
  if (command.passThrough) input.rest = [...line.operands.slice(count), ...line.unknown];
  return input;
}

function openContext(
  { host, program, startedAt }: Session,
  { path, line, globals }: Invocation,
  parts: Pick<ContextParts, 'flags' | 'messages' | 'trace'>,
): OpenContext {
  const context = program.openContext({
    ...parts,
    host,
    given: {
      x: globals.configOpt,
      deprecated: deprecatedUses(line.uses),
      profile: globals.profile,
      configFile: globals.config,
      brokerConfigFile: globals.brokerConfig,
    },
    command: ['weir', ...path].join(' '),
    startedAt,
    onChange() {
      if (context.interruptReport() === untouched) context.onInterrupt(undefined);
    },
    onFailure: retryTeller(host, parts.flags, parts.messages),
    askPassword: async (what) => await (await import('./secret.ts')).askPassword(context, what),
  });
  return context;
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
  await refuseForRpk(command, { context, values });
  const plan = await command.plan?.(context, values);
  await confirmDestruction(command, { context, path, values }, plan);
  // Until a client sends a change, or the command says more.
  if (mayChange) context.onInterrupt(command.apis.length > 0 ? untouched : untouchedHere);
  const step = (values.dryRun ? command.dryRun : undefined) ?? command.run;
  const result = await step(context, values, plan);
  const format = flags.format === 'schema' ? 'json' : flags.format;
  const { exitCode, failed, lines } = await printResult(result, command, printer, {
    format,
    view: viewOf(flags, host),
    isTerminal: host.stdout.isTerminal,
    redraws: host.stdout.isTerminal && host.env.TERM !== 'dumb',
    values,
  });
  await printer.flush();
  if (exitCode === exitCodes.auth && command.apis.includes('kafka')) {
    for (const hint of await accessHints(context, needs)) context.hintAfter(hint);
  }
  if (exitCode !== exitCodes.ok && !isOnScreen(lines, host.stdout)) await reportItems(failed, exitCode, context);
  context.printNoticesAfter();
  if (values.dryRun) context.notice('dry run: nothing was changed');
  return exitCode;
}

/** Whether a person sees all lines of a result: on a terminal that has as many. */
function isOnScreen(lines = 0, { isTerminal, rows = Infinity }: OutputStream): boolean {
  return isTerminal && lines < rows;
}

/** Reports failed items on standard error as well, where nobody may see the result. */
async function reportItems(result: unknown, exitCode: ExitCode, context: OpenContext): Promise<void> {
  const { host, flags } = context;
  const error = failedItems(result, exitCode);
  if (error !== undefined) await reportError(withHints(error, context.takeHints()), host, { ...flags, verbosity: 0 });
}

/** Rejects an invalid `-X`, even for a command that resolves no configuration. */
async function checkOptionWords(context: OpenContext): Promise<void> {
  if (context.given.x.length === 0) return;
  const { errors } = await readOptionWords(context.given.x);
  // Resolving reports it together with all other errors in the configuration.
  if (errors.length > 0) await context.config();
}

/** The error that a failed command reports: its own, or that of the signal or the timeout that stopped it. */
function lastError(error: unknown, context: OpenContext, interruption: Interruption): unknown {
  const report = context.interruptReport();
  const signalCode = interruption.signalCode() ?? codeOfSignal(error);
  if (signalCode === undefined) {
    const timeout = interruption.timeout() ?? context.signal.reason;
    return isCommandTimeout(timeout) ? timedOut(timeout, error, report) : error;
  }
  const isUntouched = report === untouched || report === untouchedHere;
  const saysMore = error instanceof CliError && error.exitCode === signalCode && error.hints.length > 0;
  if (isUntouched && saysMore) return error;
  // The signal came to a prompt or a child process.
  if (isUntouched && interruption.signalCode() === undefined) return canceledError(signalCode);
  if (report !== undefined) return rephrased(report, report.message, { exitCode: signalCode, cause: error });
  // The user knows that the command was stopped. Its error is printed only if it has hints.
  return saysMore ? error : new CliError(signalCode, 'stopped', { code: 'INTERRUPTED', cause: error });
}

/** The error of a command that timed out, with what it says about its own end: what was reached, and how to continue. */
function timedOut(timeout: CliError, error: unknown, report: CliError | undefined): CliError {
  if (error instanceof CliError && isCommandTimeout(error) && error !== timeout) return error;
  const failure = error !== timeout && error instanceof CliError ? error : report === untouched ? undefined : report;
  if (failure === undefined) return timeout;
  return rephrased(timeout, `${timeout.message}; ${failure.message}`, { hints: [...timeout.hints, ...failure.hints] });
}

/** The exit code of a signal that a prompt or a child process took instead of the command; undefined for other errors. */
function codeOfSignal(error: unknown): ExitCode | undefined {
  return error instanceof CliError && error.code === 'INTERRUPTED' ? error.exitCode : undefined;
}

/** Whether the reader of standard output went away, after which nothing more is said. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.brokenPipe;
}

/** Closes the trace. @throws CliError when the trace of a command that succeeded is incomplete */
async function closeTrace(trace: TraceFile | undefined, exitCode: ExitCode): Promise<void> {
  try {
    await trace?.close();
  } catch (error) {
    if (exitCode === exitCodes.ok) throw error;
  }
}
