import { flag, list } from '../../../cli/command.ts';
import { scramMechanisms } from '../../../kafka/cluster/access/scram-words.ts';
import { integer, type Kind, oneOf } from '../../../kinds.ts';

/** The name of a new user, as in `-X user`, without the type of a principal. */
export const newUserName: Kind<string> = {
  name: 'user',
  hint: 'USER',
  parse(value) {
    if (value === '') throw new Error('it is empty');
    if (value.startsWith('User:')) throw new Error('leave out "User:"');
    return value;
  },
  show: (value) => value,
};

/** The name of a user with SCRAM credentials. */
export const userName: Kind<string> = { ...newUserName, completes: 'user' };

/** A SCRAM mechanism. */
export const mechanism = oneOf('mechanism', scramMechanisms);

/** The flag for the mechanisms of a user. */
export function mechanismFlag(help: string) {
  return list(mechanism, { splits: true, help });
}

/** How often a password is hashed unless another number is given. */
export const defaultIterations = 4096;

/** The flag for the cost of a password: brokers accept 4096 to 16384. */
export const iterationsFlag = flag(integer({ min: 4096, max: 16_384 }), {
  help: 'how often the password is hashed, from 4096 to 16384: more is safer and makes each login slower',
  fallback: defaultIterations,
});
