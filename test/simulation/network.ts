import type { Clock } from '../../src/clock.ts';
import { dialError } from '../../src/kafka/protocol/transport/connect-error.ts';
import type { DialLink, Link, LinkOptions } from '../../src/kafka/protocol/transport/link.ts';
import { closedByPeer } from '../../src/net/dial-error.ts';
import type { BrokerAddress } from '../../src/sandbox/broker/cluster-parts.ts';
import type { ModelConnection } from '../../src/sandbox/broker/serve/connection.ts';
import type { ModelCluster } from '../sandbox/broker/control.ts';
import { watchThrottle } from './exchanges.ts';

/** A simulated network between clients and a model cluster, in virtual time. */
export interface Network {
  /** The dial function for `KafkaOptions.dial`. */
  readonly dial: DialLink;
  /** Returns the dial function for a named client. */
  dialAs(client: string): DialLink;
  /** The number of open links. */
  readonly open: number;
  /** Records that a client was closed, after which it must not use the network. */
  closed(client: string): void;
  /** The rules that clients have violated, one sentence each. */
  readonly breaches: readonly string[];
  /** Silently isolates a client from all brokers. */
  isolate(client: string, isOn: boolean): void;
  /**
   * Holds back what arrives at a client, whose process stands still, until the returned function is called. The kernel
   * goes on: what the client has sent before still arrives.
   */
  hold(client: string): () => void;
  /** Cuts every link to one broker or to all; frames in transit are lost. */
  cut(broker: number | undefined): void;
  /** Cuts a link to the broker at its next request, before the request arrives or instead of the response. */
  cutNext(broker: number | undefined, when: 'before' | 'after'): void;
  /** Drops all frames to and from a broker and lets dials hang. Its links are cut at the end. */
  blackHole(broker: number, isOn: boolean): void;
  /** Drops all frames to and from a broker for good, like a machine without power; `heal` does not change that. */
  lose(broker: number): void;
  heal(): void;
  /** Adds latency in milliseconds to every frame to and from a broker. */
  slow(broker: number, milliseconds: number): void;
}

/** The options of a network. */
export interface NetworkOptions {
  readonly clock: Clock;
  readonly cluster: Pick<ModelCluster, 'connect'>;
  readonly brokers: readonly BrokerAddress[];
  /** The maximum latency of a frame, in milliseconds; the actual one is random. Frames of a link stay in order. */
  readonly latencyMs: number;
  /** Called for each response when the broker sends it. */
  readonly onAnswer?: (exchange: Exchange) => void;
  /** Called for each response when the client receives it. */
  readonly onArrival?: (exchange: Exchange) => void;
}

/** A request and its response as complete frames without their lengths. */
export interface Exchange {
  readonly client: string;
  readonly broker: number;
  /** When the broker received the request, on the clock. */
  readonly at: number;
  readonly request: Buffer;
  readonly answer: Buffer;
}

interface State extends NetworkOptions {
  readonly links: Set<OpenLink>;
  readonly holes: Set<number>;
  readonly lost: Set<number>;
  readonly isolated: Set<string>;
  readonly closed: Set<string>;
  /** What has arrived at clients that stand still, in its order. */
  readonly held: Map<string, (() => void)[]>;
  readonly breaches: string[];
  /** The times of each client's dials within the last second. */
  readonly dials: Map<string, number[]>;
  readonly delays: Map<number, number>;
  readonly cutsToCome: { readonly broker: number | undefined; readonly when: 'before' | 'after' }[];
}

interface OpenLink {
  readonly client: string;
  readonly broker: number;
  /** Ends the link on both sides, like a connection reset. */
  cut(): void;
}

