import { type Clients, openClients } from './clients/clients.ts';
import type { ClientParts, Warnings } from './clients/parts.ts';
import { type Clock, realClock } from './clock.ts';
import type { Config } from './config/config.ts';
import { envName, optionKeys, optionOf } from './config/options.ts';
import { resolveConfig } from './config/resolve.ts';
import { earlyOrigin, earlyValue } from './config/sources/environment.ts';
import type { Profiles } from './config/sources/profiles.ts';
import { type ConfigArguments, type ProfileSelection, selectProfile } from './config/sources/selection.ts';
import { type Deadline, type FailureListener, nestedIn, startDeadline, type TimeOptions } from './deadline.ts';
import type { CliError } from './errors.ts';
import type { LockWait } from './files/lock.ts';
import type { Host, Signal } from './host/host.ts';
import { once } from './once.ts';

/** The values of the flags that every command has. */
export interface GlobalFlags {
  readonly format: 'text' | 'wide' | 'json' | 'yaml' | 'schema';
  /** 0, 1 (`-v`: steps) or 2 (`-vv`: detail and stacks). */
  readonly verbosity: number;
  readonly quiet: boolean;
  /** Where requests are written; `-` is standard error. */
  readonly trace: string | undefined;
  /** Whether choices must not be offered: with `--no-input`, without a terminal, or in CI. */
  readonly noInput: boolean;
  /** Whether `--no-input` was given: commands that need a confirmation are refused. */
  readonly refusesInput: boolean;
  readonly yes: boolean;
  readonly noHeaders: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/** The state of a long task; fields that are left out keep their last value. */
export interface ProgressState {
  readonly done?: number;
  readonly total?: number;
  /** `bytes` are shown as a size; any other unit is printed after the number. */
  readonly unit?: 'bytes' | 'records';
  /** The current step, for example `creating`. */
  readonly detail?: string;
}

/** Progress of one task, shown on stderr. */
export interface Progress {
  /** Updates the state; cheap enough to call for every chunk. */
  report(state: ProgressState): void;
  /** Removes the progress line until it is drawn again, so that other lines can be written to the screen. */
  clear(): void;
  /** Removes the progress line from the screen. */
  end(): void;
}

/** Messages to the user, all written to stderr. */
export interface Messages extends Warnings {
  /** Prints a line, unless `--quiet` is given. */
  notice(line: string): void;
  /** Prints a step, with `-v` only. */
  step(line: string): void;
  /** Prints a detail, with `-vv` only. */
  detail(line: string): void;
  /**
   * Keeps the screen for what a command shows on all of it until the returned function is called: warnings are printed
   * then, everything else is dropped.
   */
  hold(): () => void;
  /** Starts progress: a redrawn line on a terminal after the first second, one line every ten seconds elsewhere. */
  progress(title: string): Progress;
}

/** What stops a streaming command: a signal, that its output cannot be written any more, or a command timeout that was set. */
export type StopCause = 'signal' | 'output' | 'timeout';

/** Everything a command may use. Clients are created on first use and closed at the end. */
export interface Context extends Messages, Omit<Clients, 'close'> {
  readonly host: Host;
  readonly flags: GlobalFlags;
  /** The options of `-X`, as typed. */
  readonly optionWords: readonly string[];
  /** Prints a line after the result, unless `--quiet` is given: what to do next. Before the error, if the command fails. */
  noticeAfter(line: string): void;
  /** Says what to do next about items that failed: a hint of the error that reports them, or a line after the result. */
  hintAfter(hint: string): void;
  /**
   * Lets a streaming command stop by itself within 5 s of the first signal, of a failure of its output or of its timeout,
   * instead of having its pending requests aborted. If the listener returns what is left to do (`finishing 2 records`), Ctrl-C sets no limit: the command goes
   * on until that is done, or a second signal ends it. Call the returned function when the stream has ended.
   */
  onStop(listener: (cause: StopCause) => string | undefined): () => void;
  /**
   * Passes every signal to `listener` only, while a child process has the terminal: the child decides how to end, and
   * the command continues after that. Call the returned function when the child has ended.
   */
  handSignals(listener: (signal: Signal) => void): () => void;
  /**
   * Sets what to report if a signal ends the command from now on: what was reached, and how to continue. A function is
   * called when that happens.
   */
  onInterrupt(report: CliError | (() => CliError) | undefined): void;
  /** Aborts on Ctrl-C and other signals, when output fails (both unless `onStop` is used), and when the command times out. */
  readonly signal: AbortSignal;
  /** How to wait for locks held by other commands: until the command times out or a signal stops it. */
  readonly lockWait: LockWait;
  /** The clock of every limit. */
  readonly clock: Clock;
  /**
   * Runs a phase that only a command timeout bounds that somebody has set: a prompt, a child process or a stream. Unlike
   * `deadline()`, this does not fail if the configuration cannot be resolved.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the resolved configuration; the first call reads the files. */
  config(): Promise<Config>;
  /** The configuration part of the command line, unparsed; for code that resolves it without printing warnings. */
  readonly given: ConfigArguments;
  /** Returns the files and the profile that this command line names, without reading them. */
  profileSelection(): ProfileSelection;
  /** Opens the profile file, for commands outside `profile` that create or remove a profile. */
  profiles(): Promise<Profiles>;
  /** Returns the command's deadline with the configured limits; its clock started with the command. */
  deadline(): Promise<Deadline>;
  /** Opens a context for the configuration of another line, without prompts and messages. Close it after use. */
  another(given: ConfigArguments): OpenContext;
  /**
   * Opens a context for another profile of the same files, as for the other cluster of a copy. Flags and variables are
   * about the command's own profile, except for the time limits (`globals.*`). It ends with this one.
   */
  ofProfile(name: string): OpenContext;
}

/** A context with the functions that only its creator may call. */
export interface OpenContext extends Context {
  /** Aborts pending requests; only the first reason counts. */
  abort(reason: Error): void;
  /** Sets what stops the command in order when it times out; see `Deadline`. */
  onTimeout: Deadline['onTimeout'];
  /** Calls the listeners of `onStop` and returns what they have left to do; undefined if there are none. */
  stop(cause: StopCause): readonly string[] | undefined;
  /** Passes a signal to the listener of `handSignals`; returns false if there is none. */
  deliver(signal: Signal): boolean;
  /** Prints the lines of `noticeAfter`, each once, and then the hints that nobody took. */
  printNoticesAfter(): void;
  /** Takes the hints of `hintAfter`, for the error that reports the items. */
  takeHints(): readonly string[];
  /** The report that was last given to `onInterrupt`. */
  interruptReport(): CliError | undefined;
  /** Closes the clients that were opened. */
  close(): Promise<void>;
}

/** The parts that a context is made from. */
export interface ContextParts extends ClientParts {
  readonly flags: GlobalFlags;
  readonly given: ConfigArguments;
  readonly messages: Messages;
  /** When the command started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The clock of every limit (default: that of the machine). */
  readonly clock?: Clock;
  /** Called for every failure that is retried. */
  readonly onFailure?: FailureListener;
  /** The deadline of the command, if this context is for a part of it. */
  readonly outer?: Deadline;
}

/** What a context that nobody sees does without. */
const alone = {
  trace: undefined,
  onFailure: () => undefined,
  askPassword: async () => undefined,
  mayRun: false,
  messages: {
    notice: () => undefined,
    step: () => undefined,
    detail: () => undefined,
    warn: () => undefined,
    warnOnce: () => undefined,
    hold: () => () => undefined,
    progress: () => ({ report: () => undefined, clear: () => undefined, end: () => undefined }),
  },
} as const;

/** Opens the context of one command, without reading a file or opening a connection. */
export function openContext(parts: ContextParts): OpenContext {
  const { host, flags, given, messages } = parts;
  const { limit, config, deadline, openEnded, lockWait } = startLimit(parts);
  const clients = openClients(parts, config, deadline);
  const others: OpenContext[] = [];
  const open = (changed: Partial<ContextParts>): OpenContext => openContext({ ...parts, ...changed });
  return {
    ...messages,
    ...noticesAfter(messages),
    ...listeners(),
    host,
    flags,
    given,
    optionWords: given.x,
    signal: limit.signal,
    lockWait,
    clock: limit.clock,
    onTimeout: limit.onTimeout,
    openEnded,
    config,
    profileSelection: () => selectProfile(host, given),
    async profiles() {
      const { profilesOf } = await import('./config/sources/profiles.ts');
      const selection = selectProfile(host, given);
      return profilesOf({
        host,
        selection,
        lockWait,
      });
    },
    deadline,
    kafka: clients.kafka,
    admin: clients.admin,
    registry: clients.registry,
    cloud: clients.cloud,
    oauth: clients.oauth,
    secrets: clients.secrets,
    checkup: clients.checkup,
    another: (other) => open({ ...alone, given: other }),
    ofProfile(name) {
      const { onFailure } = alone; // this context's own reports what fails
      const other = open({ host: withoutOptions(host), given: onlyGlobals(given, name), onFailure, outer: limit });
      limit.signal.addEventListener('abort', () => other.abort(limit.signal.reason), { once: true });
      others.push(other);
      return other;
    },
    abort: limit.abort,
    async close() {
      for (const other of others) await other.close();
      await clients.close();
      limit.dispose();
    },
  };
}

/** The same world without the variables of options, except for `globals.*`. */
function withoutOptions(host: Host): Host {
  const names = new Set(optionKeys.filter((key) => !isGlobal(key)).map(envName));
  return { ...host, env: Object.fromEntries(Object.entries(host.env).filter(([name]) => !names.has(name))) };
}

/** The same line for another profile, with the flags of `globals.*` only. */
function onlyGlobals({ x, configFile, brokerConfigFile }: ConfigArguments, profile: string): ConfigArguments {
  return {
    x: x.filter((word) => isGlobal(word.toLowerCase())),
    deprecated: [],
    profile,
    profileOrigin: `${profile}:`,
    configFile,
    brokerConfigFile,
  };
}

function isGlobal(key: string): boolean {
  return key.startsWith('globals.');
}

/** Starts the command timeout: first with the values known before any file is read, then with the configured ones. */
function startLimit(parts: ContextParts) {
  const { host, given, messages, clock = realClock } = parts;
  const startedAt = clock.now() - (clock.wallTime() - parts.startedAt);
  const commandDeadline = startDeadline(earlyTimes(host, given), startedAt, parts.onFailure, clock);
  const limit = parts.outer === undefined ? commandDeadline : nestedIn(parts.outer, commandDeadline);
  const resolved = once(async () => {
    const config = await resolveConfig(host, given);
    const { source, origin } = config.setting('globals.command_timeout');
    limit.resolve({ ...timesOf((key) => config.get(key)), commandOrigin: source === 'default' ? undefined : origin });
    return config;
  });
  const config = once(async () => reportWarnings(await resolved(), messages));
  const deadline = once(async () => {
    await config();
    return limit;
  });
  // Commands that do not resolve the configuration otherwise: a timeout from a file applies from here.
  const applyTimeout = (): void => void resolved().catch(() => undefined);
  const openEnded: Deadline['openEnded'] = (work) => {
    applyTimeout();
    return limit.openEnded(work);
  };
  const lockWait: LockWait = {
    signal: limit.signal,
    command: parts.command,
    onWait(holder) {
      messages.step(`waiting for a lock held by ${holder}`);
      applyTimeout();
      return limit.waitingFor(`a lock held by ${holder}`);
    },
  };
  return { limit, config, deadline, openEnded, lockWait };
}

/** Notices that wait for the result: on a terminal, and in a log, they belong below it. */
function noticesAfter({
  notice,
}: Messages): Pick<OpenContext, 'noticeAfter' | 'hintAfter' | 'printNoticesAfter' | 'takeHints'> {
  const lines: string[] = [];
  const hints: string[] = [];
  return {
    noticeAfter: (line) => void lines.push(line),
    hintAfter: (hint) => void hints.push(hint),
    takeHints: () => hints.splice(0),
    printNoticesAfter() {
      for (const line of lines.splice(0)) notice(line);
      for (const hint of hints.splice(0)) notice(`hint: ${hint}`);
    },
  };
}

/** The listeners for signals, besides the abort signal. */
function listeners(): Pick<
  OpenContext,
  'onStop' | 'stop' | 'handSignals' | 'deliver' | 'onInterrupt' | 'interruptReport'
> {
  let report: Parameters<Context['onInterrupt']>[0];
  const stoppers = new Set<(cause: StopCause) => string | undefined>();
  const takers = new Set<(signal: Signal) => void>();
  return {
    onStop(listener) {
      stoppers.add(listener);
      return () => stoppers.delete(listener);
    },
    stop(cause) {
      if (stoppers.size === 0) return undefined;
      return [...stoppers].map((listener) => listener(cause)).filter((left) => left !== undefined);
    },
    handSignals(listener) {
      takers.add(listener);
      return () => takers.delete(listener);
    },
    deliver(signal) {
      for (const take of takers) take(signal);
      return takers.size > 0;
    },
    onInterrupt(given) {
      report = given;
    },
    interruptReport: () => (typeof report === 'function' ? report() : report),
  };
}

function reportWarnings(config: Config, messages: Messages): Config {
  for (const warning of config.warnings) messages.warn(warning);
  for (const remark of config.remarks) messages.step(remark);
  return config;
}

/** The time options known before any file is read, so that commands that read no configuration have a timeout too. */
function earlyTimes({ env }: Host, { x }: ConfigArguments): TimeOptions {
  // The fallback of a duration option is a duration.
  const times = timesOf((key) => earlyValue(key, x, env) ?? (optionOf(key).fallback as bigint));
  const key = 'globals.command_timeout';
  return { ...times, commandOrigin: earlyValue(key, x, env) === undefined ? undefined : earlyOrigin(key, x) };
}

/** The keys of the time options. */
type TimeKey =
  | 'globals.dial_timeout'
  | 'globals.request_timeout_overhead'
  | 'globals.retry_timeout'
  | 'globals.command_timeout'
  | 'globals.fetch_max_wait';

/** Reads the time options from a source of values. */
function timesOf(get: (key: TimeKey) => bigint): TimeOptions {
  return {
    dial: get('globals.dial_timeout'),
    requestOverhead: get('globals.request_timeout_overhead'),
    retry: get('globals.retry_timeout'),
    command: get('globals.command_timeout'),
    fetchMaxWait: get('globals.fetch_max_wait'),
  };
}
