import { stat } from 'node:fs/promises';
import { exitCodes } from '../errors.ts';
import type { NamedFile } from '../files/locations.ts';
import { checkPlace, checkUnchanged } from '../files/trust.ts';
import { quoteWord } from '../format/shell-word.ts';
import type { Host } from '../host.ts';
import { secretFault } from './fault.ts';
import type { WantedSecret } from './secrets.ts';

const openToOthers = 0o077;

/**
 * Ensures that a profile file may say where a secret is. It also says where the secret is sent, and which program runs:
 * nobody else may be able to change it, and one that the user names must be private as weir writes it, because a file
 * that was downloaded or cloned seldom is.
 * @throws CliError with how to repair it
 */
export async function checkOwnProfile(host: Host, wanted: WantedSecret, { path, origin }: NamedFile): Promise<void> {
  const { uid } = host.runtime;
  if (uid === undefined) return;
  const trusted = { uid, what: 'the profile file', code: 'PROFILE', again: 'create it anew', elsewhere };
  await checkUnchanged(path, trusted);
  await checkPlace(path, trusted);
  const found = await stat(path);
  if (origin === undefined || found.uid === 0 || (found.mode & openToOthers) === 0) return;
  throw secretFault(wanted, `${origin} names a file that other users can read, like one from someone else`, {
    exitCode: exitCodes.usage,
    hints: [`if you trust its commands, files and addresses, make it private: chmod 600 ${quoteWord(path)}`],
  });
}

const elsewhere = 'keep the file in a directory of your own';
