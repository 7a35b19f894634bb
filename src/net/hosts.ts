import { CliError, givenUp, rephrased } from '../errors.ts';
import { type Address, showHostPort } from './address.ts';
import { HttpError } from './http-error.ts';
import { afterCuts } from './retry.ts';

/** The addresses of an API, and which of them to use. */
export interface Hosts {
  /** Begins an attempt at the address that worked last, or at the first one. */
  begin(): Round;
}

/** One attempt, which goes on to the next address while none can be connected to. */
interface Round {
  /** The base URL to send to. */
  next(): string;
  /** Notes that the address has worked, so that it is used from now on. */
  answered(): void;
  /**
   * @throws the error, unless it says that the address cannot be connected to: whatever an address answers is final. After the
   * last address a CliError, which lists the addresses if there are several.
   */
  failed(error: unknown): void;
}

/** Whether an address that nobody answers at ends the command at once, or is retried. */
export type FirstContact = 'stop' | 'retry';

/** The base URL of an address, without a trailing slash. */
export function baseUrl(address: Address, usesTls: boolean): string {
  const { scheme = usesTls ? 'https' : 'http', path = '' } = address;
  return `${scheme}://${showHostPort(address)}${path}`;
}

/**
 * Nobody is at the address, or there is no such name, or the proxy does not get there: repeating this at the start of a
 * command only delays the error.
 */
const nobody: ReadonlySet<string> = new Set(['CONNECTION_REFUSED', 'DNS_FAILED', 'PROXY_FAILED', 'PROXY_REFUSED']);

function isCut({ code, retryable }: CliError): boolean {
  return retryable && (code === 'CONNECTION_LOST' || code === 'TLS_FAILED');
}

/** Whether an error says that nobody is at an address, or that the proxy does not lead there. */
export function isNobody({ code }: CliError): boolean {
  return nobody.has(code);
}

/** What is known of the addresses. */
interface State {
  readonly urls: readonly string[];
  readonly firstContact: FirstContact;
  /** The place in the list of the address to begin with. */
  current: number;
  /** Whether a connection to an address was made. */
  isContacted: boolean;
  hasAnswered: boolean;
  /** How often an address has closed the connection before any has answered. */
  cuts: number;
}

/** Creates the list of addresses by their base URLs, without connecting to one. */
export function createHosts(urls: readonly string[], firstContact: FirstContact): Hosts {
  const state: State = { urls, firstContact, current: 0, isContacted: false, hasAnswered: false, cuts: 0 };
  return { begin: () => roundOf(state) };
}

/** Sends to the addresses in turn until one can be connected to. @throws the last error */
export async function sendToOne<T>(hosts: Hosts, send: (url: string) => Promise<T>): Promise<T> {
  const round = hosts.begin();
  for (;;) {
    const url = round.next();
    try {
      const result = await send(url);
      round.answered();
      return result;
    } catch (error) {
      round.failed(error);
    }
  }
}

/** A single address, of which nothing is remembered; `onFailure` is called with the error of an attempt. */
export function onlyHost(url: string, onFailure?: (error: unknown) => void): Hosts {
  const round: Round = {
    next: () => url,
    answered: () => undefined,
    failed(error) {
      onFailure?.(error);
      throw error;
    },
  };
  return { begin: () => round };
}

function roundOf(state: State): Round {
  const { urls, current: first } = state;
  const failures: HttpError[] = [];
  const at = (): number => (first + failures.length) % urls.length;
  return {
    next: () => urls[at()] ?? '',
    answered() {
      answeredAt(state, at());
    },
    failed(error) {
      if (!(error instanceof HttpError)) {
        // Something answered; a wrong TLS file, for example, would fail at every address.
        // If it is repeated, then elsewhere: this node may be starting, or about to stop.
        answeredAt(state, error instanceof CliError && error.retryable ? at() + 1 : at());
        throw error;
      }
      if (error.sent) {
        // If it is repeated, then elsewhere: this address may accept connections and never answer.
        state.isContacted = true;
        state.current = (at() + 1) % urls.length;
        throw judged(state, error);
      }
      failures.push(error);
      if (failures.length === urls.length) throw unreachable(state, failures);
    },
  };
}

function answeredAt(state: State, next: number): void {
  state.isContacted = true;
  state.hasAnswered = true;
  state.current = next % state.urls.length;
}

/** Makes a cut final if the service has only ever closed the connection, unless retries were requested. */
function judged(state: State, error: CliError): CliError {
  if (state.hasAnswered || state.firstContact === 'retry' || !isCut(error)) return error;
  state.cuts += 1;
  return afterCuts(error, state.cuts / state.urls.length);
}

function unreachable(state: State, failures: readonly HttpError[]): CliError {
  const last = joined(failures);
  const isFinal = !state.isContacted && state.firstContact === 'stop' && failures.every(isNobody);
  return isFinal ? givenUp(last) : judged(state, last);
}

function joined(failures: readonly HttpError[]): CliError {
  const [first, ...others] = failures;
  if (first === undefined) throw new Error('the API has no address');
  if (others.length === 0) return first;
  return rephrased(first, failures.map(({ message }) => message).join('; '), {
    hints: [...new Set(failures.flatMap(({ hints }) => hints))],
    retryable: failures.some(({ retryable }) => retryable),
  });
}
