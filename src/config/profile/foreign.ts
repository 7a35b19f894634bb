import { commandText } from '../../format/shell-word.ts';
import { canHoldSecret, locatesSecret, type OptionKey } from '../options.ts';
import type { FileValue } from '../yaml/edit.ts';
import type { ProfileDraft } from './edit.ts';

type Options = ReadonlyMap<OptionKey, FileValue>;

/** The options of a file that may be of someone else, without those that such a file must not decide. */
export interface Withheld {
  readonly options: Options;
  /** What was left out, with the commands that set it, one line each. */
  readonly lost: readonly string[];
}

/**
 * Leaves out what would send secrets and cloud identities of the user to addresses that the file names: once they are in
 * a profile, nothing distinguishes them from what the user has decided.
 */
export function withoutForeign(given: Options): Withheld {
  const kept = withoutCredentials(given, [...given.keys()].filter(locatesSecret));
  const { options, lost } = withoutIdentity(kept.options);
  return { options, lost: [...kept.lost, ...lost] };
}

/** Leaves out what only the person may decide about their own secrets. */
export function withoutCredentials(given: Options, keys: readonly OptionKey[]): Withheld {
  return without(given, keys, 'which may come from someone else; if it is yours');
}

/** Leaves out the options that a file of someone else must not decide for the credentials that are beside them. */
export function withoutRefused(given: Options, refused: readonly OptionKey[]): Withheld {
  return without(given, refused, 'which would decide who gets your credentials; if you trust it');
}

/** Leaves out options, and says why, and how to set them nevertheless. */
function without(given: Options, keys: readonly OptionKey[], why: string): Withheld {
  const left = keys.filter((key) => given.has(key));
  return {
    options: new Map([...given].filter(([key]) => !left.includes(key))),
    lost: left.map((key) => {
      const word = canHoldSecret(key) ? key : wordOf(given, key);
      return `${key}, ${why}: ${commandText`weir profile set ${word}`}`;
    }),
  };
}

/** Leaves out only what would send cloud identities. */
export function withoutIdentity(given: Options): Withheld {
  const left = identityKeys(given);
  if (left.length === 0) return { options: given, lost: [] };
  const words = left.map((key) => commandText`${wordOf(given, key)}`).join(' ');
  return {
    options: new Map([...given].filter(([key]) => !left.includes(key))),
    lost: [
      `${left.join(', ')}, which would send your cloud identity to the brokers in the file; if they are yours: weir profile set ${words}`,
    ],
  };
}

const clouds: readonly unknown[] = ['aws', 'azure', 'google'];

/** The options that make brokers get a cloud identity, or say which one and what it may do. */
function identityKeys(given: Options): readonly OptionKey[] {
  const isOfCloud = clouds.includes(given.get('oauth.grant'));
  return [...given.keys()].filter((key) => {
    if (key === 'sasl.mechanism') return given.get(key) === 'AWS_MSK_IAM';
    if (key === 'oauth.grant' || key === 'oauth.scope') return isOfCloud;
    return key.startsWith('aws.');
  });
}

function wordOf(given: Options, key: OptionKey): string {
  return `${key}=${given.get(key)}`;
}

/** The options with addresses that get secrets of other systems than the one that the file is for. */
const secretTakers = /^(?:cloud\.\w+_url|oauth\.issuer|oauth\.token_url)$/;

/** Warnings for what an imported profile trusts more than people expect. */
export function risksOf({ name, options }: ProfileDraft): readonly string[] {
  const warning = (key: OptionKey, what: string): string =>
    `the new profile ${what} (${key}); to undo that: ${commandText`weir profile unset --profile ${name} ${key}`}`;
  return [...options].flatMap(([key, value]) => {
    if (key.endsWith('tls.insecure_skip_verify') && value === true) return warning(key, 'accepts any certificate');
    if (key === 'globals.proxy') return warning(key, 'sends all connections through a proxy');
    if (key === 'cloud.client_id') return warning(key, `signs in to the control plane as ${value}`);
    if (key.endsWith('.insecure_http')) return value === true ? warning(key, 'allows secrets over plain HTTP') : [];
    return secretTakers.test(key) ? warning(key, `sends client secrets and tokens to ${value}`) : [];
  });
}
