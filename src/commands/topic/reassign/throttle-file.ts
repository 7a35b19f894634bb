import type { Context } from '../../../context.ts';
import { CliError } from '../../../errors.ts';
import { stateDirectory } from '../../../files/locations.ts';
import type {
  ListChange,
  RateChange,
  ThrottleBook,
  ThrottleMemory,
  ThrottleRecord,
} from '../../../kafka/cluster/topics/reassignment/throttle-memory.ts';
import { fieldsOf } from '../../../shape/object.ts';

/** The most that a record may have, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Remembers throttles in a file for each cluster, so that a later command can restore what was there before. Without a file,
 * only this memory has them.
 */
export function throttleMemory(context: Context): ThrottleMemory {
  let own: ThrottleRecord = { rates: [], lists: [] };
  const here = (): ThrottleBook => ({
    record: own,
    async save(record) {
      own = record;
    },
  });
  return {
    async hold(cluster, purpose, work) {
      const held = await openBook(context, cluster, purpose).catch((error: unknown) => {
        context.signal.throwIfAborted();
        if (!(error instanceof CliError)) throw error;
        context.warn(`only this command can restore the throttle, because weir cannot remember it: ${error.message}`);
        return undefined;
      });
      try {
        return await work(held?.book ?? here());
      } finally {
        await held?.release();
      }
    },
  };
}

interface Held {
  readonly book: ThrottleBook;
  release(): Promise<void>;
}

/** Opens and locks the file of a cluster; undefined if there is none to restore from. @throws CliError */
async function openBook(
  context: Context,
  cluster: string | undefined,
  purpose: 'set' | 'restore',
): Promise<Held | undefined> {
  const { join } = await import('node:path');
  const { existsSync } = await import('node:fs');
  const { rm } = await import('node:fs/promises');
  const { createHash } = await import('node:crypto');
  const state = stateDirectory(context.host);
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
  const { makeDirectory, removeLeftovers, replaceFile } = await import('../../../files/replace.ts');
  const { lockFile } = await import('../../../files/lock.ts');
  await makeDirectory(file);
  const lock = await lockFile(`${file}.lock`, context.lockWait.signal, context.lockWait);
  try {
    await removeLeftovers(file);
    const record = await readRecord(context, file);
    const save = async (changed: ThrottleRecord): Promise<void> => {
      if (changed.rates.length + changed.lists.length === 0) await rm(file, { force: true });
      else await replaceFile(file, `${JSON.stringify(changed, undefined, 2)}\n`, async () => true);
    };
    return { book: { record, save }, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function readRecord(context: Context, file: string): Promise<ThrottleRecord> {
  const { readOwnFile } = await import('../../../files/read.ts');
  const { codeOf } = await import('../../../files/fault.ts');
  try {
    return recordIn(JSON.parse(readOwnFile(file, mostBytes)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { rates: [], lists: [] };
    context.warn(`ignoring ${file}: it is not a valid record of throttles`);
    return { rates: [], lists: [] };
  }
}

/** @throws Error if the value is no record */
function recordIn(value: unknown): ThrottleRecord {
  const { rates, lists } = fieldsOf(value);
  if (!Array.isArray(rates) || !Array.isArray(lists)) throw new Error('not a record');
  return { rates: rates.map(rateIn), lists: lists.map(listIn) };
}

function rateIn(value: unknown): RateChange {
  const { broker, key, old, set } = fieldsOf(value);
  const isOld = typeof old === 'string' || old === null;
  if (typeof broker === 'number' && typeof key === 'string' && isOld && typeof set === 'string') {
    return { broker, key, old, set };
  }
  throw new Error('not a rate');
}

function listIn(value: unknown): ListChange {
  const { topic, key, added } = fieldsOf(value);
  if (typeof topic !== 'string' || typeof key !== 'string' || !Array.isArray(added)) throw new Error('not a list');
  if (!added.every((entry) => typeof entry === 'string')) throw new Error('not a list');
  return { topic, key, added };
}
