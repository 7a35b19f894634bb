import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Deadline } from '../deadline.ts';
import type { CliError } from '../errors.ts';
import type { Address } from '../net/address.ts';
import { dialError, dialTimeout, type Peer } from '../net/dial-error.ts';
import { type DialStep, openSocket } from '../net/socket.ts';
import type { TlsMaterial } from '../net/tls.ts';
import { judgeHandshake } from './certificate.ts';
import type { Chain } from './chain.ts';
import type { CheckStep } from './check.ts';
import { handshakeOf } from './handshake.ts';

/** What to dial. */
export interface Inspected {
  readonly address: Address;
  readonly peer: Peer;
  /** Undefined: plain TCP. */
  readonly tls: TlsMaterial | undefined;
  /** Why TLS is not used, for its check. */
  readonly withoutTls: string;
  readonly deadline: Deadline;
}

/** One dial. */
interface Dial {
  /** Milliseconds by step. */
  readonly spent: ReadonlyMap<DialStep, number>;
  /** The addresses that the host name stands for. */
  readonly found: readonly string[];
  /** The address that accepted the connection. */
  readonly remote: string;
  /** The step that failed, and why. */
  readonly failed: { readonly step: DialStep; readonly error: CliError } | undefined;
  readonly handshake: ReturnType<typeof handshakeOf> | undefined;
}

const order: readonly DialStep[] = ['DNS', 'TCP', 'TLS'];

/**
 * Checks DNS, TCP and TLS with a connection of its own, over which nothing is sent. It is opened without verification,
 * so that a certificate that is refused can be described.
 */
export async function checkDial(chain: Chain, inspected: Inspected): Promise<void> {
  if (chain.isOver) {
    for (const step of order) chain.skip(stepName(step), '');
    return;
  }
  const dial = await dialOnce(inspected).catch((error: unknown) => undialled(error, inspected));
  for (const step of order) report(chain, step, dial, inspected);
}

/** A dial that cannot begin, for example because a broker advertises a port that does not exist. */
function undialled(error: unknown, { peer }: Inspected): Dial {
  const reason = error instanceof Error ? error : new Error(String(error));
  const failed = { step: 'TCP', error: dialError('TCP', reason, peer) } as const;
  return { spent: new Map(), found: [], remote: '', failed, handshake: undefined };
}

function stepName(step: DialStep): CheckStep {
  return step === 'DNS' ? 'dns' : step === 'TCP' ? 'tcp' : 'tls';
}

function report(chain: Chain, step: DialStep, dial: Dial, { address, peer, tls, withoutTls, deadline }: Inspected) {
  const name = stepName(step);
  const spent = dial.spent.get(step) ?? 0;
  if (dial.failed?.step === step) return chain.fail(name, dial.failed.error, spent);
  if (chain.isOver) return chain.skip(name, '');
  if (step === 'DNS') {
    if (isIP(address.host) !== 0) return chain.skip(name, 'the address has no host name');
    return chain.add(name, { detail: dial.found.join(', ') }, spent);
  }
  if (step === 'TCP') return chain.add(name, { detail: `connected to ${dial.remote}` }, spent);
  if (tls === undefined || dial.handshake === undefined) return chain.skip(name, withoutTls);
  const verifies = tls.rejectUnauthorized !== false;
  try {
    chain.add(name, judgeHandshake(dial.handshake, { peer, verifies, nowMs: deadline.clock.wallTime() }), spent);
  } catch (error) {
    chain.fail(name, error, spent);
  }
}

async function dialOnce({ address, peer, tls, deadline }: Inspected): Promise<Dial> {
  const { clock, signal, limits, options } = deadline;
  const { promise, resolve } = Promise.withResolvers<Dial>();
  const spent = new Map<DialStep, number>();
  const found = new Set<string>();
  let step: DialStep = 'DNS';
  let stepAt = clock.now();
  let remote = '';
  let handshake: Dial['handshake'];
  let failed: Dial['failed'];
  const enter = (next: DialStep): void => {
    spent.set(step, clock.now() - stepAt);
    if (step !== next) stepAt = clock.now();
    step = next;
  };
  const socket: Socket = openSocket({
    address,
    tls: tls && { ...tls, rejectUnauthorized: false },
    clock,
    dialMs: limits.dialMs,
    onStep: enter,
    onConnect: () => {
      remote = socket.remoteAddress ?? '';
      if (tls !== undefined) handshake = handshakeOf(socket as TLSSocket, address.host);
      socket.destroy();
    },
    timeoutError: () => dialTimeout(step, peer, options.dial),
  });
  const done = deadline.waitingFor(`a connection to ${peer.name}`);
  const abort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.on('lookup', (_error, ip) => void found.add(ip));
  socket.on('error', (error) => {
    failed ??= { step, error: dialError(step, error, peer) };
  });
  socket.once('close', () => {
    done();
    signal.removeEventListener('abort', abort);
    enter(step);
    // A peer that ends a handshake without an error.
    if (failed === undefined && remote === '') failed = { step, error: dialError(step, closedEarly(), peer) };
    resolve({ spent, found: [...found].filter(Boolean), remote, failed, handshake });
  });
  return await promise;
}

function closedEarly(): Error {
  return Object.assign(new Error('it closed the connection'), { code: 'ECLOSED' });
}
