import type { Clock } from '../../../clock.ts';
import { CliError } from '../../../errors.ts';
import { isLocal } from '../../../net/address.ts';
import type { SaslOptions } from '../options.ts';
import type { SaslTarget } from './sasl.ts';

/** Authentication that is renewed on the same connection before the session expires (KIP-368). */
export interface Authentication {
  /** Waits while the session is being renewed; undefined when there is nothing to wait for. */
  ready(): Promise<void> | undefined;
  /** Takes note of a request that is in flight: a renewal waits for its answer. */
  watch<T>(answer: Promise<T>): Promise<T>;
}

/** What authentication needs besides its target. */
export interface AuthenticationOptions {
  readonly sasl: SaslOptions | undefined;
  readonly clock: Clock;
  /** Aborted when the connection is no longer needed. */
  readonly signal: AbortSignal;
  /** Called before a secret is sent unencrypted to another machine, with what it is. */
  readonly onPlainSecret: ((host: string, what: string) => void) | undefined;
  /** Called before the first message. */
  readonly onStart: () => void;
  /** Ends the connection, because its session cannot be renewed. */
  readonly onFailure: (error: Error) => void;
}

/** The Java client renews at a random time in this part of the lifetime, so that its connections do not all do it at once. */
const window = { from: 0.85, length: 0.1 };

/** Kafka takes a renewal less than a second after the last one for a mistake (KIP-368). */
const leastIntervalMs = 1_000;

/** Authenticates a connection. @throws CliError (exit 4) if the broker refuses the credentials */
export async function startAuthentication(
  target: SaslTarget,
  { sasl, clock, signal, onPlainSecret, onStart, onFailure }: AuthenticationOptions,
): Promise<Authentication> {
  if (sasl === undefined) return { ready: () => undefined, watch: (answer) => answer };
  onStart();
  const { peer } = target;
  if ('tokens' in sasl) await sasl.tokens.checkPeer?.(peer);
  const secret = secretIn(sasl);
  if (secret !== undefined && !peer.tls && !isLocal(peer)) onPlainSecret?.(peer.host, secret);
  const inFlight = new Set<Promise<unknown>>();
  let renewAt = Number.POSITIVE_INFINITY;
  let authenticatedAt = 0;
  let renewal: Promise<void> | undefined;
  const authenticate = async (): Promise<void> => {
    const startedAt = clock.now();
    const lifetimeMs = await exchange(target, sasl, clock);
    authenticatedAt = clock.now();
    const share = window.from + window.length * clock.random();
    renewAt = lifetimeMs > 0 ? startedAt + lifetimeMs * share : Number.POSITIVE_INFINITY;
  };
  const renew = async (): Promise<void> => {
    // Brokers that answer out of order could authenticate a request of before with the session of after, and one that
    // is held (a long poll) would keep the messages of the renewal waiting beyond their limit.
    await Promise.allSettled(inFlight);
    const leftMs = authenticatedAt + leastIntervalMs - clock.now();
    if (leftMs > 0) await clock.sleep(leftMs, signal);
    try {
      await authenticate();
    } catch (error) {
      onFailure(error instanceof Error ? error : new CliError(1, String(error)));
      throw error;
    }
  };
  await authenticate();
  return {
    ready() {
      if (renewal === undefined && clock.now() < renewAt) return undefined;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
    watch(answer) {
      inFlight.add(answer);
      const done = (): void => void inFlight.delete(answer);
      answer.then(done, done);
      return answer;
    },
  };
}

/** The secret that a mechanism sends as it is; undefined if it proves that it knows one. */
function secretIn({ mechanism }: SaslOptions): string | undefined {
  if (mechanism === 'OAUTHBEARER') return 'token';
  return mechanism === 'PLAIN' ? 'password (option pass)' : undefined;
}

/** @returns the lifetime of the session in milliseconds; 0: it does not expire */
async function exchange(target: SaslTarget, sasl: SaslOptions, clock: Clock): Promise<number> {
  if (sasl.mechanism === 'OAUTHBEARER')
    return await (await import('./oauthbearer.ts')).authenticate(target, sasl, clock);
  if (sasl.mechanism === 'AWS_MSK_IAM') return await (await import('./msk-iam.ts')).authenticate(target, sasl);
  return await (await import('./sasl.ts')).authenticate(target, sasl);
}
