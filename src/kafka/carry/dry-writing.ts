import type { Client } from '../protocol/client/client.ts';
import type { Writing, WritingOptions } from './writing.ts';

/** A writing that sends nothing: every batch counts as acknowledged at once. */
export function openDryWriting(_client: Client, { pool, memory, onWritten, onPlaced }: WritingOptions): Writing {
  const written = { records: 0, bytes: 0 };
  return {
    add({ writer }, lane, { position, step, trail }) {
      const { count, size } = writer;
      written.records += count;
      written.bytes += size;
      onPlaced?.({ position, offsets: pool.offsets.get(writer) ?? [], topic: lane.topic });
      trail.acknowledge(step);
      onWritten(count, size);
      pool.release(writer);
    },
    pump: () => undefined,
    isCrowded: false,
    isSettled: true,
    written,
    pending: 0,
    open: [],
    failure: undefined,
    inDoubt: 0,
    fail: () => undefined,
    until: async () => undefined,
    confirm: async () => undefined,
    answered: async () => undefined,
    release: (shared) => memory.release(shared.memory),
    close: () => undefined,
  };
}
