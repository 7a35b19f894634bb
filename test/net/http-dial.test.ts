import { expect, it } from 'vitest';
import { unreachableError } from '../../src/errors.ts';
import { openDialer } from '../../src/net/http-dial.ts';
import { deadlineOf } from '../services/scripted-client.ts';

it('a connection that is given up with the command fails with the reason of the command', async () => {
  const deadline = deadlineOf();
  const dialer = openDialer({ deadline, tls: undefined, server: 'registry', addressHint: 'check it' });
  const failure = new Promise<Error | null>((resolve) => {
    // Nobody is asked: the socket is destroyed before its first step.
    dialer.dial({ hostname: '127.0.0.1', protocol: 'http:', port: '9' }, (...[error]) => resolve(error));
  });
  const reason = unreachableError('interrupted', { code: 'INTERRUPTED' });
  deadline.abort(reason);
  dialer.destroy(new Error('the client was closed'));
  expect(await failure).toBe(reason);
  deadline.dispose();
});

it('nothing is dialed once the command has ended', async () => {
  const deadline = deadlineOf();
  const reason = unreachableError('interrupted', { code: 'INTERRUPTED' });
  deadline.abort(reason);
  const dialer = openDialer({ deadline, tls: undefined, server: 'registry', addressHint: 'check it' });
  const failure = await new Promise<Error | null>((resolve) => {
    dialer.dial({ hostname: '127.0.0.1', protocol: 'http:', port: '9' }, (...[error]) => resolve(error));
  });
  expect(failure).toBe(reason);
  deadline.dispose();
});
