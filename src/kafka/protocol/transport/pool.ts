import { CliError, exitCodes } from '../../../errors.ts';
import { showHostPort } from '../../../net/address.ts';
import type { Candidate, Dial, OpenConnection } from './connection.ts';
import { type Contacts, createContacts, type Expectation } from './first-contact.ts';

/** The connections of one client: a shared one per address, and dedicated ones. */
export interface Pool {
  /** Returns the shared connection to an address; dials if none is usable. */
  shared: Dial;
  /** Opens a dedicated connection. */
  alone: Dial;
  /**
   * Returns an open connection, or else one to the first candidate that can be reached.
   * @param turn selects among the open connections
   */
  any(candidates: readonly Candidate[], turn: number): Promise<OpenConnection>;
  destroy(reason: Error): void;
}

/**
 * Opens a pool of the connections that `dialOnce` opens. One call dials no address twice.
 * @param expected what to do when no broker has ever been reached
 */
export function openPool(dialOnce: Dial, expected: Expectation): Pool {
  const contacts = createContacts(expected);
  const dial = contacts.watched(dialOnce);
  const dialing = new Map<string, Promise<OpenConnection>>();
  const standing = new Map<string, OpenConnection>();
  const holding = new Map<string, OpenConnection>();
  const alone = new Set<OpenConnection>();

  async function connect(candidate: Candidate, key: string): Promise<OpenConnection> {
    try {
      const connection = await dial(candidate);
      (candidate.held ? holding : standing).set(key, connection);
      return connection;
    } finally {
      dialing.delete(key);
    }
  }

  function shared(candidate: Candidate): Promise<OpenConnection> {
    const key = `${showHostPort(candidate.address)}${candidate.held ? ' held' : ''}`;
    const current = (candidate.held ? holding : standing).get(key);
    if (current?.usable) return Promise.resolve(current);
    const pending = dialing.get(key) ?? connect(candidate, key);
    dialing.set(key, pending);
    return pending;
  }

  return {
    shared,
    async alone(candidate) {
      const connection = await dial(candidate);
      for (const old of alone) if (!old.usable) alone.delete(old);
      alone.add(connection);
      return connection;
    },
    async any(candidates, turn) {
      const usable = [...standing.values()].filter((connection) => connection.usable);
      return usable[turn % usable.length] ?? firstOf(candidates, shared, contacts);
    },
    destroy(reason) {
      for (const connection of [...standing.values(), ...holding.values(), ...alone]) connection.destroy(reason);
      standing.clear();
      holding.clear();
      alone.clear();
    },
  };
}

async function firstOf(candidates: readonly Candidate[], connect: Dial, contacts: Contacts): Promise<OpenConnection> {
  const failures: CliError[] = [];
  for (const candidate of candidates) {
    try {
      return await connect(candidate);
    } catch (error) {
      // Do not repeat rejected credentials or a wrong configuration with every other broker.
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      failures.push(error);
    }
  }
  throw contacts.judged(noneOf(failures), failures);
}

/** Reports that no candidate could be reached, with all reasons. */
function noneOf(failures: readonly CliError[]): CliError {
  const [first, ...others] = failures;
  if (first === undefined) throw new Error('the client has no seed broker');
  if (others.length === 0) return first;
  const codes = new Set(failures.map(({ code }) => code));
  const reasons = failures.map(({ message }) => message.replace(/^unable to connect to /, ''));
  const message = `unable to connect to any of ${failures.length} brokers: ${reasons.join('; ')}`;
  return new CliError(exitCodes.unreachable, message, {
    code: codes.size === 1 ? first.code : 'UNREACHABLE',
    hints: [...new Set(failures.flatMap(({ hints }) => hints))],
    // Retry if at least one candidate may become reachable.
    retryable: failures.some(({ retryable }) => retryable),
    cause: first,
  });
}
