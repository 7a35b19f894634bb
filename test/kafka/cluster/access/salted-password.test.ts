import { expect, it } from 'vitest';
import { newSalt, saltedPassword } from '../../../../src/kafka/cluster/access/salted-password.ts';

// The example of RFC 7677, section 3; its client proof was computed from this value.
it('salts the password of the example of RFC 7677', async () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  const salted = await saltedPassword('SCRAM-SHA-256', 'pencil', { salt, iterations: 4096 });
  expect(salted.toString('hex')).toBe('c4a49510323ab4f952cac1fa99441939e78ea74d6be81ddf7096e87513dc615d');
});

it('has 64 bytes for SCRAM-SHA-512', async () => {
  expect(await saltedPassword('SCRAM-SHA-512', 'x', { salt: newSalt(), iterations: 4096 })).toHaveLength(64);
});

it('never salts alike', () => {
  expect(newSalt()).not.toEqual(newSalt());
});
