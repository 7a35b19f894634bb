import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import type { CliError } from '../errors.ts';
import type { Address } from '../net/address.ts';
import { closedByPeer, dialError, dialTimeout, type Peer } from '../net/dial-error.ts';
import { type DialStep, openSocket, startLimit } from '../net/socket.ts';
import type { TlsMaterial } from '../net/tls.ts';
import type { Tunnel, TunnelTo } from '../net/tunnel.ts';
import { handshakeOf, judgeHandshake } from './certificate.ts';
import type { Chain } from './chain.ts';
import type { CheckStep } from './check-rows.ts';

/** What to dial. */
export interface Inspected {
  readonly address: Address;
  readonly peer: Peer;
  /** Undefined: plain TCP. */
  readonly tls: TlsMaterial | undefined;
  /** Chooses the way to the address; undefined: directly. */
  readonly tunnelTo?: TunnelTo | undefined;
  /** Why TLS is not used, for its check. */
  readonly withoutTls: string;
  readonly deadline: Deadline;
}

/** One dial. */
interface Dial {
  /** Milliseconds by step. */
  readonly spent: ReadonlyMap<DialStep, number>;
  /** The addresses that the host name stands for. */
  readonly addresses: readonly string[];
  /** The address that accepted the connection; empty if it is not known. */
  readonly remote: string;
  /** The step that failed, and why. */
  readonly failed: { readonly step: DialStep; readonly error: CliError } | undefined;
  readonly handshake: ReturnType<typeof handshakeOf> | undefined;
  /** The tunnel that was used; undefined: none. */
  readonly tunnel: Tunnel | undefined;
}

const order: readonly DialStep[] = ['DNS', 'TCP', 'TLS'];

/**
 * Checks DNS, TCP and TLS, and the way through a proxy if there is one, with a connection of its own, over which nothing
 * is sent. It is opened without verification, so that a certificate that is refused can be described.
 */
export async function checkDial(chain: Chain, inspected: Inspected): Promise<void> {
  const tunnel = inspected.tunnelTo?.(inspected.address);
  const steps: readonly DialStep[] = tunnel === undefined ? order : ['proxy', ...order];
  if (chain.isOver) {
    for (const step of steps) chain.skip(stepName(step), '');
    return;
  }
  const dial = await dialOnce(inspected, tunnel).catch((error: unknown) => undialed(error, inspected, tunnel));
  for (const step of steps) report(chain, step, dial, inspected);
}

/** A dial that cannot begin, for example because a broker advertises a port that does not exist. */
function undialed(error: unknown, { peer }: Inspected, tunnel: Tunnel | undefined): Dial {
  const failed = { step: 'TCP', error: dialError('TCP', asError(error), peer) } as const;
  return { spent: new Map(), addresses: [], remote: '', failed, handshake: undefined, tunnel };
}

const stepNames = { proxy: 'proxy', DNS: 'dns', TCP: 'tcp', TLS: 'tls' } as const satisfies Record<DialStep, CheckStep>;

function stepName(step: DialStep): CheckStep {
  return stepNames[step];
}

function report(chain: Chain, step: DialStep, dial: Dial, inspected: Inspected) {
  const { peer, tls, withoutTls, deadline } = inspected;
  const name = stepName(step);
  const spent = dial.spent.get(step) ?? 0;
  if (dial.failed?.step === step) return chain.fail(name, dial.failed.error, spent);
  if (chain.isOver) return chain.skip(name, '');
  if (step === 'proxy') return chain.add(name, { detail: proxyDetail(dial) }, spent);
  if (step === 'DNS') return reportLookup(chain, dial, inspected, spent);
  if (step === 'TCP') return chain.add(name, { detail: connectedTo(dial, inspected) }, spent);
  if (tls === undefined || dial.handshake === undefined) return chain.skip(name, withoutTls);
  const verifies = tls.rejectUnauthorized !== false;
  try {
    chain.add(name, judgeHandshake(dial.handshake, { peer, verifies, nowMs: deadline.clock.wallTime() }), spent);
  } catch (error) {
    chain.fail(name, error, spent);
  }
}

