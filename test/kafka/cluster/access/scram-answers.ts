import { alterUserScramCredentials } from '../../../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { describeUserScramCredentials } from '../../../../src/kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import { answerOf } from '../../../services/answer.ts';

const notFound = 91;

/** A DescribeUserScramCredentials answer: the numbers of the mechanisms of each user; none means that it is unknown. */
export function described(users: Readonly<Record<string, readonly number[]>>): Buffer {
  const results = Object.entries(users).map(([user, mechanisms]) => ({
    user,
    errorCode: mechanisms.length === 0 ? notFound : 0,
    credentialInfos: mechanisms.map((mechanism) => ({ mechanism, iterations: 4096 })),
  }));
  return answerOf(describeUserScramCredentials, 0, { errorCode: 0, results });
}

/** An AlterUserScramCredentials answer with the code of each user. */
export function altered(users: Readonly<Record<string, number>>): Buffer {
  const results = Object.entries(users).map(([user, errorCode]) => ({ user, errorCode }));
  return answerOf(alterUserScramCredentials, 0, { results });
}
