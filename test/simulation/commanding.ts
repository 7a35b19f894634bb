import { Writable } from 'node:stream';
import { runLine } from '../../src/cli/program.ts';
import { commands } from '../../src/commands/index.ts';
import { type ContextParts, type OpenContext, openContext } from '../../src/context.ts';
import { CliError, type ExitCode } from '../../src/errors.ts';
import type { Host, Signal } from '../../src/host/host.ts';
import type { Kafka } from '../../src/kafka/open.ts';
import { produce } from '../../src/kafka/streams/produce/produce.ts';
import type { NumberRange } from '../../src/kafka/streams/produce/record-numbers.ts';
import type { ProduceRequest } from '../../src/kafka/streams/produce/request.ts';
import type { TestLimits } from '../services/scripted-client.ts';
import { createProcessClock } from './process-clock.ts';
import { openInput, type Produced, type ProducePlan, readReport, valuesOf } from './producing.ts';
import type { SimulatedClient, World } from './world.ts';

/** A signal to a command, in milliseconds after its start. */
export interface SignalAt {
  readonly at: number;
  readonly signal: Signal;
}

/** What has become of the records, as the error of a command counts them. */
export interface PrintedAccount {
  readonly read: number;
  readonly acknowledged: number;
  readonly uncertain: number;
  readonly not_sent: number;
  readonly numbers_of: 'lines' | 'records';
  readonly uncertain_ranges: readonly NumberRange[];
  readonly not_sent_ranges: readonly NumberRange[];
}

/** What a command was given, and what its user sees of it besides its report. */
export interface Commanded {
  /** The records that it has read from its input. */
  readonly given: number;
  /** The signals that it has received before its end; their times are those of the clock. */
  readonly signals: readonly SignalAt[];
  readonly exitCode: ExitCode;
  /** On the clock. */
  readonly endedAt: number;
  /** Each warning that the production has raised. */
  readonly raised: readonly string[];
  readonly stderr: string;
  /** Undefined if no error was printed, or if it counts nothing. */
  readonly account: PrintedAccount | undefined;
}

/** How a command is run. */
export interface CommandOptions {
  readonly name: string;
  readonly limits: Required<TestLimits>;
  /** Called with the number of records that are reported at that time. */
  readonly onReport?: (records: number) => void;
}

/** A command that has read its flags and configuration, which takes real time. */
export interface ReadyCommand {
  /** Continues in virtual time. Never rejects. */
  start(): Promise<Produced>;
}

