import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import plain from 'kafkajs/src/broker/saslAuthenticator/plain.js';
import scram256 from 'kafkajs/src/broker/saslAuthenticator/scram256.js';
import scram512 from 'kafkajs/src/broker/saslAuthenticator/scram512.js';
import { describe, expect, test } from 'vitest';

const require = createRequire(import.meta.url);

// The SASL mechanisms are not part of kafkajs's public interface; this is what weir relies on.
describe('the pinned internals of kafkajs', () => {
  test('are those of version 2.2.4, exactly', () => {
    expect(require('kafkajs/package.json').version).toBe('2.2.4');
    const { dependencies } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
    expect(dependencies.kafkajs).toBe('2.2.4');
  });

  test.each([
    ['PLAIN', plain, '\0u\0p'],
    ['SCRAM-SHA-256', scram256, 'n,,n=u,r='],
    ['SCRAM-SHA-512', scram512, 'n,,n=u,r='],
  ])('%s hands its messages over with an int32 length', async (_mechanism, provider, start) => {
    const messages: Buffer[] = [];
    const authenticator = provider({ username: 'u', password: 'p' })({
      host: 'h',
      port: 1,
      logger: { debug: () => undefined, error: () => undefined },
      async saslAuthenticate({ request }) {
        messages.push(await request.encode());
        throw new Error('enough');
      },
    });
    await expect(authenticator.authenticate()).rejects.toThrow('enough');
    const [first] = messages;
    expect(first?.readInt32BE(0)).toBe((first?.length ?? 0) - 4);
    expect(first?.toString('utf8', 4)).toContain(start);
  });
});
