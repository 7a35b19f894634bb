import type { Deadline } from '../deadline.ts';
import { CliError } from '../errors.ts';
import type { Check, CheckedApi, CheckStatus, CheckStep } from './check-rows.ts';

/** What a step has found. */
export interface StepResult<T> {
  readonly value: T;
  readonly detail: string;
  /** What to do about it: the step is a warning. */
  readonly warning?: readonly string[];
}

/** The steps of one connection: each runs only if no earlier one has failed. */
export interface Chain {
  /** The checks so far. */
  readonly checks: readonly Check[];
  /** The error of the step that failed; undefined while there is none. */
  readonly failure: CliError | undefined;
  /** Whether a step has failed, or the command has timed out. */
  readonly isOver: boolean;
  /** Runs a step and returns its value; undefined if it failed or was skipped. */
  run<T>(step: CheckStep, work: () => Promise<StepResult<T>> | StepResult<T>): Promise<T | undefined>;
  /** Adds a step that took place elsewhere. */
  add(step: CheckStep, result: Omit<StepResult<unknown>, 'value'>, milliseconds: number): void;
  /** Reports a failed step. It replaces the step's earlier result, for failures that show later. */
  fail(step: CheckStep, error: unknown, milliseconds: number): void;
  /** Skips all further steps, because a step of other checks has failed on which they depend. */
  endAfter(step: CheckStep): void;
  /** Adds a step that does not apply, or that cannot run because an earlier one has failed. */
  skip(step: CheckStep, reason: string, hints?: readonly string[]): void;
}

/** How the target of a chain is named. */
export interface ChainTarget {
  readonly api: CheckedApi;
  readonly target: string | null;
  /** The name in the messages of the connection layer, for example `broker 2 (b2.example:9092)`. */
  readonly peer: string;
  /** What to do about a failure that has no advice of its own (default: that of the API). */
  readonly advice?: string;
}

/** What to do about a failure that has no advice of its own: usually another service answered. */
export const addressAdvice: Readonly<Record<CheckedApi, string>> = {
  kafka: 'check that brokers is the address of a Kafka broker',
  admin: 'check that admin.hosts is the address of the Admin API',
  registry:
    'check that registry.hosts is the address of the schema registry, with its path if it has one (Apicurio: /apis/ccompat/v7)',
  cloud: 'check that cloud.api_url is the address of the control plane',
};

const timedOut = 'the command timed out';

/**
 * Starts the checks of one target. If the command times out, the step that was running fails, and the steps after it
 * are skipped. If it is interrupted, the chain throws the reason.
 */
export function startChain({ api, target, peer, advice = addressAdvice[api] }: ChainTarget, deadline: Deadline): Chain {
  const { clock, signal } = deadline;
  const checks: Check[] = [];
  let failure: CliError | undefined;
  let failedStep: CheckStep | undefined;

  function put(step: CheckStep, status: CheckStatus, rest: Partial<Check> & Pick<Check, 'detail'>): void {
    const check = { api, target, step, status, hints: [], error_code: null, duration_ms: null, ...rest };
    const earlier = checks.findIndex((one) => one.step === step);
    if (earlier < 0) checks.push(check);
    else checks[earlier] = check;
  }
  const chain: Chain = {
    checks,
    get failure() {
      return failure;
    },
    get isOver() {
      return failedStep !== undefined || signal.aborted;
    },
    async run(step, work) {
      if (chain.isOver) return void chain.skip(step, '');
      const startedAt = clock.now();
      try {
        const result = await work();
        chain.add(step, result, clock.now() - startedAt);
        return result.value;
      } catch (error) {
        return void chain.fail(step, error, clock.now() - startedAt);
      }
    },
    add(step, { detail, warning }, milliseconds) {
      const status = warning === undefined ? 'ok' : 'warning';
      put(step, status, { detail, hints: warning ?? [], duration_ms: rounded(milliseconds) });
    },
    fail(step, error, milliseconds) {
      const cliError = failureOf(error, signal);
      failure = cliError;
      failedStep = step;
      const { code, hints, message } = cliError;
      const detail = shortened(message, peer, step);
      put(step, 'failed', {
        detail,
        hints: hints.length > 0 ? hints : [advice],
        error_code: code,
        duration_ms: rounded(milliseconds),
      });
    },
    endAfter(step) {
      failedStep = step;
    },
    skip(step, reason, hints = []) {
      if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
      const why = failedStep === undefined ? (signal.aborted ? timedOut : reason) : `${failedStep} failed`;
      put(step, 'skipped', { detail: why, hints });
    },
  };
  return chain;
}

/** Whether the command has run into its own limit; every other abort ends it without a result. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof CliError && reason.code === 'COMMAND_TIMEOUT';
}

function failureOf(error: unknown, signal: AbortSignal): CliError {
  const reason = signal.aborted ? signal.reason : error;
  if (reason instanceof CliError && (!signal.aborted || isTimeout(reason))) return reason;
  throw reason;
}

/** The message without the target and the step, which have columns of their own. */
function shortened(message: string, peer: string, step: CheckStep): string {
  const prefixes = [`unable to connect to ${peer}: `, `unable to authenticate to ${peer}: `];
  const prefix = prefixes.find((one) => message.startsWith(one));
  if (prefix === undefined) return message;
  const rest = message.slice(prefix.length);
  return step === 'listener' ? rest : rest.replace(/^(?:DNS|TCP|TLS|API versions|SASL): /, '');
}

/** Milliseconds with one decimal place. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