function reportLookup(chain: Chain, { addresses, tunnel }: Dial, { address }: Inspected, spent: number): void {
  if (isIP(address.host) !== 0) chain.skip('dns', 'the address has no host name');
  else if (tunnel === undefined) chain.add('dns', { detail: addresses.join(', ') }, spent);
  else if (!tunnel.looksUpHere) chain.skip('dns', 'the proxy looks up the host name');
  else chain.add('dns', { detail: 'looked up on this machine, not by the proxy' }, spent);
}

function proxyDetail({ tunnel }: Dial): string {
  const user = tunnel?.user === undefined ? '' : `, as user "${tunnel.user}"`;
  return `${tunnel?.name ?? 'proxy'}${user}`;
}

/** The system no longer knows the address of a peer that has reset the connection. */
function connectedTo({ remote, tunnel }: Dial, { tunnelTo }: Inspected): string {
  if (tunnel !== undefined) return 'connected by the proxy';
  const without = tunnelTo === undefined ? '' : ', without the proxy (this machine, or no_proxy names the host)';
  return `connected${remote === '' ? '' : ` to ${remote}`}${without}`;
}

async function dialOnce({ address, peer, tls, deadline }: Inspected, tunnel: Tunnel | undefined): Promise<Dial> {
  const { clock, signal, limits, options } = deadline;
  const { promise, resolve } = Promise.withResolvers<Dial>();
  const steps = startSteps(clock);
  const addresses = new Set<string>();
  let remote = '';
  let isUp = false;
  let handshake: Dial['handshake'];
  let failed: Dial['failed'];
  const leftMs = startLimit(clock, limits.dialMs);
  let over: Socket | undefined;
  try {
    over = await tunnel?.open({ to: address, peer, leftMs, signal, onStep: steps.enter });
  } catch (error) {
    steps.enter(steps.current());
    failed = { step: steps.current(), error: dialError('TCP', asError(error), peer) };
    return { spent: steps.spent, addresses: [], remote, failed, handshake, tunnel };
  }
  const socket: Socket = openSocket({
    address,
    tls: tls && { ...tls, rejectUnauthorized: false },
    over,
    clock,
    dialMs: leftMs(),
    onStep: steps.enter,
    onConnect: () => {
      isUp = true;
      try {
        if (tls !== undefined) handshake = handshakeOf(socket as TLSSocket, tls.serverName ?? address.host);
        socket.destroy();
      } catch (error) {
        socket.destroy(asError(error)); // a certificate that cannot be read
      }
    },
    timeoutError: () => dialTimeout(steps.current(), peer, options.dial),
  });
  const done = deadline.waitingFor(`a connection to ${peer.name}`);
  const abort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  // Before the listener of `openSocket`, which calls `onConnect`: that ends a connection without TLS.
  socket.prependListener('connect', () => {
    remote = socket.remoteAddress ?? '';
  });
  socket.on('lookup', (_error, ip) => void addresses.add(ip));
  socket.on('error', (error) => {
    failed ??= { step: steps.current(), error: dialError(steps.current(), error, peer) };
  });
  socket.once('close', () => {
    done();
    signal.removeEventListener('abort', abort);
    steps.enter(steps.current());
    // A peer that ends a handshake without an error.
    if (!isUp) failed ??= { step: steps.current(), error: dialError(steps.current(), closedEarly(), peer) };
    resolve({ spent: steps.spent, addresses: [...addresses].filter(Boolean), remote, failed, handshake, tunnel });
  });
  return await promise;
}

/** Measures the steps of a dial. */
function startSteps(clock: Pick<Clock, 'now'>) {
  const spent = new Map<DialStep, number>();
  let step: DialStep = 'DNS';
  let stepAt = clock.now();
  return {
    spent,
    current: (): DialStep => step,
    enter(next: DialStep): void {
      spent.set(step, clock.now() - stepAt);
      if (step !== next) stepAt = clock.now();
      step = next;
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function closedEarly(): Error {
  return Object.assign(new Error('it closed the connection'), { code: closedByPeer });
}
