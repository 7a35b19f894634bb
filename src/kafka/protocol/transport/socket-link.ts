import type { Socket } from 'node:net';
import { closedByPeer } from '../../../net/dial-error.ts';
import { type DialStep, openSocket, startLimit } from '../../../net/socket.ts';
import { dialError, netPeer } from './connect-error.ts';
import { checkFirstFrame } from './foreign.ts';
import { createFrames } from './frames.ts';
import type { DialLink, Link, LinkOptions } from './link.ts';

/** Dials over TCP, or through a tunnel, with TLS if the options ask for it. */
export const dialSocket: DialLink = async (options) => {
  const { address, signal, clock, dialMs } = options;
  const tunnel = options.tunnelTo?.(address);
  if (tunnel === undefined) return await openLink(options);
  const leftMs = startLimit(clock, dialMs);
  const over = await tunnel.open({ to: address, peer: netPeer(options.peer), leftMs, signal });
  return await openLink({ ...options, dialMs: leftMs() }, over);
};

function openLink(options: LinkOptions, over?: Socket): Promise<Link> {
  const { signal, peer } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Link>();
  let step: DialStep = 'DNS';
  let ended: Error | undefined;
  let isUp = false;
  const frames = framesInto(options, (error) => socket.destroy(error));
  const socket = openSocket({
    address: options.address,
    tls: options.tls,
    over,
    clock: options.clock,
    dialMs: options.dialMs,
    onread: frames,
    onStep: (next) => {
      step = next;
    },
    onConnect: () => {
      isUp = true;
      signal.removeEventListener('abort', abort);
      resolve(linkOf(socket));
    },
    timeoutError: () => options.dialTimeoutError(step),
  });
  const abort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', (error) => {
    ended ??= error;
  });
  socket.on('end', () => socket.destroy(closedError()));
  socket.on('close', () => {
    signal.removeEventListener('abort', abort);
    const error = ended ?? closedError();
    if (isUp) options.onEnd(error);
    else reject(dialError(step, error, peer));
  });
  if (over === undefined) socket.resume();
  else socket.on('data', (chunk: Buffer) => copyInto(frames, chunk));
  return promise;
}

/** Passes on the bytes of a socket that was opened without buffers of ours. */
function copyInto({ target, filled }: ReturnType<typeof framesInto>, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) {
    const copied = chunk.copy(target(), 0, at);
    at += copied;
    filled(copied);
  }
}

function closedError(): Error {
  return Object.assign(new Error('the broker closed the connection'), { code: closedByPeer });
}

/** Reads frames from the socket. Malformed bytes end the connection; they must not end the process. */
function framesInto({ onFrame, checkLength, peer, allocate }: LinkOptions, fail: (error: Error) => void) {
  let isFirst = true;
  const frames = createFrames({
    onFrame,
    checkLength: (length, raw) => {
      if (isFirst) checkFirstFrame(length, raw, peer.broker);
      isFirst = false;
      checkLength(length, raw);
    },
    ...(allocate && { allocate }),
  });
  return {
    target: frames.target,
    filled(length: number): void {
      try {
        frames.filled(length);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

function linkOf(socket: Socket): Link {
  return {
    send: openSending(socket),
    // The event loop reads from sockets before it runs immediates.
    afterArrivals: (call) => void setImmediate(call),
    destroy: (error) => void socket.destroy(error),
  };
}

/**
 * How many bytes a socket is given at a time. Bun joins what it is given into one buffer, and copies what the peer does
 * not take at once: a batch of ten megabytes would have two copies.
 */
const portionBytes = 256 * 1024;

/** A part of a request. */
interface Portion {
  readonly pieces: readonly Buffer[];
  readonly onWritten: (() => void) | undefined;
}

/** Writes requests one after the other, in portions. */
function openSending(socket: Socket): Link['send'] {
  const waiting: Portion[] = [];
  let isWriting = false;
  const next = (): void => {
    const portion = waiting.shift();
    isWriting = portion !== undefined;
    if (portion === undefined) return;
    const { pieces, onWritten } = portion;
    const last = pieces.length - 1;
    socket.cork();
    for (const [index, piece] of pieces.entries()) {
      if (index < last) socket.write(piece);
      else
        socket.write(piece, () => {
          onWritten?.();
          next();
        });
    }
    socket.uncork();
  };
  return (pieces, onWritten) => {
    const portions = divide(pieces);
    const last = portions.length - 1;
    for (const [index, portion] of portions.entries()) {
      waiting.push({ pieces: portion, onWritten: index < last ? undefined : onWritten });
    }
    if (!isWriting) next();
  };
}

function divide(pieces: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const portions: Buffer[][] = [];
  let room = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      if (room === 0) {
        portions.push([]);
        room = portionBytes;
      }
      const part = piece.subarray(at, at + room);
      portions.at(-1)?.push(part);
      at += part.length;
      room -= part.length;
    }
  }
  return portions;
}
