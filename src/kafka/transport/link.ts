import type { ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import type { Clock } from '../../clock.ts';
import type { Address } from '../../net/address.ts';
import type { DialStep } from '../../net/socket.ts';
import type { Peer } from './connect-error.ts';
import type { Allocate } from './frames.ts';

/** A way for frames to and from one broker. */
export interface Link {
  /**
   * Sends one frame, its length included, in pieces that are not copied. Calls back once the link has let go of the
   * bytes, also when that is because it was destroyed.
   */
  send(pieces: readonly Buffer[], onWritten: () => void): void;
  /** Calls back after every frame that has already reached this machine was handed to `onFrame`. */
  afterArrivals(call: () => void): void;
  /** Ends the link at once. Frames and `onEnd` may still be reported; the caller ignores them. */
  destroy(error: Error): void;
}

/** What a dial needs. */
export interface LinkOptions {
  readonly address: Address;
  /** The broker, for messages. */
  readonly peer: Peer;
  /** Undefined: plain TCP. */
  readonly tls: TlsConnectionOptions | undefined;
  readonly clock: Clock;
  /** The limit for DNS, TCP and TLS together, in milliseconds. */
  readonly dialMs: number;
  readonly dialTimeoutError: (step: DialStep) => Error;
  /** Ends the dial with the signal's reason. Once the link exists, `destroy` does that. */
  readonly signal: AbortSignal;
  /** Memory for frames; left out, each frame gets its own. */
  readonly allocate: Allocate | undefined;
  /** Gets each frame without its length. */
  readonly onFrame: (frame: Buffer) => void;
  /** Called once when a link that was established has ended. */
  readonly onEnd: (error: Error) => void;
}

/** Dials one address once. @throws CliError saying which step failed: DNS, TCP or TLS */
export type DialLink = (options: LinkOptions) => Promise<Link>;
