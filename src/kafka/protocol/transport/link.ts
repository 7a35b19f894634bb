import type { Clock } from '../../../clock.ts';
import type { Address } from '../../../net/address.ts';
import type { DialStep } from '../../../net/socket.ts';
import type { TlsMaterial } from '../../../net/tls.ts';
import type { TunnelTo } from '../../../net/tunnel.ts';
import type { Peer } from './connect-error.ts';
import type { Allocate } from './frames.ts';

/** A channel for frames to and from one broker. */
export interface Link {
  /**
   * Sends one frame, including its length, in pieces that are not copied. Calls back when the link no longer uses the
   * bytes, also if it was destroyed.
   */
  send(pieces: readonly Buffer[], onWritten: () => void): void;
  /** Calls back after all frames that have already reached this machine were passed to `onFrame`. */
  afterArrivals(call: () => void): void;
  /** Closes the link at once. Frames and `onEnd` may still be reported; the caller ignores them. */
  destroy(error: Error): void;
}

/** The options of a dial. */
export interface LinkOptions {
  readonly address: Address;
  /** The broker, for messages. */
  readonly peer: Peer;
  /** Undefined: plain TCP. */
  readonly tls: TlsMaterial | undefined;
  /** Chooses the way to the address; undefined: directly. */
  readonly tunnelTo?: TunnelTo | undefined;
  readonly clock: Clock;
  /** The limit for DNS, TCP and TLS together, and for the way through a proxy, in milliseconds. */
  readonly dialMs: number;
  readonly dialTimeoutError: (step: DialStep) => Error;
  /** Cancels the dial with the signal's reason. It has no effect on an established link; use `destroy`. */
  readonly signal: AbortSignal;
  /** Allocates memory for frames; undefined: each frame gets a new buffer. */
  readonly allocate: Allocate | undefined;
  /** Checks the length of a frame, given with its four raw bytes; throws when it is not plausible. */
  readonly checkLength: (length: number, raw: Buffer) => void;
  /** Called with each frame, without its length field. */
  readonly onFrame: (frame: Buffer) => void;
  /** Called once when an established link has ended. */
  readonly onEnd: (error: Error) => void;
}

/** Dials one address once. @throws CliError naming the step that failed: DNS, TCP or TLS */
export type DialLink = (options: LinkOptions) => Promise<Link>;
