import type { Context } from '../context.ts';

/** Keys of configs that may have a secret, whatever their values look like. */
const secretName = /secret|pass|token|credential|private|jaas|key$/i;

/** Whether a config may be secret, by its key: servers say so themselves, but a file may have chosen the server. */
export function mayBeSecret(key: string): boolean {
  return secretName.test(key);
}

/**
 * Ensures that configs of topics may be sent. Those that brokers know have no secrets, but others may have.
 * @throws CliError (exit 2) if a file that may be of someone else decides who gets one
 */
export async function maySendConfigs(context: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys.filter(mayBeSecret)) {
    await (await context.secrets()).mayGive(`the value of ${key}`, 'kafka', 'given');
  }
}
