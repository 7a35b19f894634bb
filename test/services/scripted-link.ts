import { unreachableError } from '../../src/errors.ts';
import type { DialLink, Link, LinkOptions } from '../../src/kafka/protocol/transport/link.ts';
import { versionsAnswer } from './scripted-answers.ts';
import { type Arrival, framed, reactionTo, readArrival, type Script } from './scripted-broker.ts';

/** Scripted brokers without sockets, for tests in virtual time. */
export interface ScriptedLinks {
  readonly dial: DialLink;
  readonly journal: readonly (Arrival & { readonly address: string; readonly after: number })[];
  /** The number of established links. */
  readonly connections: number;
  /** Returns the requests of one API. */
  of(api: string): readonly (Arrival & { readonly address: string; readonly after: number })[];
}

/** Decides the outcome of a dial: an error code, or the script that the broker follows. */
export type Peers = (
  host: string,
  dials: number,
) => 'CONNECTION_REFUSED' | 'DNS_FAILED' | 'DIAL_TIMEOUT' | 'TLS_FAILED' | Script;

/** Creates links to brokers that follow a script and react immediately. */
export function scriptedLinks(peers: Peers | Script): ScriptedLinks {
  const journal: (Arrival & { readonly address: string; readonly after: number })[] = [];
  let dials = 0;
  let connections = 0;
  return {
    journal,
    get connections() {
      return connections;
    },
    of: (api) => journal.filter((arrival) => arrival.api === api),
    async dial(options) {
      dials += 1;
      const peer = typeof peers === 'function' ? peers(options.address.host, dials) : peers;
      if (typeof peer === 'string') throw dialFailure(peer, options);
      connections += 1;
      const connection = connections;
      return linkTo({ ApiVersions: versionsAnswer(), ...peer }, options, (request) => {
        const arrival = readArrival(request, connection, journal);
        journal.push({ ...arrival, address: options.address.host, after: options.clock.now() });
        return arrival;
      });
    },
  };
}

function dialFailure(code: string, { peer }: LinkOptions): Error {
  return unreachableError(`unable to connect to ${peer.broker}: ${code}`, { code, retryable: code !== 'DNS_FAILED' });
}

function linkTo(script: Script, options: LinkOptions, arrive: (request: Buffer) => Arrival): Link {
  const state = { isOpen: true };
  const end = (error: Error): void => {
    if (state.isOpen) options.onEnd(error);
    state.isOpen = false;
  };
  const answer = (arrival: Arrival, body: Buffer): void => {
    if (state.isOpen) options.onFrame(framed(arrival, body).subarray(4));
  };
  return {
    send(pieces, onWritten) {
      const arrival = arrive(Buffer.concat(pieces).subarray(4));
      onWritten();
      const reaction = reactionTo(arrival, script);
      if (reaction === 'silent') return;
      if (reaction === 'drop') queueMicrotask(() => end(new Error('the broker closed the connection')));
      else if (Buffer.isBuffer(reaction)) queueMicrotask(() => answer(arrival, reaction));
      else if ('answer' in reaction) options.clock.after(reaction.afterMs, () => answer(arrival, reaction.answer));
    },
    afterArrivals: (call) => void options.clock.after(0, call),
    destroy: end,
  };
}