/** Creates a network without faults. */
export function createNetwork(options: NetworkOptions): Network {
  const state: State = {
    ...{ ...options, links: new Set(), holes: new Set(), lost: new Set(), delays: new Map(), cutsToCome: [] },
    ...{ isolated: new Set(), closed: new Set(), held: new Map(), breaches: [], dials: new Map() },
  };
  const cut = (isMeant: (broker: number) => boolean): void => {
    for (const link of [...state.links]) if (isMeant(link.broker)) link.cut();
  };
  const isolate = (client: string, isOn: boolean): void => {
    if (isOn) state.isolated.add(client);
    else if (state.isolated.delete(client)) {
      for (const link of [...state.links]) if (link.client === client) link.cut();
    }
  };
  return {
    dial: (link) => dial(state, '', link),
    dialAs: (client) => (link) => dial(state, client, link),
    breaches: state.breaches,
    closed: (client) => void state.closed.add(client),
    isolate,
    hold(client) {
      const arrivals: (() => void)[] = [];
      state.held.set(client, arrivals);
      return () => {
        state.held.delete(client);
        for (const arrive of arrivals) options.clock.after(0, arrive);
      };
    },
    get open() {
      return state.links.size;
    },
    cut: (broker) => cut((other) => broker === undefined || broker === other),
    lose: (broker) => void state.lost.add(broker),
    cutNext: (broker, when) => void state.cutsToCome.push({ broker, when }),
    blackHole(broker, isOn) {
      if (isOn) state.holes.add(broker);
      else if (state.holes.delete(broker)) cut((other) => other === broker);
    },
    heal() {
      const healed = new Set(state.holes);
      for (const client of [...state.isolated]) isolate(client, false);
      state.holes.clear();
      state.delays.clear();
      state.cutsToCome.length = 0;
      cut((broker) => healed.has(broker));
    },
    slow: (broker, milliseconds) => void state.delays.set(broker, milliseconds),
  };
}

function isUnreachable({ holes, lost, isolated }: State, broker: number, client: string): boolean {
  return holes.has(broker) || lost.has(broker) || isolated.has(client);
}

function wayMs({ clock, latencyMs, delays }: State, broker: number): number {
  return clock.random() * latencyMs + (delays.get(broker) ?? 0);
}

/**
 * The maximum number of dials of one client within a second. A series of retries makes five attempts in its first
 * second (with pauses of at least 250 ms), each with at most three brokers. A client has one series each for Metadata,
 * coordinator, heartbeats, commits and three leaders.
 */
const mostDials = 5 * 3 * 7;

function countDial({ clock, dials, breaches, closed }: State, client: string): void {
  if (closed.has(client)) breaches.push(`${client} dials after it was closed`);
  const recent = (dials.get(client) ?? []).filter((at) => at > clock.now() - 1_000);
  recent.push(clock.now());
  dials.set(client, recent);
  if (recent.length === mostDials) breaches.push(`${client} dials ${mostDials} times within one second`);
  // A client that dials endlessly without a pause would keep the run from ending.
  if (recent.length > 20 * mostDials) throw new Error(`${client} keeps dialing without pauses`);
}

async function dial(state: State, client: string, options: LinkOptions): Promise<Link> {
  const { address, peer, signal, clock, dialMs } = options;
  const broker = state.brokers.find(({ host, port }) => host === address.host && port === address.port);
  if (broker === undefined) throw refused(peer);
  countDial(state, client);
  const ms = isUnreachable(state, broker.id, client) ? Number.POSITIVE_INFINITY : 2 * wayMs(state, broker.id);
  await clock.sleep(Math.min(ms, dialMs), signal);
  if (ms > dialMs) throw dialError('TCP', options.dialTimeoutError('TCP'), peer);
  const link = createLink(state, { broker: broker.id, client }, options);
  const connection = state.cluster.connect(broker.id, link.peer);
  if (connection === undefined) throw refused(peer);
  link.attach(connection);
  return link;
}

function refused(peer: LinkOptions['peer']): Error {
  return dialError('TCP', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), peer);
}

interface Ends {
  readonly broker: number;
  readonly client: string;
}

