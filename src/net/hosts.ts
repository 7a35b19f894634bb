import { CliError, rephrased, withHints } from '../errors.ts';
import { type Address, showHostPort } from './address.ts';
import { HttpError } from './http-error.ts';
import { mostEarlyCuts } from './retry.ts';

/** The addresses of an API that has several, and which of them to use. */
export interface Hosts {
  /**
   * Runs one attempt, given the base URL of an address. If it cannot be connected to, the next address is used, and the
   * one that worked is used from then on. Whatever an address answers is final.
   * @throws CliError that lists the addresses if there are several and none can be connected to
   */
  attempt<T>(send: (baseUrl: string) => Promise<T>): Promise<T>;
}

/** What the addresses need to know. */
interface HostsOptions {
  readonly addresses: readonly Address[];
  readonly usesTls: boolean;
  readonly firstContact: 'stop' | 'retry';
}

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

/** Creates the list of addresses, without connecting to one. */
export function createHosts({ addresses, usesTls, firstContact }: HostsOptions): Hosts {
  const urls = addresses.map((address) => baseUrl(address, usesTls));
  let current = 0;
  let isContacted = false;
  let hasAnswered = false;
  let cuts = 0;

  /** Makes a cut final if the service has only ever closed the connection, unless retries were requested. */
  function judged<E extends CliError>(error: E): E | CliError {
    if (hasAnswered || firstContact === 'retry' || !isCut(error)) return error;
    cuts += 1;
    return cuts < mostEarlyCuts * urls.length ? error : withHints(error, [], false);
  }

  return {
    async attempt(send) {
      const failures: HttpError[] = [];
      const first = current;
      for (let step = 0; step < urls.length; step += 1) {
        const at = (first + step) % urls.length;
        try {
          const result = await send(urls[at] ?? '');
          isContacted = true;
          hasAnswered = true;
          current = at;
          return result;
        } catch (error) {
          if (!(error instanceof HttpError)) {
            // Something answered; a wrong TLS file, for example, would fail at every address.
            isContacted = true;
            hasAnswered = true;
            // If it is repeated, then elsewhere: this node may be starting, or about to stop.
            current = error instanceof CliError && error.retryable ? (at + 1) % urls.length : at;
            throw error;
          }
          if (error.sent) {
            isContacted = true;
            // If it is repeated, then elsewhere: this address may accept connections and never answer.
            current = (at + 1) % urls.length;
            throw judged(error);
          }
          failures.push(error);
        }
      }
      const last = joined(failures);
      const isFinal = !isContacted && firstContact === 'stop' && failures.every(isNobody);
      throw isFinal ? withHints(last, [], false) : judged(last);
    },
  };
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
