import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import type { ClusterFile } from '../file/document.ts';
import type { PasswordCheck } from '../kinds/kind.ts';
import { passwordOf, users, usersWithPasswords } from '../kinds/users.ts';
import { checkCluster, scopeOf } from './plan.ts';

/**
 * Signs in as the users of the files, once with each mechanism that they have, to find passwords that are other ones than
 * those of the files. It changes nothing, and the brokers log what fails.
 * @throws CliError (exit 2) if weir itself connects without SASL, (exit 6) for another cluster than that of the files
 */
export async function checkPasswords(context: Context, file: ClusterFile): Promise<PasswordCheck> {
  const config = await context.config();
  if (config.get('user') === '' && config.get('sasl.mechanism') === '')
    throw usageError('--verify-passwords needs a listener with SASL, and weir connects without it', {
      target: '--verify-passwords',
    });
  await checkCluster(context, file);
  const drifted: string[] = [];
  const unread = new Map<string, ItemError>();
  const notOffered = new Map<string, number>();
  const scope = scopeOf(users, file);
  if (scope.wanted.size === 0) return { drifted, unread };
  for (const { name, source, mechanisms } of usersWithPasswords(scope, await users.read(context, scope))) {
    const password = await passwordOf(context, name, source);
    const outcome =
      typeof password === 'string'
        ? await signIns(context, { user: name, password, mechanisms, notOffered })
        : password;
    if (typeof outcome !== 'boolean') unread.set(name, outcome);
    else if (!outcome) drifted.push(name);
  }
  for (const [mechanism, times] of notOffered)
    context.warn(`${count(times, 'password')} not tried with ${mechanism}, which the listener does not offer`);
  return { drifted, unread };
}

interface SignIns {
  readonly user: string;
  readonly password: string;
  readonly mechanisms: readonly string[];
  /** The mechanisms that the listener does not offer, and how many passwords were not tried with them. */
  readonly notOffered: Map<string, number>;
}

/** Whether a password is accepted with all mechanisms that are offered, or why nobody can say. */
async function signIns(
  context: Context,
  { user, password, mechanisms, notOffered }: SignIns,
): Promise<boolean | ItemError> {
  try {
    for (const mechanism of mechanisms) {
      const credential = [`user=${user}`, `pass=${password}`, `sasl.mechanism=${mechanism}`];
      const outcome = notOffered.has(mechanism) ? 'not offered' : await signsIn(context, credential);
      if (outcome === 'not offered') notOffered.set(mechanism, (notOffered.get(mechanism) ?? 0) + 1);
      else if (!outcome) return false;
    }
    return true;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CliError) || error.exitCode === exitCodes.usage) throw error;
    return itemErrorOf(error);
  }
}

/** Options of the line that exclude another password, such as `pass.command`; of the others, the last one counts. */
const ofPassword = /^pass\b/i;

async function signsIn(context: Context, credential: readonly string[]): Promise<boolean | 'not offered'> {
  const x = context.given.x.filter((word) => !ofPassword.test(word));
  const other = context.another({ ...context.given, x: [...x, ...credential] });
  const abort = () => other.abort(context.signal.reason);
  context.signal.addEventListener('abort', abort, { once: true });
  try {
    await (await other.kafka()).clusterInfo('none');
    return true;
  } catch (error) {
    if (error instanceof CliError && error.code === 'SASL_AUTHENTICATION_FAILED') return false;
    if (error instanceof CliError && error.code === 'UNSUPPORTED_SASL_MECHANISM') return 'not offered';
    throw error;
  } finally {
    context.signal.removeEventListener('abort', abort);
    await other.close();
  }
}
