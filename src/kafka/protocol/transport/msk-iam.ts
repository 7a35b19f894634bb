import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { withoutSent } from '../../../net/secret.ts';
import { fieldsOf } from '../../../shape/object.ts';
import { kafkaErrorText } from '../errors.ts';
import type { IamSasl } from '../options.ts';
import type { ResponseOf } from '../wire/api.ts';
import type { saslAuthenticate } from '../wire/apis/sasl-authenticate.ts';
import { handshake, message, type SaslTarget } from './sasl.ts';

/** The version of the message and of the answer. */
const version = '2020_10_22';
/** The most of an answer that is read; it has two short fields. */
const mostAnswerBytes = 16 * 1024;
const mostReason = 300;

const cutHint = 'a broker may close the connection instead of refusing an identity';

/**
 * Authenticates a connection with an identity of AWS (SASL AWS_MSK_IAM, as aws-msk-iam-auth describes it): one signed
 * message, which the broker answers with an object.
 * @returns the lifetime of the session in milliseconds; 0: it does not expire (KIP-368)
 * @throws CliError (exit 4) with the reason of the broker and what was signed, never the signature
 */
export async function authenticate(target: SaslTarget, sasl: IamSasl): Promise<number> {
  // Before the handshake, because credentials may come from a slow service.
  const { text, about = '', secrets = [] } = await sasl.sign(target.peer.host);
  await handshake(target, sasl);
  const { errorCode, errorMessage, authBytes, sessionLifetimeMs } = await send(target, Buffer.from(text));
  if (errorCode !== 0) {
    // Nothing keeps a broker from repeating what it was sent.
    const serverText = withoutSent(errorMessage ?? '', [text, ...secrets], mostReason);
    throw refused(target, printable(kafkaErrorText(errorCode, serverText)), about);
  }
  if (authBytes.length > mostAnswerBytes || !isAnswer(authBytes))
    throw refused(target, 'the answer is not one of this mechanism', about);
  return Number(sessionLifetimeMs);
}

async function send({ wire, versions }: SaslTarget, authBytes: Buffer): Promise<ResponseOf<typeof saslAuthenticate>> {
  try {
    return await wire.send(message, { authBytes }, versions.choose(message));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'CONNECTION_LOST') throw error;
    throw withHints(error, [cutHint]);
  }
}

function isAnswer(bytes: Buffer): boolean {
  try {
    return fieldsOf(JSON.parse(bytes.toString('utf8'))).version === version;
  } catch {
    return false;
  }
}

function refused({ peer }: SaslTarget, reason: string, about: string): CliError {
  return new CliError(exitCodes.auth, `unable to authenticate to ${peer.broker}: SASL AWS_MSK_IAM: ${reason}`, {
    code: 'SASL_AUTHENTICATION_FAILED',
    hints: [
      about,
      'the IAM policy of this identity must allow kafka-cluster:Connect on the cluster',
      'see whose identity it is: weir doctor',
    ],
    target: 'sasl.mechanism',
  });
}
