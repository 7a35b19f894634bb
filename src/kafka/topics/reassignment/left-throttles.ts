import type { ItemError } from '../../../errors.ts';
import { commandText, shellWord } from '../../../format/shell-word.ts';
import { resourceTypes } from '../../wire/apis/describe-configs.ts';
import type { LeftThrottle } from './reassignment-rows.ts';
import { nameOfSource, replicaKeys, type ThrottleChange } from './throttle-configs.ts';

/** How many topics a message names. */
const mostNames = 10;

/** A throttle that could not be removed. */
export function leftover({
  resource,
  error,
}: {
  readonly resource: ThrottleChange;
  readonly error: ItemError;
}): LeftThrottle {
  return {
    what: `unable to remove the throttle of ${nameOfSource(resource)}: ${error.code}: ${error.message}`,
    commands: commandsOf(resource),
  };
}

/** The rates of a broker, which somebody has changed since weir set them. */
export function otherRates(resource: ThrottleChange): LeftThrottle {
  return {
    what: `the throttled rate of ${nameOfSource(resource)} was changed by somebody else and is kept`,
    commands: commandsOf(resource),
  };
}

/** Topics whose lists name replicas that weir has not added, at least not from here. */
export function notOurs(topics: readonly string[]): LeftThrottle {
  const named = topics.slice(0, mostNames);
  const more = topics.length > mostNames ? ` and ${topics.length - mostNames} more` : '';
  return {
    what: `the throttle of ${named.join(', ')}${more} was not set by weir on this machine and is kept`,
    commands: [`weir topic alter-config ${named.map(shellWord).join(' ')} --delete ${replicaKeys.join(',')}`],
  };
}

/** The command for each change. */
function commandsOf({ type, name, changes }: ThrottleChange): readonly string[] {
  return changes.map(({ key, operation, value }) => {
    // Brokers list these keys only while they are set.
    const rate = value === undefined ? '--reset' : `${shellWord(value)} --force`;
    if (type === resourceTypes.broker) return `${commandText`weir cluster config set ${key}`} ${rate} --broker ${name}`;
    const change = value === undefined ? key : `${key}=${value}`;
    return commandText`weir topic alter-config ${name} --${operation} ${change}`;
  });
}
