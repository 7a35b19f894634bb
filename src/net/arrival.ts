import type { Socket } from 'node:net';

/** What a peer sends is not what its protocol has at this place. */
export class Unexpected extends Error {}

/**
 * Takes the next `length` bytes from a socket that nobody reads. What follows them stays there, for whoever reads next.
 */
export function takeBytes(socket: Socket, length: number): Promise<Buffer> {
  return arrival(socket, () => {
    const bytes: Buffer | null = socket.read(length);
    // At the end of the stream, `read` returns what is left.
    if (bytes !== null && bytes.length < length) throw new Unexpected('it closed the connection');
    return bytes ?? undefined;
  });
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Takes the head of an HTTP response from a socket that nobody reads, up to and with its empty line.
 * @throws Unexpected if it begins otherwise, or has more than `most` bytes
 */
export function takeHead(socket: Socket, most: number): Promise<string> {
  let head = Buffer.alloc(0);
  return arrival(socket, () => {
    const bytes: Buffer | null = socket.read();
    if (bytes === null) return undefined;
    head = Buffer.concat([head, bytes]);
    const start = 'HTTP/1.';
    if (!start.startsWith(head.toString('latin1', 0, start.length))) throw new Unexpected(otherThanHttp(head));
    const end = head.indexOf(endOfHead);
    if (end < 0 && head.length <= most) return undefined;
    if (end < 0 || end > most) throw new Unexpected(`the head of its response has more than ${most} bytes`);
    const rest = head.subarray(end + endOfHead.length);
    if (rest.length > 0) socket.unshift(rest);
    return head.toString('latin1', 0, end);
  });
}

function otherThanHttp(head: Buffer): string {
  return head[0] === 5 ? 'it answered with SOCKS5' : 'the response is not HTTP';
}

/** Waits until `take` finds what it needs among what has arrived. The caller watches for errors of the socket. */
async function arrival<T>(socket: Socket, take: () => T | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // The rest belongs to the next reader, so this one leaves at once.
  const leave = (settle: () => void): void => {
    socket.off('readable', look);
    settle();
  };
  const look = (): void => {
    try {
      const value = take();
      if (value !== undefined) leave(() => resolve(value));
    } catch (error) {
      leave(() => reject(error));
    }
  };
  socket.on('readable', look);
  look();
  return await promise;
}
