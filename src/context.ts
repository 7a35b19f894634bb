import type { Cloud, CloudOptions } from './cloud/cloud.ts';
import type { Config } from './config/config.ts';
import { requireAddresses, resolveConfig } from './config/resolve/resolve.ts';
import { absolutePath, stateDirectory, variable } from './config/sources/locations.ts';
import type { Profiles } from './config/sources/profiles.ts';
import { type Given, type ProfileSelection, selectProfile } from './config/sources/selection.ts';
import { type Deadline, type FailureListener, startDeadline } from './deadline.ts';
import { usageError } from './errors.ts';
import type { Host, Signal } from './host.ts';
import type { Kafka, KafkaOptions, RequestTrace, SaslOptions } from './kafka/kafka.ts';
import type { HttpTrace } from './net/http-trace.ts';
import type { TlsOptions } from './net/tls.ts';
import { version } from './version.ts';

/** The flags every command has, as given. */
export interface GlobalFlags {
  readonly format: 'text' | 'wide' | 'json' | 'yaml' | 'schema';
  /** 0, 1 (`-v`: steps) or 2 (`-vv`: detail and stacks). */
  readonly verbosity: number;
  readonly quiet: boolean;
  /** `--no-input`, or no terminal, or CI: nothing may ask. */
  readonly noInput: boolean;
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
  /** The resolved configuration; files are read at the first call. */
  config(): Promise<Config>;
  /** What the command line says about the configuration, unread: for what must resolve it without a warning. */
  readonly given: Given;
  /** Which files and profile this command line names; nothing is read. For the commands that work on the file itself. */
  profileSelection(): ProfileSelection;
  /** The profile file, for commands that are not about it but make or remove a profile. */
  profiles(): Promise<Profiles>;
  /** The command's one deadline; its clock runs since the command started. */
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
  const controller = new AbortController();
  const closers: (() => unknown)[] = [];
  const stoppers = new Set<() => void>();
  const takers = new Set<(signal: Signal) => void>();
  const config = once(() => readConfig(parts));
  const deadline = once(async () => {
    const opened = openDeadline(await config(), performance.now() - (Date.now() - parts.startedAt), parts.onFailure);
    closers.push(opened.dispose);
    opened.signal.addEventListener('abort', () => controller.abort(opened.signal.reason));
    if (controller.signal.aborted) opened.abort(abortReason(controller.signal));
    controller.signal.addEventListener('abort', () => opened.abort(abortReason(controller.signal)));
    return opened;
  });
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
    host,
    flags,
    given,
    signal: controller.signal,
    config,
    profileSelection: () => selectProfile(host, given),
    profiles: async () => (await import('./config/sources/profiles.ts')).openProfiles(selectProfile(host, given)),
    deadline,
    kafka,
    cloud,
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
    abort: (reason) => controller.abort(reason),
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function readConfig({ host, given, messages }: ContextParts): Promise<Config> {
  const config = await resolveConfig(host, given);
  for (const warning of config.warnings) messages.warn(warning);
  for (const remark of config.remarks) messages.step(remark);
  return config;
}

function openDeadline(config: Config, startedAt: number, onFailure: FailureListener | undefined): Deadline {
  const times = {
    dial: config.get('globals.dial_timeout'),
    requestOverhead: config.get('globals.request_timeout_overhead'),
    retry: config.get('globals.retry_timeout'),
    command: config.get('globals.command_timeout'),
    fetchMaxWait: config.get('globals.fetch_max_wait'),
  };
  return startDeadline(times, startedAt, onFailure);
}

/**
 * The broker client's options as the configuration has them.
 * @throws CliError when there is no broker, or when SASL is configured by half
 */
export function kafkaOptions(config: Config, deadline: Deadline, host: Pick<Host, 'home' | 'cwd'>): KafkaOptions {
  const brokers = requireAddresses(config, 'brokers');
  return {
    brokers,
    tls: tlsOptions(config, 'tls', host),
    sasl: saslOptions(config),
    clientId: config.get('globals.streaming_protocol_request_client_id'),
    softwareVersion: version,
    deadline,
  };
}

/** Paths are relative to the working directory; `~/` is the home directory. */
async function openCloudOf(parts: ContextParts, config: Config, deadline: Deadline): Promise<Cloud> {
  const { openCloud } = await import('./cloud/open.ts');
  return openCloud({ ...cloudOptions(parts, config, deadline), ...(parts.trace && { trace: parts.trace }) });
}

/** The control plane client's options as the configuration and the environment have them. */
function cloudOptions({ host, messages }: ContextParts, config: Config, deadline: Deadline): CloudOptions {
  const credentials = {
    clientId: config.get('cloud.client_id') || undefined,
    clientSecret: config.get('cloud.client_secret') || undefined,
  };
  // A token of the environment loses to credentials on the command line, as every option does.
  const isTyped = credentials.clientId !== undefined && config.setting('cloud.client_id').source === 'flag';
  return {
    place: {
      apiUrl: config.get('cloud.api_url'),
      authUrl: config.get('cloud.auth_url'),
      audience: config.get('cloud.audience'),
      legacyUrl: config.get('cloud.legacy_url'),
    },
    credentials: { token: isTyped ? undefined : variable(host, 'WEIR_CLOUD_TOKEN'), ...credentials },
    deviceClientId: config.get('cloud.device_client_id') || undefined,
    stateDirectory: stateDirectory(host),
    env: host.env,
    userAgent: 'weir',
    deadline,
    warn: messages.warn,
  };
}

function tlsOptions(config: Config, keyPrefix: 'tls', host: Pick<Host, 'home' | 'cwd'>): TlsOptions | undefined {
  if (!config.get(`${keyPrefix}.enabled`)) return undefined;
  const file = (key: 'ca' | 'cert' | 'key') => {
    const path = config.get(`${keyPrefix}.${key}`);
    return path === '' ? undefined : absolutePath(host, path);
  };
  return {
    ca: file('ca'),
    cert: file('cert'),
    key: file('key'),
    insecureSkipVerify: config.get(`${keyPrefix}.insecure_skip_verify`),
    keyPrefix,
  };
}

function saslOptions(config: Config): SaslOptions | undefined {
  const username = config.get('user');
  const password = config.get('pass');
  const mechanism = config.get('sasl.mechanism');
  if (username === '') {
    if (mechanism === '') return undefined;
    throw halfConfigured(`sasl.mechanism is ${mechanism}, but user is not set`, 'user');
  }
  if (password === '') throw halfConfigured('user is set, but pass is not', 'pass');
  return { mechanism: (mechanism || 'SCRAM-SHA-256') as SaslOptions['mechanism'], username, password };
}

function halfConfigured(message: string, missing: string): Error {
  return usageError(message, {
    code: 'CONFIG_INVALID',
    target: missing,
    hints: [`set it with -X ${missing}=TEXT, WEIR_${missing.toUpperCase()}, or in the profile`],
  });
}
