import { addressFromFile } from '../config/checks.ts';
import { type SecretKey, showValue } from '../config/options.ts';
import { CliError } from '../errors.ts';
import { checkOwnProfile } from './own-profile.ts';
import type { SecretParts } from './secrets.ts';

/**
 * Warns a person that a secret of the environment is sent to an address that a file sets which may be of someone else: the
 * variable may be meant for another cluster. Without a terminal, nobody decides any more: a pipeline that names a file of
 * its repository and has the secret in a variable would print the line with every command.
 */
export async function warnOfForeignAddress(parts: SecretParts, key: SecretKey): Promise<void> {
  const { config, warnOnce } = parts;
  const address = addressFromFile(key, config);
  if (address === undefined) return;
  const why = await foreignReason(parts, address.source);
  if (why === undefined) return;
  const value = showValue(address.key, address.value);
  warnOnce(`${config.setting(key).origin} is sent to ${value}, the ${address.key} of ${address.origin}: ${why}`);
}

/** Why the file of a source may be of someone else; undefined if it is not. */
async function foreignReason({ host, config }: SecretParts, source: string): Promise<string | undefined> {
  const { brokerFile, profile } = config;
  if (source === 'broker') return brokerFile && `${brokerFile.origin} names a file that may be of someone else`;
  if (profile === undefined) return undefined;
  try {
    await checkOwnProfile(host, (reason, { exitCode }) => new CliError(exitCode, reason), profile.file);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}