function createLink(
  state: State,
  { broker, client }: Ends,
  { onFrame, onEnd, clock, allocate = Buffer.alloc }: LinkOptions,
) {
  let connection: ModelConnection | undefined;
  let isUp = true;
  /** Whether the client has closed the link; what it sent before still arrives. */
  let hasLeft = false;
  /** Whether the client listens no more, even to the end of the link. */
  let isDestroyed = false;
  let endsAtAnswer = false;
  const lastArrival = { there: 0, back: 0 };
  const asked: { readonly at: number; readonly request: Buffer }[] = [];
  const throttle = watchThrottle(clock, (why) => void state.breaches.push(`${client} ${why}`));
  const isLost = (): boolean => isUnreachable(state, broker, client);
  /** Gives the client what has arrived, once its process runs. */
  const arrive = (call: () => void): void => {
    const arrivals = state.held.get(client);
    if (arrivals === undefined) call();
    else arrivals.push(call);
  };
  /** Delivers in order, after a random time; what is in transit when the link ends is lost. */
  const deliver = (way: keyof typeof lastArrival, call: () => void): void => {
    if (isLost()) return;
    const { now, after } = state.clock;
    const at = Math.max(lastArrival[way], now() + wayMs(state, broker));
    lastArrival[way] = at;
    after(at - now(), () => {
      if ((isUp || (hasLeft && way === 'there')) && !isLost()) call();
    });
  };
  const close = (): void => {
    isUp = false;
    state.links.delete(self);
    connection?.closed();
  };
  const self: OpenLink = {
    ...{ client, broker },
    cut() {
      if (!isUp) return;
      close();
      const error = Object.assign(new Error('the broker closed the connection'), { code: closedByPeer });
      arrive(() => {
        if (!isDestroyed) onEnd(error);
      });
    },
  };
  return {
    attach: (open: ModelConnection) => {
      connection = open;
      state.links.add(self);
    },
    peer: {
      send(frame: Buffer) {
        const id = frame.readInt32BE(0);
        const index = asked.findIndex(({ request }) => request.readInt32BE(4) === id);
        const [question] = index < 0 ? [] : asked.splice(index, 1);
        const exchange = question && { client, broker, ...question, answer: frame };
        if (exchange !== undefined) state.onAnswer?.(exchange);
        deliver('back', () => {
          if (endsAtAnswer) return self.cut();
          arrive(() => {
            if (!isUp) return;
            throttle.answered(question?.request, frame);
            if (exchange !== undefined) state.onArrival?.(exchange);
            // Like a socket, delivers into memory of the client, which the client reuses.
            const arrived = allocate(frame.length);
            frame.copy(arrived);
            onFrame(arrived);
          });
        });
      },
      close: () => deliver('back', () => self.cut()),
    },
    send(pieces: readonly Buffer[], onWritten: () => void): void {
      const frame = Buffer.concat(pieces).subarray(4);
      if (state.closed.has(client)) state.breaches.push(`${client} sends a request after it was closed`);
      throttle.sent();
      clock.after(0, onWritten);
      deliver('there', () => {
        const when = isUp ? takeCut(state, broker) : undefined;
        if (when === 'before') self.cut();
        else {
          endsAtAnswer ||= when === 'after';
          asked.push({ at: state.clock.now(), request: frame });
          connection?.receive(frame);
        }
      });
    },
    afterArrivals: (call: () => void) => void clock.after(0, call),
    destroy: () => {
      isDestroyed = true;
      if (!isUp) return;
      deliver('there', () => connection?.closed());
      isUp = false;
      hasLeft = true;
      state.links.delete(self);
    },
  };
}

function takeCut({ cutsToCome }: State, broker: number): 'before' | 'after' | undefined {
  const index = cutsToCome.findIndex((cut) => cut.broker === undefined || cut.broker === broker);
  return index < 0 ? undefined : cutsToCome.splice(index, 1)[0]?.when;
}
