import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { CliError } from '../../../errors.ts';
import { stateDirectory } from '../../../files/locations.ts';
import { lockBeside } from '../../../files/lock.ts';
import { readRecord, writeRecord } from '../../../files/record.ts';
import type {
  ThrottleBook,
  ThrottleMemory,
  ThrottleRecord,
} from '../../../kafka/cluster/topics/reassignment/throttle-memory.ts';
import { either, listOf, nothing, read, row, string, whole } from '../../../shape/shape.ts';

const throttleRecord = row({
  rates: listOf(row({ broker: whole, key: string, old: either(string, nothing), set: string })),
  lists: listOf(row({ topic: string, key: string, added: listOf(string) })),
});

const nothingSet: ThrottleRecord = { rates: [], lists: [] };

/**
 * Remembers throttles in a file for each cluster, so that a later command can restore what was there before. Without a file,
 * only this memory has them.
 */
export function throttleMemory(context: Context): ThrottleMemory {
  let own = nothingSet;
  const here = (): ThrottleBook => ({
    record: own,
    async save(record) {
      own = record;
    },
  });
  return {
    async hold(cluster, purpose, work) {
      await using held = await openBook(context, cluster, purpose).catch((error: unknown) => {
        context.signal.throwIfAborted();
        if (!(error instanceof CliError)) throw error;
        context.warn(`only this command can restore the throttle, because weir cannot remember it: ${error.message}`);
        return undefined;
      });
      return await work(held?.book ?? here());
    },
  };
}

interface Held extends AsyncDisposable {
  readonly book: ThrottleBook;
}

/** Opens and locks the file of a cluster; undefined if there is none to restore from. @throws CliError */
async function openBook(
  { host, lockWait, warn }: Context,
  cluster: string | undefined,
  purpose: 'set' | 'restore',
): Promise<Held | undefined> {
  const state = stateDirectory(host);
  if (state === undefined) {
    if (purpose === 'restore') return undefined;
    throw new CliError(1, 'the home directory is unknown; set XDG_STATE_HOME');
  }
  // The id comes from a server, so it is no file name.
  const name = createHash('sha256')
    .update(cluster ?? '')
    .digest('hex')
    .slice(0, 32);
  const file = join(state, 'throttles', `${name}.json`);
  if (purpose === 'restore' && !existsSync(file)) return undefined;
  const lock = await lockBeside(file, lockWait);
  const save = async (changed: ThrottleRecord): Promise<void> => {
    if (changed.rates.length + changed.lists.length === 0) await rm(file, { force: true });
    else await writeRecord(file, changed);
  };
  return { book: { record: throttlesIn(file, warn), save }, [Symbol.asyncDispose]: lock.release };
}

function throttlesIn(file: string, warn: Context['warn']): ThrottleRecord {
  try {
    return readRecord(file, (value) => read(throttleRecord, value)) ?? nothingSet;
  } catch {
    warn(`ignoring ${file}: it is not a valid record of throttles`);
    return nothingSet;
  }
}
