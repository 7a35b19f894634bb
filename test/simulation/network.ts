import type { Clock } from '../../src/clock.ts';
import { dialError } from '../../src/kafka/transport/connect-error.ts';
import type { DialLink, Link, LinkOptions } from '../../src/kafka/transport/link.ts';
import { closedByPeer } from '../../src/net/dial-error.ts';
import type { ModelCluster } from '../../src/sandbox/broker/cluster.ts';
import type { BrokerAddress } from '../../src/sandbox/broker/cluster-parts.ts';
import type { ModelConnection } from '../../src/sandbox/broker/serve/connection.ts';

/** A network between clients and a model cluster, in virtual time. */
export interface Network {
  /** For `KafkaOptions.dial`. */
  readonly dial: DialLink;
  /** Links that are up. */
  readonly open: number;
  /** Cuts every link to a broker, or to all; what is on its way is lost. */
  cut(broker: number | undefined): void;
  /** Cuts a link to the broker with its next request: before the broker has it, or instead of the answer. */
  cutNext(broker: number | undefined, when: 'before' | 'after'): void;
  /** What is sent to and from the broker vanishes, and dials hang; when that ends, its links are cut. */
  blackHole(broker: number, isOn: boolean): void;
  heal(): void;
  /** Adds so many milliseconds to every way to and from a broker. */
  slow(broker: number, milliseconds: number): void;
}

/** How long frames take. */
export interface NetworkOptions {
  readonly clock: Clock;
  readonly cluster: Pick<ModelCluster, 'connect'>;
  readonly brokers: readonly BrokerAddress[];
  /** The longest way of a frame, in milliseconds; each takes a random part of it. Frames of one link stay in order. */
  readonly latencyMs: number;
}

interface State extends NetworkOptions {
  readonly links: Set<OpenLink>;
  readonly holes: Set<number>;
  readonly delays: Map<number, number>;
  readonly cutsToCome: { readonly broker: number | undefined; readonly when: 'before' | 'after' }[];
}

interface OpenLink {
  readonly broker: number;
  /** Ends the link on both sides, as a cut cable does with its reset. */
  cut(): void;
}

/** A network on which nothing goes wrong yet. */
export function createNetwork(options: NetworkOptions): Network {
  const state: State = { ...options, links: new Set(), holes: new Set(), delays: new Map(), cutsToCome: [] };
  const cut = (isMeant: (broker: number) => boolean): void => {
    for (const link of [...state.links]) if (isMeant(link.broker)) link.cut();
  };
  return {
    dial: (link) => dial(state, link),
    get open() {
      return state.links.size;
    },
    cut: (broker) => cut((other) => broker === undefined || broker === other),
    cutNext: (broker, when) => void state.cutsToCome.push({ broker, when }),
    blackHole(broker, isOn) {
      if (isOn) state.holes.add(broker);
      else if (state.holes.delete(broker)) cut((other) => other === broker);
    },
    heal() {
      const healed = new Set(state.holes);
      state.holes.clear();
      state.delays.clear();
      state.cutsToCome.length = 0;
      cut((broker) => healed.has(broker));
    },
    slow: (broker, milliseconds) => void state.delays.set(broker, milliseconds),
  };
}

function wayMs({ clock, latencyMs, delays }: State, broker: number): number {
  return clock.random() * latencyMs + (delays.get(broker) ?? 0);
}

async function dial(state: State, options: LinkOptions): Promise<Link> {
  const { address, peer, signal, clock, dialMs } = options;
  const broker = state.brokers.find(({ host, port }) => host === address.host && port === address.port);
  if (broker === undefined) throw refused(peer);
  const ms = state.holes.has(broker.id) ? Number.POSITIVE_INFINITY : 2 * wayMs(state, broker.id);
  await clock.sleep(Math.min(ms, dialMs), signal);
  if (ms > dialMs) throw dialError('TCP', options.dialTimeoutError('TCP'), peer);
  const link = createLink(state, broker.id, options);
  const connection = state.cluster.connect(broker.id, link.peer);
  if (connection === undefined) throw refused(peer);
  link.attach(connection);
  return link;
}

function refused(peer: LinkOptions['peer']): Error {
  return dialError('TCP', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), peer);
}

function createLink(state: State, broker: number, { onFrame, onEnd, clock, allocate = Buffer.alloc }: LinkOptions) {
  let connection: ModelConnection | undefined;
  let isUp = true;
  let endsAtAnswer = false;
  const lastArrival = { there: 0, back: 0 };
  /** Delivers in order, after a random time; what is under way when the link ends is lost. */
  const deliver = (way: keyof typeof lastArrival, call: () => void): void => {
    if (state.holes.has(broker)) return;
    const at = Math.max(lastArrival[way], clock.now() + wayMs(state, broker));
    lastArrival[way] = at;
    clock.after(at - clock.now(), () => {
      if (isUp && !state.holes.has(broker)) call();
    });
  };
  const close = (): void => {
    isUp = false;
    state.links.delete(self);
    connection?.closed();
  };
  const self: OpenLink = {
    broker,
    cut() {
      if (!isUp) return;
      close();
      onEnd(Object.assign(new Error('the broker closed the connection'), { code: closedByPeer }));
    },
  };
  return {
    attach: (open: ModelConnection) => {
      connection = open;
      state.links.add(self);
    },
    peer: {
      send: (frame: Buffer) =>
        deliver('back', () => {
          if (endsAtAnswer) return self.cut();
          // In the client's memory, as a socket has it, which the client uses again.
          const arrived = allocate(frame.length);
          frame.copy(arrived);
          onFrame(arrived);
        }),
      close: () => deliver('back', () => self.cut()),
    },
    send(pieces: readonly Buffer[], onWritten: () => void): void {
      const frame = Buffer.concat(pieces).subarray(4);
      clock.after(0, onWritten);
      deliver('there', () => {
        const when = takeCut(state, broker);
        if (when === 'before') self.cut();
        else {
          endsAtAnswer ||= when === 'after';
          connection?.receive(frame);
        }
      });
    },
    afterArrivals: (call: () => void) => void clock.after(0, call),
    destroy: () => {
      if (isUp) close();
    },
  };
}

function takeCut({ cutsToCome }: State, broker: number): 'before' | 'after' | undefined {
  const index = cutsToCome.findIndex((cut) => cut.broker === undefined || cut.broker === broker);
  return index < 0 ? undefined : cutsToCome.splice(index, 1)[0]?.when;
}
