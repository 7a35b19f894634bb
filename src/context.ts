import { cloudOptions } from './client-options/cloud.ts';
import { kafkaOptions } from './client-options/kafka.ts';
import type { Cloud } from './cloud/cloud.ts';
import type { Config } from './config/config.ts';
import { optionOf } from './config/options.ts';
import { resolveConfig } from './config/resolve/resolve.ts';
import { earlyValue } from './config/sources/early-value.ts';
import type { Profiles } from './config/sources/profiles.ts';
import { type Given, type ProfileSelection, selectProfile } from './config/sources/selection.ts';
import { type Deadline, type FailureListener, startDeadline, type TimeOptions } from './deadline.ts';
import type { LockWait } from './files/lock.ts';
import type { Host, Signal } from './host.ts';
import type { Kafka, RequestTrace } from './kafka/kafka.ts';
import type { HttpTrace } from './net/http-trace.ts';

/** The flags every command has, as given. */
export interface GlobalFlags {
  readonly format: 'text' | 'wide' | 'json' | 'yaml' | 'schema';
  /** 0, 1 (`-v`: steps) or 2 (`-vv`: detail and stacks). */
  readonly verbosity: number;
  readonly quiet: boolean;
  /** `--no-input`, or no terminal, or CI: nothing may offer a choice. */
  readonly noInput: boolean;
  /** `--no-input` itself: what must be confirmed is refused. */
  readonly refusesInput: boolean;
  readonly yes: boolean;
  readonly noHeaders: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/** How far a long piece of work is; what is left out keeps its last value. */
export interface ProgressState {
  readonly done?: number;
  readonly total?: number;
  /** `bytes` are shown as a size; any other word stands behind the number. */
  readonly unit?: 'bytes' | 'records';
  /** What is going on, for example `STATE_CREATING`. */
  readonly detail?: string;
}

/** Progress of one piece of work, on stderr. */
export interface Progress {
  /** Cheap: may be called for every chunk. */
  report(state: ProgressState): void;
  /** Takes the line off the screen. */
  end(): void;
}

/** The way to the person: all of it is stderr. */
export interface Messages {
  /** A line for a person; silent with `--quiet`. */
  notice(line: string): void;
  /** A step, with `-v`. */
  step(line: string): void;
  /** Detail, with `-vv`. */
  detail(line: string): void;
  /** A warning, once per distinct text; silent with `--quiet`. */
  warn(line: string): void;
  /** Starts progress: a redrawn line on a terminal from the first second on, a line per ten seconds elsewhere. */
  progress(title: string): Progress;
}

/** One request to any of the APIs, as traced. */
export type RequestEvent = RequestTrace | HttpTrace;

/** What a command may use. Clients are made when first asked for and closed at the end. */
export interface Context extends Messages {
  readonly host: Host;
  readonly flags: GlobalFlags;
  /**
   * Lets a command that streams stop by itself on the first signal, within 5 s, instead of having aborted
   * what is in flight. Call what it returns when the stream has ended.
   */
  onStop(listener: () => void): () => void;
  /**
   * Hands every signal to `listener` alone, for as long as a child process has the terminal: the child decides how
   * it ends, and the command goes on when it has. Call what it returns then.
   */
  handSignals(listener: (signal: Signal) => void): () => void;
  /** Aborts on Ctrl-C and the like, when the reader of stdout goes away, and when the command's time is over. */
  readonly signal: AbortSignal;
  /** How locks that other commands hold are waited for: until the command's time is over or a signal stops it. */
  readonly lockWait: LockWait;
  /**
   * Runs a phase that the command's time does not bound: a person, a child process, a stream. Unlike that of
   * `deadline()`, it needs no configuration.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** The resolved configuration; files are read at the first call. */
  config(): Promise<Config>;
  /** What the command line says about the configuration, unread: for what must resolve it without a warning. */
  readonly given: Given;
  /** Which files and profile this command line names; nothing is read. For the commands that work on the file itself. */
  profileSelection(): ProfileSelection;
  /** The profile file, for commands that are not about it but make or remove a profile. */
  profiles(): Promise<Profiles>;
  /** The command's one deadline, with the limits as configured; its clock runs since the command started. */
  deadline(): Promise<Deadline>;
  /** The broker data API. */
  kafka(): Promise<Kafka>;
  /** The control plane. */
  cloud(): Promise<Cloud>;
}

/** A context as its maker holds it. */
export interface OpenContext extends Context {
  /** Aborts what is in flight; the first reason counts. */
  abort(reason: Error): void;
  /** Tells the listeners of `onStop`; false when there is none. */
  stop(): boolean;
  /** Hands a signal to the listener of `handSignals`; false when there is none. */
  deliver(signal: Signal): boolean;
  /** Closes the clients that were opened. */
  close(): Promise<void>;
}

/** What a context is made of. */
export interface ContextParts {
  readonly host: Host;
  readonly flags: GlobalFlags;
  readonly given: Given;
  /** As typed, without flags and arguments, for example `weir profile create`. */
  readonly command: string;
  readonly messages: Messages;
  /** When the command began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly trace: ((event: RequestEvent) => void) | undefined;
  /** Hears of every failure that is being retried. */
  readonly onFailure?: FailureListener;
}

/** Makes the context of one command; nothing is read and nobody is called yet. */
export function createContext(parts: ContextParts): OpenContext {
  const { host, flags, given, messages } = parts;
  const { limit, config, deadline, lockWait } = startLimit(parts);
  const closers: (() => unknown)[] = [limit.dispose];
  const kafka = once(async () => {
    const options = kafkaOptions(await config(), await deadline(), host);
    const { openKafka } = await import('./kafka/open.ts');
    const opened = openKafka({ ...options, ...(parts.trace && { trace: parts.trace }) });
    closers.push(() => opened.close());
    return opened;
  });
  const cloud = once(async () => {
    const opened = await openCloudOf(parts, await config(), await deadline());
    closers.push(() => opened.close());
    return opened;
  });
  return {
    ...messages,
    ...listeners(),
    host,
    flags,
    given,
    signal: limit.signal,
    lockWait,
    openEnded: limit.openEnded,
    config,
    profileSelection: () => selectProfile(host, given),
    async profiles() {
      return (await import('./config/sources/profiles.ts')).openProfiles(selectProfile(host, given), lockWait);
    },
    deadline,
    kafka,
    cloud,
    abort: limit.abort,
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

/** Arms the command's time, first with what is known without a file, then as the configuration has it. */
function startLimit(parts: ContextParts) {
  const { host, given, messages } = parts;
  const startedAt = performance.now() - (Date.now() - parts.startedAt);
  const limit = startDeadline(earlyTimes(host, given), startedAt, parts.onFailure);
  const resolved = once(async () => {
    const config = await resolveConfig(host, given);
    limit.resolve(timesOf((key) => config.get(key)));
    return config;
  });
  const config = once(async () => tellOf(await resolved(), messages));
  const deadline = once(async () => {
    await config();
    return limit;
  });
  const lockWait: LockWait = {
    signal: limit.signal,
    command: parts.command,
    onWait(holder) {
      messages.step(`waiting for a lock that is held by ${holder}`);
      // A command that resolves no configuration, such as those about profiles, has time for it now.
      resolved().catch(() => undefined);
      return limit.waitingFor(`a lock that is held by ${holder}`);
    },
  };
  return { limit, config, deadline, lockWait };
}

/** Who hears of signals besides the abort signal. */
function listeners(): Pick<OpenContext, 'onStop' | 'stop' | 'handSignals' | 'deliver'> {
  const stoppers = new Set<() => void>();
  const takers = new Set<(signal: Signal) => void>();
  return {
    onStop(listener) {
      stoppers.add(listener);
      return () => stoppers.delete(listener);
    },
    stop() {
      for (const listener of stoppers) listener();
      return stoppers.size > 0;
    },
    handSignals(listener) {
      takers.add(listener);
      return () => takers.delete(listener);
    },
    deliver(signal) {
      for (const take of takers) take(signal);
      return takers.size > 0;
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function tellOf(config: Config, messages: Messages): Config {
  for (const warning of config.warnings) messages.warn(warning);
  for (const remark of config.remarks) messages.step(remark);
  return config;
}

type TimeKey =
  | 'globals.dial_timeout'
  | 'globals.request_timeout_overhead'
  | 'globals.retry_timeout'
  | 'globals.command_timeout'
  | 'globals.fetch_max_wait';

function timesOf(get: (key: TimeKey) => bigint): TimeOptions {
  return {
    dial: get('globals.dial_timeout'),
    requestOverhead: get('globals.request_timeout_overhead'),
    retry: get('globals.retry_timeout'),
    command: get('globals.command_timeout'),
    fetchMaxWait: get('globals.fetch_max_wait'),
  };
}

/** What can be known without a file: every command has its limit from the start, also one that reads no configuration. */
function earlyTimes({ env }: Host, { x }: Given): TimeOptions {
  // The fallback of a duration is one.
  return timesOf((key) => earlyValue(key, x, env) ?? (optionOf(key).fallback as bigint));
}

async function openCloudOf(parts: ContextParts, config: Config, deadline: Deadline): Promise<Cloud> {
  const { openCloud } = await import('./cloud/open.ts');
  return openCloud({ ...cloudOptions(parts, config, deadline), ...(parts.trace && { trace: parts.trace }) });
}
