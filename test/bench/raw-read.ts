import { connect, type Socket } from 'node:net';

// The best that a reader in Node.js can achieve: `raw-read SEEDS TOPIC` receives partition 0 from its start to its
// end over plain TCP, one Fetch in flight, into reused memory, and reads only what the next
// Fetch needs. Layouts: Kafka protocol guide, request header v1, Fetch v4, record batch v2.
const [seeds = '', topic = ''] = process.argv.slice(2);
const name = Buffer.from(topic);
/** Bytes per Fetch, as many as weir asks for. */
const mostBytes = 4 << 20;
const answer = Buffer.allocUnsafeSlow(mostBytes + (1 << 16));
const notLeader = 6;

function fetchFrom(offset: bigint): Buffer {
  const request = Buffer.alloc(57 + name.length);
  let at = request.writeInt32BE(request.length - 4);
  at = request.writeInt16BE(4, request.writeInt16BE(1, at)); // Fetch, version 4
  at = request.writeInt16BE(0, at + 4); // correlation id 0, a client id of no length
  at = request.writeInt32BE(500, request.writeInt32BE(-1, at)); // a client; waits half a second
  at = request.writeInt32BE(mostBytes, request.writeInt32BE(1, at)) + 1; // at least 1 byte; read uncommitted
  at = request.writeInt16BE(name.length, request.writeInt32BE(1, at)); // one topic
  at += name.copy(request, at);
  at = request.writeInt32BE(0, request.writeInt32BE(1, at)); // one partition: 0
  request.writeInt32BE(mostBytes, request.writeBigInt64BE(offset, at));
  return request;
}

/** The offset that follows the batches in the answer; undefined at the end of the partition. */
function nextOffset(offset: bigint, length: number): bigint | undefined {
  let at = 26 + name.length; // after length, correlation id, throttle time, topics, name, partitions, index
  const error = answer.readInt16BE(at);
  if (error !== 0) throw new Error(`the broker answered a Fetch of "${topic}" with error ${error}`, { cause: error });
  const end = answer.readBigInt64BE(at + 2);
  at += 22 + 16 * Math.max(0, answer.readInt32BE(at + 18)); // high watermark, last stable offset, aborted transactions
  at += 4; // the length of what follows, which goes to the end of the answer
  let next = offset;
  while (at + 61 <= length) {
    const batchEnd = at + 12 + answer.readInt32BE(at + 8);
    if (batchEnd > length) break;
    next = answer.readBigInt64BE(at) + BigInt(answer.readInt32BE(at + 23)) + 1n;
    at = batchEnd;
  }
  return next < end ? next : undefined;
}

function read(seed: string): Promise<void> {
  const colon = seed.lastIndexOf(':');
  return new Promise((done, failed) => {
    let offset = 0n;
    let received = 0;
    const take = (count: number): boolean => {
      received += count;
      const length = received < 4 ? answer.length : answer.readInt32BE() + 4;
      if (length > answer.length) throw new Error(`an answer of ${length} bytes is too long`);
      if (received < length) return true;
      received = 0;
      const next = nextOffset(offset, length);
      if (next === undefined) socket.destroy();
      else socket.write(fetchFrom(next));
      offset = next ?? offset;
      return true;
    };
    const callback = (count: number): boolean => {
      try {
        return take(count);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
        return false;
      }
    };
    const onread = { buffer: () => answer.subarray(received), callback };
    const to = { host: seed.slice(0, colon).replace(/[[\]]/g, ''), port: Number(seed.slice(colon + 1)), onread };
    const socket: Socket = connect(to, () => socket.write(fetchFrom(offset)));
    socket.setNoDelay().once('error', failed).once('close', done);
  });
}

// Only the leader answers with records; other brokers return an error at once.
for (const [number, seed] of seeds.split(',').entries()) {
  try {
    await read(seed);
    break;
  } catch (error) {
    const isLast = number === seeds.split(',').length - 1;
    if (isLast || !(error instanceof Error) || error.cause !== notLeader) throw error;
  }
}