/** Runs `topic produce` up to its first use of the network, with the layers of the command line around it. */
export async function prepareProduce(
  world: World,
  { name, limits, onReport }: CommandOptions,
  plan: ProducePlan,
  onClient: (client: SimulatedClient) => void,
): Promise<ReadyCommand> {
  const values = valuesOf(name, plan);
  const input = openInput(world, values, plan);
  const [ready, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const watch: Watch = { world, name, ready: ready.resolve, opened: gate.promise, onClient, raised: [], delivered: 0 };
  const [stdout, stderr] = [collector(onReport), collector()];
  const listeners = new Set<(signal: Signal) => void>();
  const host = hostOf(lineOf(plan, limits), {
    input: input.chunks,
    stdout: stdout.stream,
    stderr: stderr.stream,
    listeners,
  });
  const running = runLine(host, {
    ...{ commands, version: '0.0.0' },
    openContext: (parts) => simulatedContext(watch, parts),
  });
  await Promise.race([ready.promise, running]);
  return {
    async start() {
      const signals = sendSignals(world, name, { plan, listeners });
      gate.resolve();
      const exitCode = await running;
      world.tell(`${name} ends with exit code ${exitCode}`);
      const printed = errorIn(stderr.text());
      const error = printed && new CliError(exitCode, printed.message, { code: printed.code });
      if (error !== undefined) world.tell(`${name} fails: ${error.message}`);
      return {
        ...{ name, plan, values, acknowledged: readReport(stdout.text()), warnings: watch.raised },
        ...{ delivered: watch.delivered, error },
        command: {
          ...{ given: input.given(), signals, exitCode, endedAt: world.clock.now(), raised: watch.raised },
          ...{ stderr: stderr.text(), account: printed?.records },
        },
      };
    },
  };
}

function lineOf(plan: ProducePlan, limits: Required<TestLimits>): readonly string[] {
  const { topic, hasKeys, acks, compression, maxMessageBytes, deliveryTimeoutMs } = plan;
  const options = [
    `globals.dial_timeout=${limits.dial}ms`,
    `globals.request_timeout_overhead=${limits.overhead}ms`,
    `globals.retry_timeout=${limits.retry}ms`,
    `globals.command_timeout=${limits.command}ms`,
  ];
  return [
    ...['topic', 'produce', topic, '-f', hasKeys ? '%k %v\\n' : '%v\\n', '-o', '%v %p %o\\n', '--format', 'json'],
    ...['--acks', String(acks), '-z', compression],
    // Without the flag, whole lines are taken at once.
    ...(maxMessageBytes < largeBytes ? ['--max-message-bytes', String(maxMessageBytes)] : []),
    ...(deliveryTimeoutMs === undefined ? [] : ['--delivery-timeout', `${deliveryTimeoutMs}ms`]),
    ...options.flatMap((option) => ['-X', option]),
  ];
}

/** More than one batch of this size, in bytes, is not needed for all records. */
const largeBytes = 4_000;

interface Watch {
  readonly world: World;
  readonly name: string;
  readonly ready: () => void;
  readonly opened: Promise<void>;
  readonly onClient: (client: SimulatedClient) => void;
  readonly raised: string[];
  delivered: number;
}

/** The context of a command in a world: everything in it is weir's, except the clock, the network and the brokers. */
function simulatedContext(watch: Watch, parts: ContextParts): OpenContext {
  const { world, name, raised } = watch;
  const clock = createProcessClock(world.clock);
  const context = openContext({ ...parts, clock, startedAt: clock.wallTime() });
  let client: SimulatedClient | undefined;
  const watched = (request: ProduceRequest): ProduceRequest => ({
    ...request,
    warn(line) {
      raised.push(line);
      world.tell(`${name} warns: ${line}`);
      request.warn(line);
    },
    onDelivered(records) {
      watch.delivered += records;
      request.onDelivered(records);
    },
  });
  return {
    ...context,
    async kafka() {
      const deadline = await context.deadline();
      client = world.connect(name, clock, deadline);
      watch.onClient(client);
      watch.ready();
      await watch.opened;
      const calls: Pick<Kafka, 'produce'> = { produce: (request) => produce(openClient(client), watched(request)) };
      return calls as Kafka;
    },
    async close() {
      client?.close();
      await context.close();
    },
  };
}

function openClient(client: SimulatedClient | undefined): SimulatedClient['client'] {
  if (client === undefined) throw new Error('the client is not open');
  return client.client;
}

/** Sends the signals of a plan at their times; returns those that the command gets. */
function sendSignals(
  { clock, tell }: World,
  name: string,
  { plan, listeners }: { readonly plan: ProducePlan; readonly listeners: ReadonlySet<(signal: Signal) => void> },
): readonly SignalAt[] {
  const received: SignalAt[] = [];
  for (const { at, signal } of plan.signals ?? []) {
    clock.after(at, () => {
      if (listeners.size === 0) return;
      tell(`${name} gets ${signal}`);
      received.push({ at: clock.now(), signal });
      for (const listener of [...listeners]) listener(signal);
    });
  }
  return received;
}

interface Streams {
  readonly input: AsyncIterable<Buffer>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly listeners: Set<(signal: Signal) => void>;
}

function hostOf(argv: readonly string[], { input, stdout, stderr, listeners }: Streams): Host {
  const none = (): never => {
    throw new Error('a simulated command has no such thing');
  };
  return {
    ...{ argv, env: {}, cwd: '/nonexistent', home: '/nonexistent', platform: 'linux' },
    runtime: { name: 'Node.js 24.0.0', arch: 'x64' },
    stdin: {
      get stream() {
        return none();
      },
      ...{ chunks: input, isTerminal: false },
    },
    stdout: { stream: stdout, isTerminal: false, columns: undefined },
    stderr: { stream: stderr, isTerminal: false, columns: undefined },
    openTerminal: () => undefined,
    now: Date.now,
    uptimeMs: () => 0,
    onTerminalChange: none,
    suspend: none,
    favorMemory: none,
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...{ raise: none, spawn: none, spawnSelf: none },
    abandonOutput: () => undefined,
    dispose: () => undefined,
  };
}

function collector(onLines?: (lines: number) => void): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      chunks.push(Buffer.from(chunk));
      onLines?.(chunk.toString().split('\n').length - 1);
      callback();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

interface PrintedError {
  readonly code: string;
  readonly message: string;
  readonly records?: PrintedAccount;
}

/** Returns the error on standard error, which is JSON on a line of its own. */
function errorIn(stderr: string): PrintedError | undefined {
  const line = stderr.split('\n').find((one) => one.startsWith('{"error":'));
  return line === undefined ? undefined : (JSON.parse(line) as { readonly error: PrintedError }).error;
}
