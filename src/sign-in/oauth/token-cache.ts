import { CliError } from '../../errors.ts';
import type { Kept, RecordFiles, StoredToken } from './record-files.ts';

/** A record with a token. */
export interface TokenHolder extends Kept {
  readonly token?: StoredToken | undefined;
}

/** How a token is found in a record, or else asked for. */
export interface CachedToken<T extends TokenHolder> {
  readonly files: RecordFiles<T>;
  readonly id: string;
  readonly signal: AbortSignal;
  isGood(token: StoredToken | undefined): token is StoredToken;
  /** Asks for a token, and returns the record with it; `stored` is what is kept so far. */
  ask(stored: T | undefined): Promise<T & { readonly token: StoredToken }>;
  readonly warn: (line: string) => void;
}

/** Returns the stored token if it is good, or asks for another one; commands that start together ask once. */
export async function cachedToken<T extends TokenHolder>(given: CachedToken<T>): Promise<StoredToken> {
  const { files, id, signal, isGood } = given;
  const kept = (await files.read(id))?.token;
  if (isGood(kept)) return kept;
  return await files.locked(id, signal, async () => {
    // Another command may have requested a token in the meantime.
    const stored = await files.read(id);
    if (isGood(stored?.token)) return stored.token;
    const record = await given.ask(stored);
    await keep(given, record);
    return record.token;
  });
}

/** Stores a record for later commands; if that fails, warns and continues. */
async function keep<T extends TokenHolder>({ files, warn }: CachedToken<T>, record: T): Promise<void> {
  try {
    await files.write(record);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    warn(`unable to store the token for later commands: ${error.message}`);
  }
}
