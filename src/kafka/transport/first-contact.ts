import { CliError, withHints } from '../../errors.ts';
import { showHostPort } from '../../net/address.ts';
import type { Candidate, Dial } from './pool.ts';

/**
 * What follows when every seed broker refuses the connection, or has a name that does not resolve, and no broker was
 * reached before: `stop` ends at once with advice, `retry` applies the retry rule. Left out, a refusal is retried and a
 * name is not.
 */
export type FirstContact = 'stop' | 'retry';

/** What was reached so far, and what that means for a failure. */
export interface Contacts {
  /** The same dial, remembered. */
  watched(dial: Dial): Dial;
  /** The failure of all candidates, which failed for these reasons. */
  judged(error: CliError, reasons: readonly CliError[]): CliError;
}

/** Failures of a dial in which nobody took the connection. */
const unreached: ReadonlySet<string> = new Set([
  'CONNECTION_REFUSED',
  'DNS_FAILED',
  'CONNECTION_FAILED',
  'DIAL_TIMEOUT',
]);

/** Failures that mean nobody is there, most likely because of a wrong address. */
const absent: ReadonlySet<string> = new Set(['CONNECTION_REFUSED', 'DNS_FAILED']);

const advice = [
  'start a broker on this machine: weir sandbox start',
  'or point weir at one that is running: weir profile create NAME --set brokers=HOST:PORT',
];

/** Starts with nothing reached. */
export function createContacts(firstContact: FirstContact | undefined): Contacts {
  const reached = new Set<string>();

  /** A resolver that does not know a name will say so again, unless the name worked before. */
  function afterDial(error: unknown, address: string): unknown {
    if (!(error instanceof CliError)) return error;
    // A connection that was accepted was a contact, whatever became of it.
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
      const isNobody = reached.size === 0 && reasons.length > 0 && reasons.every(({ code }) => absent.has(code));
      return isNobody && firstContact === 'stop' ? withHints(error, advice, false) : error;
    },
  };
}
