import { CliError, givenUp, rephrased, withHints } from '../../../errors.ts';
import { showHostPort } from '../../../net/address.ts';
import type { FirstContact } from '../../../net/hosts.ts';
import { afterCuts } from '../../../net/retry.ts';
import type { Candidate, Dial } from './connection.ts';

/** Keeps track of the brokers reached so far and decides which failures are final. */
export interface Contacts {
  /** Wraps a dial to record which addresses were reached. */
  watched(dial: Dial): Dial;
  /** Adapts the error that reports that all candidates failed; `reasons` holds one error per candidate. */
  judged(error: CliError, reasons: readonly CliError[]): CliError;
}

/** Codes of dials that do not show that a broker is there. */
const unreached: ReadonlySet<string> = new Set([
  'NO_ANSWER',
  'CONNECTION_REFUSED',
  'DNS_FAILED',
  'CONNECTION_FAILED',
  'DIAL_TIMEOUT',
  'PROXY_FAILED',
  'PROXY_REFUSED',
]);

/** Codes that mean that nothing listens there, most likely because the address is wrong. */
const absent: ReadonlySet<string> = new Set(['CONNECTION_REFUSED', 'DNS_FAILED']);

/** Codes that another attempt is unlikely to change: most likely the address is wrong, or that of the proxy. */
const misplaced: ReadonlySet<string> = new Set([...absent, 'NO_ANSWER', 'PROXY_FAILED', 'PROXY_REFUSED']);

/** What is known about the brokers before any is reached. */
export interface Expectation {
  readonly firstContact?: FirstContact | undefined;
  /** The sandbox that the brokers belong to; undefined for others. */
  readonly sandbox?: string | undefined;
  /** Whether nobody has named the brokers. */
  readonly isDefaultAddress?: boolean | undefined;
}

function adviceOn({ sandbox, isDefaultAddress }: Expectation): readonly string[] {
  if (sandbox !== undefined) {
    return [`start the sandbox "${sandbox}": weir sandbox start${sandbox === 'sandbox' ? '' : ` --name ${sandbox}`}`];
  }
  if (isDefaultAddress !== true) return [];
  return [
    'start a broker on this machine: weir sandbox start',
    'or use a broker that is already running: weir profile create NAME --set brokers=HOST:PORT',
  ];
}

/** What to do if all seed brokers failed for these reasons; nothing if one of them may exist. */
export function adviceFor(expected: Expectation, reasons: readonly CliError[]): readonly string[] {
  const isNobody = reasons.length > 0 && reasons.every(({ code }) => absent.has(code));
  return isNobody && expected.firstContact === 'stop' ? adviceOn(expected) : [];
}

/**
 * Creates the judge of connections that are closed before any broker has served. One that wants TLS or SASL does that,
 * and so does a load balancer whose broker is starting: the third is final, unless retries were requested.
 */
export function createCutJudge(firstContact: FirstContact | undefined): (error: CliError) => CliError {
  let cuts = 0;
  return (error) => {
    cuts += 1;
    return firstContact === 'stop' ? afterCuts(error, cuts) : error;
  };
}

/** Creates the record, with no broker reached. */
export function createContacts(expected: Expectation): Contacts {
  const { firstContact } = expected;
  const reached = new Set<string>();

  /** Makes a failed name lookup retryable only if the name worked before or retries were requested. */
  function afterDial(error: unknown, address: string): unknown {
    if (!(error instanceof CliError)) return error;
    // An accepted connection counts as a contact even if it failed later.
    if (!unreached.has(error.code)) reached.add(address);
    const mayResolve = error.code === 'DNS_FAILED' && (firstContact === 'retry' || reached.has(address));
    return mayResolve ? withHints(error, [], true) : error;
  }

  return {
    watched: (dial) => async (candidate: Candidate) => {
      const address = showHostPort(candidate.address);
      try {
        const connection = await dial(candidate);
        reached.add(address);
        return connection;
      } catch (error) {
        throw afterDial(error, address);
      }
    },
    judged(error, reasons) {
      if (reached.size > 0 || firstContact !== 'stop' || !reasons.every(({ code }) => misplaced.has(code)))
        return error;
      const advice = adviceFor(expected, reasons);
      const final = givenUp(error, advice);
      return advice.length === 0 ? final : rephrased(final, final.message, { hintsSuffice: true });
    },
  };
}
